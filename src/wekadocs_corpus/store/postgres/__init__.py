"""The truth in a PostgreSQL database that many machines share.

Imported by: wekadocs_corpus.configured.
"""
