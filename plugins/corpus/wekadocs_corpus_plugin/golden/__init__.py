"""`eval`: a golden set of questions through the real tools, and the figures that come out.

Imported by: wekadocs_corpus_plugin.
"""
