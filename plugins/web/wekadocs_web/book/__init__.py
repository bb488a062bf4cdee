"""Which URL is which page: what was taken in, under all of its names, in which corpus, and what is still to come.

Imported by: wekadocs_web.
"""
