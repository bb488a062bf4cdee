"""Where documents are kept (SQLite, the truth) and where they are searched (an index derived from it).

Imported by: wekadocs_corpus.
"""
