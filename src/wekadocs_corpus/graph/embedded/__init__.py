"""The graph in the tables of the truth.

Imported by: wekadocs_corpus.store.sql.
"""
