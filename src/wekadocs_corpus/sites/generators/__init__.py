"""One file for each site generator: its configuration, and the address it gives a page.

Imported by: wekadocs_corpus.
"""
