"""Passages for a question: candidates by words, vectors and links, fused and ranked.

Imported by: wekadocs_corpus, plugins.
"""
