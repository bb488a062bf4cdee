"""HTML: from the tree of an HTML5 parser to Markdown that says what a reader of the page sees.

Imported by: wekadocs_web.
"""

from .page import read_html

__all__ = ["read_html"]
