"""Search without an index folder: SQLite's full text and exact vectors.

Imported by: wekadocs_corpus.
"""
