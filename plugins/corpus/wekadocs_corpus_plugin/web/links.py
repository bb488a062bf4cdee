"""Addresses that a sitemap, an llms.txt or a page names."""

from __future__ import annotations

import html
import re
from urllib.parse import urldefrag, urljoin, urlsplit

_LOC = re.compile(r"<loc>([^<\]]{0,5000}(?:<!\[CDATA\[[^<\]]{1,5000})?)", re.I)
_HREF = re.compile(r"""<a\s[^<>]{0,4000}?href[ \t\n]{0,9}=[ \t\n]{0,9}["']?([^"'\s<>]{1,2000})""", re.I)
_MARKDOWN = re.compile(r"\[[^\]\n]{0,300}\]\(\s*<?([^\s)>]{1,2000})")
_PAGES = (
    ".html",
    ".htm",
    ".xhtml",
    ".md",
    ".markdown",
    ".mdx",
    ".rst",
    ".txt",
    ".adoc",
    ".pdf",
    ".php",
    ".asp",
    ".aspx",
)
_MOST = 50_000


def is_sitemap(text: str) -> bool:
    return "<urlset" in text[:2000] or "<sitemapindex" in text[:2000]


def is_index(text: str) -> bool:
    return "<sitemapindex" in text[:2000]


def of_sitemap(text: str, url: str) -> list[str]:
    said = (each.rpartition("<![CDATA[")[2].strip() for each in _LOC.findall(text)[:_MOST])
    return _absolute((html.unescape(each) for each in said if each), url)


def of_list(text: str, url: str) -> list[str]:
    """llms.txt: what its Markdown links to."""
    return _absolute(_MARKDOWN.findall(text)[:_MOST], url)


def of_page(text: str, url: str) -> list[str]:
    """Links without a query, to what may be a page."""
    found = _absolute((html.unescape(each) for each in _HREF.findall(text)[:_MOST]), url)
    return [each for each in found if not urlsplit(each).query and _may_be_page(each)]


def _may_be_page(url: str) -> bool:
    last = urlsplit(url).path.rpartition("/")[2].lower()
    ending = last[last.rfind(".") :] if "." in last else ""
    return not re.fullmatch(r"\.[a-z]{2,5}", ending) or ending in _PAGES


def _absolute(links: object, url: str) -> list[str]:
    found: dict[str, None] = {}
    for link in links:  # type: ignore[attr-defined]
        try:
            whole = urldefrag(urljoin(url, link)).url
        except ValueError:
            continue
        if whole.startswith(("http://", "https://")):
            found[whole] = None
    return list(found)


def below(url: str, base: str) -> bool:
    return url == base or url.startswith(f"{base}/")


def base_of(url: str) -> str:
    """The address without what stands behind its last slash: pages below it belong to the site that is meant."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}"
