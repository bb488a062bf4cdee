"""One document to the rows that the truth stores of it, in processes with limits of their own.

Imported by: wekadocs_corpus.
"""
