"""What is asked of the file: documents, chunks, words, and who may see them.

Imported by: wekadocs_corpus.
"""
