"""The truth, written: documents as rows, into every table or out of all of them.

Imported by: wekadocs_corpus.
"""
