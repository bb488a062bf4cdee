"""Links of a document as paths under the ingested root; what leads out of the corpus is left aside."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from urllib.parse import unquote

from wekadocs_corpus.documents import slug
from wekadocs_corpus.model import Document, Link, LinkTarget, Section

from .wiki_names import WIKI, wiki_name

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|//")
_MOST = 2_000  # links of one document; a page with more is a list, not a text


def link_targets(document: Document) -> tuple[LinkTarget, ...]:
    sections = document.parsed.sections
    if not sections:
        return ()
    starts = [section.start for section in sections]
    found = (_target(document.place.path, sections, starts, link) for link in document.parsed.links[:_MOST])
    return tuple(target for target in found if target is not None)


def _target(path: str, sections: tuple[Section, ...], starts: list[int], link: Link) -> LinkTarget | None:
    resolved = resolve(path, link.target)
    if resolved is None:
        return None
    section = sections[max(0, bisect_right(starts, link.start) - 1)]
    return LinkTarget(section.id, resolved[0], resolved[1], link.text[:200], link.start, link.end)


def resolve(from_path: str, target: str) -> tuple[str, str] | None:
    """Path (relative to the root) and anchor of a link as written in `from_path`; None when it leads elsewhere."""
    target = target.strip()
    if target.startswith(WIKI):
        return _called(from_path, target.removeprefix(WIKI))
    if not target or len(target) > 1_000 or _SCHEME.match(target):
        return None
    raw, _, anchor = target.partition("#")
    raw = unquote(raw.partition("?")[0]).replace("\\", "/")
    if "\0" in raw:
        return None
    if not raw:
        return (from_path, unquote(anchor)) if anchor else None
    folder = "" if raw.startswith("/") else posixpath.dirname(from_path)
    path = posixpath.normpath(posixpath.join(folder, raw.lstrip("/") or "."))
    return None if path == ".." or path.startswith("../") else ("" if path == "." else path, unquote(anchor))


def _called(from_path: str, target: str) -> tuple[str, str] | None:
    """A page by its name, with a heading of it where one is named; a heading alone is one of the same page."""
    name, _, headings = target.partition("#")
    anchor = slug(headings.rpartition("#")[2].strip())
    page = wiki_name(name)
    if page:
        return WIKI + page, anchor
    return (from_path, anchor) if anchor else None
