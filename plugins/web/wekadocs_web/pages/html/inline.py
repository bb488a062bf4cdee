"""What stands in a line: words, code, emphasis, links with their addresses, pictures, formulas."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wekadocs_web.pages.addresses import absolute

from . import mathml, tables
from .nodes import BLOCKS, SPACE, TEXT, Attributes, Node, attributes, plain_text, seen_children

_DEEPEST = 60
_CODE = frozenset(("code", "kbd", "samp", "tt", "var", "pre"))
_LISTS = frozenset(("ul", "ol"))
_TABLE = 8  # how much deeper the inside of a table in a cell is
_STRONG, _STRESSED = frozenset(("b", "strong")), frozenset(("em", "i"))
_PERMALINK = frozenset(("", "¶", "#", "🔗", "§", "\uf0c1", "[edit]", "[source]", "link"))
_FALLBACK = ("mwe-math", "math-fallback")  # pictures of a formula that stands beside them


@dataclass
class Inline:
    """Reads lines of one page; `held` are the inline elements that have blocks inside."""

    base: str
    page: str  # address without fragment
    held: set[int] = field(default_factory=set)

    def text(self, node: Node, depth: int = 0) -> str:
        """All that stands in an element, as one line."""
        return self.joined([self.part(child, depth) for child in seen_children(node)])

    def joined(self, parts: list[str]) -> str:
        """Parts of a line, white space evened out; what `br` broke stays broken."""
        lines = "".join(parts).split("\n")
        return "\n".join(bare for line in lines if (bare := SPACE.sub(" ", line).strip()))

    def part(self, node: Node, depth: int) -> str:
        tag = node.tag or ""
        if tag == TEXT:
            return SPACE.sub(" ", node.text_content or "")
        if depth > _DEEPEST:
            return plain_text(node)
        if tag == "br":
            return "\n"
        if tag in ("img", "picture", "input"):
            return self._small(node, tag)
        if tag == "math":
            return mathml.formula(node)
        if tag == "table":
            return f" {tables.flat(node, lambda each: self.cell(each, depth + _TABLE))} "
        return self._around(node, tag, depth + 1)

    def cell(self, node: Node, depth: int = 0) -> str:
        """A cell's content in one line."""
        return self.text(node, depth).replace("\n", " ")

    def _small(self, node: Node, tag: str) -> str:
        if tag == "input":
            its = attributes(node)
            return ("[x] " if "checked" in its else "[ ] ") if its.get("type") == "checkbox" else ""
        image = node if tag == "img" else next((each for each in seen_children(node) if each.tag == "img"), None)
        return self.image(image) if image is not None else ""

    def image(self, node: Node) -> str:
        """`![alt](address)`; what has no address of its own, or only a formula's, is left out."""
        its = attributes(node)
        if any(mark in its.get("class", "") for mark in _FALLBACK):
            return ""
        target = self._source(its)
        alt = SPACE.sub(" ", its.get("alt", "") or its.get("title", ""))[:300].strip()
        alt = alt.replace("[", "(").replace("]", ")")
        return f"![{alt}]({target})" if target else alt

    def _source(self, its: Attributes) -> str:
        given = [its.get(name, "").strip() for name in ("src", "data-src", "data-original")]
        given += [its.get(name, "").partition(",")[0].strip().partition(" ")[0] for name in ("srcset", "data-srcset")]
        return next((found for each in given if each and (found := absolute(self.base, each))), "")

    def _around(self, node: Node, tag: str, depth: int) -> str:
        written = mathml.written_formula(node) if tag in ("span", "div") else None
        if written is not None:
            return written
        if tag in _LISTS:
            return f" {self._items(node, depth)} "
        words = "".join(self.part(child, depth) for child in seen_children(node))
        if tag in _CODE:
            return _code(words)
        if tag == "a":
            return self._link(words, attributes(node))
        if tag in _STRONG or tag in _STRESSED:
            return _stressed(words, "**" if tag in _STRONG else "*")
        if tag == "q":
            return f"“{words.strip()}”"
        if tag == "sup" and words.strip().isalnum() and len(words.strip()) < 5:
            return f"^{words.strip()}"
        return f" {words} " if tag in BLOCKS else words

    def _items(self, node: Node, depth: int) -> str:
        """A list inside of a line."""
        items = (self.joined([self.part(child, depth)]) for child in seen_children(node))
        return "; ".join(filter(None, items))

    def _link(self, words: str, its: Attributes) -> str:
        bare = words.strip()
        if bare.casefold() in _PERMALINK and not bare.startswith("!["):
            return ""
        target = absolute(self.base, its.get("href", "")) if "href" in its else ""
        if not target or its.get("href", "").strip().startswith("#") or ("](" in bare and not bare.startswith("![")):
            return words
        if target.partition("#")[0] == self.page and "#" in target:
            return words
        front, back = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
        label = re.sub(r"(?<!\\)([\[\]])(?!\()", r"\\\1", bare) if not bare.startswith("![") else bare
        return f"{front}[{SPACE.sub(' ', label)}]({target}){back}"


def _code(words: str) -> str:
    bare = SPACE.sub(" ", words).strip()
    if not bare:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall("`+", bare)), default=0) + 1)
    room = " " if bare.startswith("`") or bare.endswith("`") else ""
    front, back = " " * words[:1].isspace(), " " * words[-1:].isspace()
    return f"{front}{ticks}{room}{bare}{room}{ticks}{back}"


def _stressed(words: str, mark: str) -> str:
    bare = words.strip()
    if not bare or "\n" in bare or bare.startswith(("*", "!", "$$")) or not any(map(str.isalnum, bare)):
        return words
    front, back = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return f"{front}{mark}{bare}{mark}{back}"
