"""HTML pages: from the tree of an HTML5 parser to the text that is stored and quoted.

Imported by: wekadocs_corpus.
"""

from .depth import without_deep_tags
from .page import read_html

__all__ = ["read_html", "without_deep_tags"]
