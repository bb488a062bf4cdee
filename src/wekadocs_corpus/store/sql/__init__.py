"""The truth over SQL, one text for every engine: SQLite and PostgreSQL bring connections and what is theirs alone.

Imported by: wekadocs_corpus.
"""
