"""Documents in: found, read, prepared in worker processes, published together.

Imported by: wekadocs_corpus, plugins.
"""
