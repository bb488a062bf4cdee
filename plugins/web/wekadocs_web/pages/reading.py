"""What was fetched, by its media type, to a page."""

from __future__ import annotations

import logging
import re
from dataclasses import replace

from wekadocs_text import without_invisible

from .feeds import is_feed, read_feed
from .html import read_html, stripped_of_tags
from .json_feeds import read_json_feed
from .links import links_of, with_whole_addresses
from .page import NotAPage, Page
from .xhtml import as_html

log = logging.getLogger("wekadocs.web")
_XHTML = "application/xhtml+xml"
_HTML = frozenset(("text/html", _XHTML))
_MARKDOWN = frozenset(("text/markdown", "text/x-markdown"))
_FEEDS = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
_XML = frozenset(("application/xml", "text/xml"))
_JSON_FEED = "application/feed+json"
_PDF = "application/pdf"
_WIDEST = 400  # characters of white space in one place; a tokenizer hardly counts it, and an answer's bytes do
_GAP = re.compile(rf"(?<!\s)\s{{{_WIDEST + 1},}}")


def read(body: bytes, media_type: str, charset: str, address: str) -> Page:
    """NotAPage says why nothing can be read of it."""
    page = _read(body, media_type, charset, address)
    return replace(page, text=_GAP.sub(lambda gap: gap[0][:_WIDEST], page.text))


def _read(body: bytes, media_type: str, charset: str, address: str) -> Page:
    kind = _kind(media_type)
    if is_pdf(body, media_type):
        return Page("", format="clean", data=body, suffix=".pdf")
    text = decoded(body, charset)
    path = address.partition("?")[0].partition("#")[0].lower()
    if kind in _HTML or (not kind and _looks_like_html(text)):
        return _of_html(as_html(text) if kind == _XHTML else text, address)
    if kind in _FEEDS or (kind in _XML and is_feed(text)):
        return read_feed(text, address)
    if kind == _JSON_FEED:
        return read_json_feed(text, address)
    if kind in _MARKDOWN or (kind in ("text/plain", "") and path.endswith((".md", ".markdown"))):
        return _written(text, address, markdown=True)
    if kind in _XML and _looks_like_html(text):
        return _of_html(as_html(text), address)
    if kind.startswith("text/") or kind in ("application/json", *_XML, ""):
        return _written(text, address, markdown=False)
    raise NotAPage(f"{kind} is no page, feed, Markdown, plain text or PDF")


def is_pdf(body: bytes, media_type: str) -> bool:
    return _kind(media_type) == _PDF or body[:5] == b"%PDF-"


def _kind(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


def _of_html(text: str, address: str) -> Page:
    """Nothing that a page holds may cost its words: where the converter fails, tags are stripped."""
    try:
        return read_html(text, address)
    except MemoryError:
        raise
    except Exception as error:
        log.warning("a page could not be converted (%s): its tags are stripped", type(error).__name__)
        return Page("", stripped_of_tags(without_invisible(text)), format="plain")


def decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):
        return body.decode("utf-8", "replace")


def _written(text: str, address: str, *, markdown: bool) -> Page:
    clean = without_invisible(text)
    if markdown:
        clean = with_whole_addresses(clean, address)
    return Page("", clean, links=links_of(clean, address), format="markdown" if markdown else "plain")


def _looks_like_html(text: str) -> bool:
    start = text[:2000].lstrip().lower()
    return start.startswith(("<!doctype html", "<html")) or "<body" in start
