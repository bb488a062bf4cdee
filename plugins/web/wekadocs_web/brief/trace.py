"""The way through the pages as a tree: what was found on a page hangs below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from .escaping import label
from .result import Visit


def tree(visits: Sequence[Visit]) -> list[dict[str, Any]]:
    """The same for programs: a list of roots, each with its children."""
    nodes = {each.url: _node(each) for each in visits}
    roots: list[dict[str, Any]] = []
    for each in visits:
        parent = nodes.get(each.found_on or "")
        (roots if parent is None else parent["children"]).append(nodes[each.url])
    return roots


def _node(visit: Visit) -> dict[str, Any]:
    node: dict[str, Any] = {"url": visit.url, "depth": visit.depth, "chunks": visit.chunks, "ms": round(visit.ms)}
    if visit.before is not None and visit.after is not None:
        node |= {"score_before": round(visit.before, 2), "score_after": round(visit.after, 2)}
    if visit.failed:
        node["failed"] = visit.failed
    return {**node, "children": []}


def diagram(visits: Sequence[Visit], stopped: str) -> str:
    """As text; addresses below the base are told by their ends."""
    if not visits:
        return ""
    base = base_of([each.url for each in visits])
    below: dict[str | None, list[Visit]] = {}
    known = {each.url for each in visits}
    for each in visits:
        below.setdefault(each.found_on if each.found_on in known else None, []).append(each)
    lines: list[str] = []
    for root in below.get(None, []):
        lines.append(_line(root, base))
        lines += _branches(root, below, base, "")
    if stopped:
        lines.append(f"    [stopped: {label(stopped)}]")
    return f"Base: {base}\n\n" + "\n".join(lines)


def _branches(visit: Visit, below: dict[str | None, list[Visit]], base: str, margin: str) -> Iterator[str]:
    children = below.get(visit.url, [])
    for child in children:
        last = child is children[-1]
        yield f"{margin}{'└── ' if last else '├── '}{_line(child, base)}"
        yield from _branches(child, below, base, margin + ("    " if last else "│   "))


def _line(visit: Visit, base: str) -> str:
    external = not visit.url.startswith(base)
    told = ["seed"] if visit.found_on is None else ["external"] * external + [f"depth {visit.depth}"]
    if visit.found_on is not None and not visit.failed:
        told.append(f"+{visit.chunks} chunks")
    if visit.before is not None and visit.after is not None:
        told.append(f"score: {visit.before:.2f} → {visit.after:.2f}")
    if visit.found_on is not None:
        told.append(f"{visit.ms:.0f}ms")
    name = visit.url if external else "/" + visit.url[len(base) :]
    failed = f" [failed: {label(visit.failed)}]" if visit.failed else ""
    return f"{name} ({', '.join(told)}){failed}"


def base_of(urls: Sequence[str]) -> str:
    """What all addresses of the first one's site have in common, up to a slash; another site changes nothing."""
    site = _site(urls[0])
    folders = [url.partition("?")[0].rpartition("/")[0] + "/" for url in urls if _site(url) == site]
    base = folders[0]
    for folder in folders[1:]:
        while not folder.startswith(base):
            base = base[:-1].rpartition("/")[0] + "/"
    return base if len(base) > len(site) else f"{site}/"


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
