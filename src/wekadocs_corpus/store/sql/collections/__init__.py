"""Collections in SQL: tables of their own in the file of the truth, made with the first chunk.

Imported by: wekadocs_corpus.
"""
