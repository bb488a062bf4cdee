"""Text to vectors: one small interface, three providers.

Imported by: wekadocs_corpus.
"""
