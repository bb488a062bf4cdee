"""The truth: documents, sections, chunks, vectors and the graph in one SQLite file.

Imported by: wekadocs_corpus.
"""
