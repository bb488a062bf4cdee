"""Readers of Markdown and of plain text, and the links they find.

Imported by: wekadocs_corpus.
"""
