"""The index in Qdrant.

Imported by: wekadocs_corpus.
"""
