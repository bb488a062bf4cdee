"""What was fetched to a page: main content as Markdown, links with their sentences, no script, no hidden text.

Imported by: wekadocs_web.
"""

from .links import Link, bare, page_of
from .page import NotAPage, Page
from .reading import read

__all__ = ["Link", "NotAPage", "Page", "bare", "page_of", "read"]
