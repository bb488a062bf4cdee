"""A page's elements to blocks of Markdown: headings, paragraphs, lists, tables, code, definitions, notes, figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import admonitions, mathml, tables
from .aside import is_aside
from .code_blocks import code_of, fenced
from .inline import Inline
from .nodes import BLOCKS, HEADINGS, TEXT, Node, attributes, plain_text, seen_children

_DEEPEST = 120
_NUMBER = re.compile(r"\d{1,9}")
# A line of a page that begins so would be taken for structure that the page does not have.
_LOOKS_BUILT = re.compile(
    r"^(?=#{1,6}(?:\s|$)|(?:[-*+]|\d{1,9}[.)])\s|`{3}|~{3}|[>|<]|={3,}\s*$|-{3,}\s*$|:{3}|!{3}\s|\?{3}|\{[%{]|\[[^\]]*\]:)",
    re.M,
)
Blocks = list[str]


class PageBlocks:
    """Of one page. Below a certain depth only words are kept: no page is nested so deeply for its readers."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._ways: dict[str, Callable[[Node, int], Blocks]] = {
            **dict.fromkeys(HEADINGS, self._heading),
            **dict.fromkeys(("ul", "ol", "dir"), self._list),
            **dict.fromkeys(("pre", "listing"), self._code),
            "table": self._table,
            "dl": self._definitions,
            "blockquote": self._quotation,
            "figure": self._figure,
            "details": self._details,
            "hr": lambda _node, _depth: [],
            "math": lambda node, _depth: [each for each in [mathml.formula(node)] if each],
        }

    def of(self, node: Node, depth: int = 0, without: Node | None = None) -> Blocks:
        """What stands inside of an element."""
        if depth > _DEEPEST:
            return self._paragraph(plain_text(node))
        found: Blocks = []
        line: list[str] = []
        for child in seen_children(node):
            if without is not None and child.mem_id == without.mem_id:
                continue
            if self._stays_in_line(child):
                line.append(self._inline.part(child, 0))
                continue
            found += self._line(line)
            line = []
            found += self.block(child, depth + 1)
        return found + self._line(line)

    def block(self, node: Node, depth: int) -> Blocks:
        tag = node.tag or ""
        if is_aside(node):
            return []
        if depth > _DEEPEST:
            return self.of(node, depth)
        codes = code_of(node)
        if codes:
            return [code for each in codes if (code := fenced(each))]
        kind = admonitions.kind_of(node)
        if kind:
            return self._admonition(node, kind, depth)
        written = mathml.written_formula(node) if tag == "div" else None
        if written is not None:
            return [written]
        return self._ways.get(tag, self.of)(node, depth)

    def _stays_in_line(self, node: Node) -> bool:
        tag = node.tag or ""
        if tag == TEXT:
            return True
        if tag == "math":
            return attributes(node).get("display", "").lower() != "block"
        return tag not in BLOCKS and node.mem_id not in self._inline.held

    def _line(self, parts: list[str]) -> Blocks:
        return self._paragraph(self._inline.joined(parts)) if parts else []

    def _paragraph(self, text: str) -> Blocks:
        return [_LOOKS_BUILT.sub(r"\\", text)] if text.strip() else []

    def _heading(self, node: Node, _depth: int) -> Blocks:
        words = self._inline.text(node).replace("\n", " ").strip()
        return [f"{'#' * int((node.tag or 'h2')[1])} {words}"] if words else []

    def _code(self, node: Node, _depth: int) -> Blocks:
        return [code for code in [fenced(node)] if code]

    def _table(self, node: Node, depth: int) -> Blocks:
        named = tables.caption(node)
        said = self._paragraph(self._inline.text(named)) if named is not None else []
        if tables.is_layout(node):
            return [*said, *self._cells(node, depth)]
        table = tables.written(node, self._inline.cell)
        return [*said, table] if table else said

    def _cells(self, table: Node, depth: int) -> Blocks:
        """What stands in its cells, one after the other."""
        cells = [cell for row in tables.rows_of(table) for cell in tables.cells_of(row)]
        return [block for cell in cells for block in self.of(cell, depth)]

    def _list(self, node: Node, depth: int) -> Blocks:
        start = attributes(node).get("start", "1").strip()
        number = int(start) if _NUMBER.fullmatch(start) else 1
        items: list[str] = []
        for child in seen_children(node):
            if child.tag != "li":
                items += self._stray(child, depth)
                continue
            stated = attributes(child).get("value", "").strip()
            number = int(stated) if _NUMBER.fullmatch(stated) else number
            marker = f"{number}. " if node.tag == "ol" else "- "
            items += self._item(child, marker, depth)
            number += 1
        return ["\n".join(items)] if items else []

    def _item(self, node: Node, marker: str, depth: int) -> list[str]:
        inside = self.of(node, depth + 1)
        if not inside:
            return []
        text = _together(inside)
        return [marker + _indented(text, " " * len(marker))]

    def _stray(self, node: Node, depth: int) -> list[str]:
        """What stands in a list outside of its items: mostly a list in a list."""
        if node.tag == TEXT:
            return self._paragraph(" ".join((node.text_content or "").split()))
        return [_INDENT + _indented(block, _INDENT) for block in self.block(node, depth + 1)]

    def _definitions(self, node: Node, depth: int) -> Blocks:
        found: Blocks = []
        terms: list[str] = []
        for child in _entries(node):
            if child.tag == "dt":
                terms.append(self._inline.text(child).replace("\n", " ").rstrip(": "))
            elif child.tag == "dd":
                found += _defined([term for term in terms if term], self.of(child, depth + 1))
                terms = []
            else:
                found += self.block(child, depth + 1) if child.tag != TEXT else []
        return found + _defined([term for term in terms if term], [])

    def _quotation(self, node: Node, depth: int) -> Blocks:
        inside = self.of(node, depth + 1)
        if not inside:
            return []
        kind, rest = admonitions.written_kind(inside[0])
        if kind:
            return _labelled(admonitions.label(kind), "", [rest, *inside[1:]] if rest else inside[1:])
        return [_quoted("\n\n".join(inside))]

    def _figure(self, node: Node, depth: int) -> Blocks:
        named = next((child for child in seen_children(node) if child.tag == "figcaption"), None)
        inside = self.of(node, depth, without=named)
        said = self._inline.text(named).replace("\n", " ") if named is not None else ""
        if said and inside and inside[-1].startswith(("![", "[![")):
            return [*inside[:-1], f"{inside[-1]}\n*{said.strip('*')}*"]
        return [*inside, *self._paragraph(said)]

    def _details(self, node: Node, depth: int) -> Blocks:
        named = next((child for child in seen_children(node) if child.tag == "summary"), None)
        said = self._inline.text(named).replace("\n", " ") if named is not None else ""
        inside = self.of(node, depth, without=named)
        return [f"**{said}**", *inside] if said else inside

    def _admonition(self, node: Node, kind: str, depth: int) -> Blocks:
        named = admonitions.title_of(node)
        title = admonitions.said_by_title(plain_text(named), kind) if named is not None else ""
        is_table = node.tag == "table"
        inside = self._cells(node, depth) if is_table else self._without_title(node, named, depth)
        if inside and inside[0].strip("*").casefold().rstrip(":!. ") == kind:
            inside = inside[1:]
        return _labelled(admonitions.label(kind), title, inside)

    def _without_title(self, node: Node, named: Node | None, depth: int) -> Blocks:
        if named is None or named.parent is None or named.parent.mem_id == node.mem_id:
            return self.of(node, depth + 1, without=named)
        rest = self.of(named.parent, depth + 2, without=named)
        return rest + self.of(node, depth + 1, without=named.parent)


_INDENT = "  "


def _entries(node: Node) -> list[Node]:
    """Of a list of definitions; `div` may stand around each."""
    found: list[Node] = []
    for child in seen_children(node):
        found += list(seen_children(child)) if child.tag == "div" else [child]
    return found


def _defined(terms: Sequence[str], inside: Blocks) -> Blocks:
    if not terms:
        return inside
    said = ", ".join(f"**{term.replace('**', '')}**" for term in terms)
    if not inside or inside[0].startswith(("```", "|", "#", "- ", "1. ", "> ", "**")):
        return [f"{said}:" if inside else said, *inside]
    return [f"{said}: {inside[0]}", *inside[1:]]


def _labelled(label: str, title: str, inside: Blocks) -> Blocks:
    first = f"{label} {title}" if title else label
    if not inside:
        return [first] if title else []
    if inside[0].startswith(("```", "|", "#", "- ", "1. ", "> ", "⚠", "\u2139", "💡")):
        return [first, *inside]
    return [f"{first} — {inside[0]}" if title else f"{first} {inside[0]}", *inside[1:]]


def _together(blocks: Blocks) -> str:
    """Blocks of one item: a list below its line, anything else after a blank line."""
    text = blocks[0]
    for block in blocks[1:]:
        text += ("\n" if re.match(r"(?:- |\d{1,9}\. )", block) else "\n\n") + block
    return text


def _indented(text: str, by: str) -> str:
    return re.sub(r"\n(?=[^\n])", "\n" + by, text)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
