"""What was fetched to a page: main content as Markdown, links with their sentences, no script, no hidden text.

Imported by: wekadocs_web.
"""

from .addresses import absolute, page_of
from .apart import read_within
from .links import FRAME, IMAGE, INDEX, Link, bare
from .page import NotAPage, Page
from .reading import read

__all__ = [
    "FRAME", "IMAGE", "INDEX", "Link", "NotAPage", "Page", "absolute", "bare", "page_of", "read", "read_within",
]  # fmt: skip
