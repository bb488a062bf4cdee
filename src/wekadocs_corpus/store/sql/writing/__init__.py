"""Documents into every table of the file, or out of all of them.

Imported by: wekadocs_corpus.
"""
