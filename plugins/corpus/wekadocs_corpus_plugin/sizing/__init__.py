"""How much memory, disk and how many machines a corpus needs.

Imported by: wekadocs_corpus_plugin.
"""
