"""A document as any truth stores it: rows, packed small.

Imported by: wekadocs_corpus.
"""
