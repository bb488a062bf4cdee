"""The truth in one SQLite file that many processes share.

Imported by: wekadocs_corpus.configured.
"""
