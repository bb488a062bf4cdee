"""JSON Feed (jsonfeed.org), by the names that other feeds have for the same things."""

from __future__ import annotations

import html
import json

from .feeds import Told, written
from .page import NotAPage, Page

_NAMES = {"title": "title", "url": "link", "id": "id", "date_published": "published", "date_modified": "updated"}
_NAMES |= {"content_html": "content"}
_PLAIN = {"summary": "summary", "description": "description", "content_text": "encoded"}  # never HTML


def read_json_feed(text: str, address: str) -> Page:
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        raise NotAPage("the feed is not well-formed JSON") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise NotAPage("the feed has no list of items")
    return written(_told(feed), [_told(item) for item in items if isinstance(item, dict)], address)


def _told(item: dict[str, object]) -> Told:
    told = {name: said for key, name in _NAMES.items() if isinstance(said := item.get(key), str) and said}
    plain = {name: said for key, name in _PLAIN.items() if isinstance(said := item.get(key), str) and said}
    return told | {name: _as_html(said) for name, said in plain.items()}


def _as_html(said: str) -> str:
    return "".join(f"<p>{html.escape(part)}</p>" for part in said.split("\n\n"))
