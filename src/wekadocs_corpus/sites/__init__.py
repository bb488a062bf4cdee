"""Where a page stands on its site: which generator builds it, and the address that it gives the page.

Imported by: wekadocs_corpus.
"""

from .finding import Sites, SiteUrls
from .headless import is_never_rendered
from .pages import is_copied, page_url
from .repository import not_pages, site_in
from .site import NO_PAGE, Page, Site

__all__ = [
    "NO_PAGE",
    "Page",
    "Site",
    "SiteUrls",
    "Sites",
    "is_copied",
    "is_never_rendered",
    "not_pages",
    "page_url",
    "site_in",
]
