"""`wekadocs-mcp init`: a documentation repository set up step by step, each shown before it is done and undoable.

Imported by: wekadocs_corpus_plugin.
"""
