"""One page: what antora.yml says of all, then preprocessing (includes, conditions), then its blocks."""

from __future__ import annotations

import re
from functools import lru_cache

from wekadocs_corpus.documents.conversion.lines import Converted, converted
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.front_matter import read_front_matter

from .attributes import Attributes
from .blocks import Blocks
from .preprocessing import Preprocessing

_TITLE = re.compile(r"^=[ \t]+(\S[^\n]*)", re.M)


def convert_asciidoc(text: str, neighbours: Neighbours) -> Converted:
    """The page as Markdown, includes resolved."""
    antora = neighbours.above("antora.yml") or neighbours.above("_attributes.yml")
    attributes = Attributes(dict(_stated(antora[1])) if antora else {})
    if title := _TITLE.search(text):
        attributes.set("doctitle", title[1].strip())
    lines = Preprocessing(neighbours, attributes).read(text)
    blocks = Blocks(attributes)
    page = converted(blocks.read(lines, top=True))
    headings = [number for number, line in enumerate(page.text.split("\n")) if line.startswith("#")]
    page.anchors = {
        line: anchor for line, anchor in zip(_headings(page.text, headings), blocks.anchors, strict=False) if anchor
    }
    return page


def _headings(text: str, candidates: list[int]) -> list[int]:
    """Those of the lines that begin with # outside of code."""
    lines, fence, found = text.split("\n"), "", set[int]()
    for number, line in enumerate(lines):
        if line.startswith("```"):
            fence = "" if fence and line.strip() == fence else fence or line[: len(line) - len(line.lstrip("`"))]
        elif not fence and line.startswith("#"):
            found.add(number)
    return [number for number in candidates if number in found]


@lru_cache(maxsize=16)
def _stated(antora: str) -> tuple[tuple[str, str], ...]:
    """The attributes that a component gives to all its pages."""
    values, _ = read_front_matter(f"---\n{antora[:60_000]}\n---\n")
    inside = values.get("asciidoc")
    found = inside.get("attributes") if isinstance(inside, dict) else None
    stated = found if isinstance(found, dict) else {}
    return tuple(
        (str(name).lower(), str(value).rstrip("@")) for name, value in stated.items() if not isinstance(value, dict)
    )
