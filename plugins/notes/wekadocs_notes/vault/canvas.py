"""A Canvas (JSON Canvas) as the text of a note: its cards in order, its files as links."""

from __future__ import annotations

import json
from typing import Any

from .characters import as_text


def canvas_text(source: str) -> str:
    """What is no canvas stays as it is."""
    try:
        loaded = json.loads(source) if source.strip() else {}
    except (ValueError, RecursionError):
        return source
    if not isinstance(loaded, dict):
        return source
    nodes = _objects(loaded.get("nodes"))
    named = {str(each.get("id")): _shown(each) for each in nodes}
    parts = [part for each in nodes if (part := _card(each))]
    return as_text("\n\n".join([*parts, *_arrows(_objects(loaded.get("edges")), named)]))


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _card(node: dict[str, Any]) -> str:
    kind = node.get("type")
    if kind == "text":
        return str(node.get("text") or "")
    if kind == "file":
        return _shown(node)
    if kind == "link":
        return str(node.get("url") or "")
    return f"## {node['label']}" if kind == "group" and node.get("label") else ""


def _shown(node: dict[str, Any]) -> str:
    if node.get("type") == "file":
        return f"[[{node.get('file') or ''}{node.get('subpath') or ''}]]"
    text = str(node.get("text") or node.get("label") or node.get("url") or "").strip()
    return text.splitlines()[0][:80] if text else ""


def _arrows(edges: list[dict[str, Any]], named: dict[str, str]) -> list[str]:
    lines = []
    for edge in edges:
        start, end = named.get(str(edge.get("fromNode")), ""), named.get(str(edge.get("toNode")), "")
        if start and end:
            label = f" ({edge['label']})" if edge.get("label") else ""
            lines.append(f"- {start} → {end}{label}")
    return ["\n".join(lines)] if lines else []
