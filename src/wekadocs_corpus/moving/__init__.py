"""A corpus from one truth to another.

Imported by: wekadocs_corpus.
"""
