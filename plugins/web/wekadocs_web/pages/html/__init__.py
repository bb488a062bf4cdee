"""HTML: from the tree of an HTML5 parser to Markdown that says what a reader of the page sees.

Imported by: wekadocs_web.
"""

from .page import read_html
from .stripping import stripped_of_tags

__all__ = ["read_html", "stripped_of_tags"]
