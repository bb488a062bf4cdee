"""Ingests that machines share: what there is to read, by whom, until when.

Imported by: wekadocs_corpus.store.postgres.
"""
