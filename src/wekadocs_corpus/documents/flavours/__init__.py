"""Markdown as site generators write it (Hugo, MkDocs, Docusaurus, VitePress, GitBook, mdBook, MyST) to plain Markdown.

Imported by: wekadocs_corpus.
"""

from .page import convert_markdown

__all__ = ["convert_markdown"]
