"""reStructuredText, as docutils and Sphinx have it, to clean Markdown.

Imported by: wekadocs_corpus.
"""

from .page import convert_restructured

__all__ = ["convert_restructured"]
