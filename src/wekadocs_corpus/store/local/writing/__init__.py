"""How arrays on disk are written: a generation built from the truth, when one is due.

Imported by: wekadocs_corpus.
"""
