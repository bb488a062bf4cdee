"""The graph in SQLite, beside the truth.

Imported by: wekadocs_corpus.store.sqlite.
"""
