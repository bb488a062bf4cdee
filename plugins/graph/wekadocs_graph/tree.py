"""A node with what hangs on it, for a person: its parts, links, and what it speaks of or is spoken of in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wekadocs_corpus import Corpus, Direction, Node, Row, Scope, projection

_EACH = 12  # of one kind; the tools page through all
_PLACES = ("Document", "Section", "Chunk")
_SIDES: tuple[tuple[str, str, Direction], ...] = (
    ("links to", "REFERENCES", "out"),
    ("linked from", "REFERENCES", "in"),
    ("has options", "HAS_PARAMETER", "out"),
    ("option of", "HAS_PARAMETER", "in"),
)


async def tree(corpus: Corpus, scope: Scope, node: Node, depth: int) -> Row:
    """The node as a row; whatever it has none of is left out."""
    above = (await corpus.graph.parents([node.id], scope)).get(node.id)
    row: Row = {**projection(node), "path": node.path or None}
    if above:
        row["part of"] = projection(above)
    row |= await _hanging(corpus, scope, node)
    row["parts"] = await _parts(corpus, scope, node, depth)
    return {name: value for name, value in row.items() if value not in ([], None, "")}


async def _parts(corpus: Corpus, scope: Scope, node: Node, depth: int) -> list[Row]:
    """Sections and steps in order; a passage is not told apart from its section."""
    if depth < 1 or node.label == "Chunk":
        return []
    below = await corpus.graph.children(node.id, scope, limit=100)
    rows = []
    for each in below.nodes:
        if each.label != "Chunk":
            row = {**projection(each), **await _hanging(corpus, scope, each)} if depth > 1 else projection(each)
            rows.append(row | {"parts": await _parts(corpus, scope, each, depth - 1)})
    return rows


async def _hanging(corpus: Corpus, scope: Scope, node: Node) -> Row:
    row: Row = {}
    for name, kind, direction in _SIDES:
        around = await corpus.graph.neighbours([node.id], scope, types=[kind], direction=direction, limit=_EACH)
        row[name] = [projection(each) for each in around.nodes]
    if node.label in _PLACES:
        spoken = await corpus.graph.entities_for_sections([node.id], scope, limit_each=2 * _EACH)
        ends = [(each.type, each.entity, each.weight) for each in spoken]
        names = {"DEFINES": "defines", "MENTIONS": "names"}
    else:
        found = await corpus.graph.sections_for_entities([node.id], scope, limit_each=2 * _EACH)
        ends = [(each.type, each.node, each.weight) for each in found]
        names = {"DEFINES": "defined in", "MENTIONS": "named in"}
    for kind, name in names.items():
        row[name] = [projection(each) | {"count": int(count)} for type_, each, count in ends if type_ == kind][:_EACH]
    return {name: value for name, value in row.items() if value}


def drawn(row: Mapping[str, object]) -> Iterator[str]:
    """The row as lines of a tree."""
    yield _named(row) + (f"  {row['path']}" if row.get("path") else "")
    yield from _branches(row, "")


def _branches(row: Mapping[str, Any], before: str) -> Iterator[str]:
    sides = [(name, row[name]) for name in row if isinstance(row[name], list) and name != "parts" and row[name]]
    twigs = [f"{name}: {', '.join(map(_short, found))}" for name, found in sides]
    if "part of" in row:
        twigs.insert(0, f"part of: {_named(row['part of'])}")
    parts = row.get("parts", [])
    for number, twig in enumerate(twigs, 1):
        yield f"{before}{'└─' if number == len(twigs) and not parts else '├─'} {twig}"
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield f"{before}{'└─' if last else '├─'} {_named(part)}"
        yield from _branches(part, f"{before}{'   ' if last else '│  '}")


def _named(row: Mapping[str, object]) -> str:
    anchor = f" #{row['anchor']}" if row.get("anchor") else ""
    return f"{row['label']} {row.get('title') or '(no title)'}{anchor} [{row['id']}]"


def _short(row: Mapping[str, Any]) -> str:
    often = f", {row['count']} times" if row.get("count", 1) > 1 else ""
    return f"{row.get('title') or '(no title)'} ({row['label']}{often})"
