"""The truth, whichever engine keeps it: what it is asked, and what it answers with. Nothing of an engine is in here.

Imported by: wekadocs_corpus, wekadocs_kit, plugins.
"""
