"""What `{{ site.name }}` and `{{ page.name }}` show in a tree of Jekyll, which its _config.yml tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from wekadocs_corpus.documents.front_matter import read_front_matter

from .lines import Lines
from .neighbours import Neighbours

_VALUE = re.compile(r"\{\{-?[ \t]*(site|page)\.([\w.-]{1,200})[ \t]*(?:\|[^{}\n]{0,300})?-?\}\}")
_RAW = re.compile(r"\{%-?[ \t]*(end)?raw[ \t]*-?%\}")
_LARGEST = 60_000  # characters of a file of values


def with_values(lines: Lines, page: Mapping[str, object], neighbours: Neighbours) -> Lines:
    """The lines with values in place of their names; nothing stands for one that nobody gave, as on the site."""
    config = neighbours.above("_config.yml") if any("{{" in words or "{%" in words for words, _ in lines) else None
    if not config:
        return lines
    raw = False
    out: Lines = []
    for words, number in lines:
        parts, at = "", 0
        for found in [*_RAW.finditer(words), None]:
            piece = words[at : found.start() if found else len(words)]
            parts += piece if raw else _shown(piece, page, config[1], neighbours)
            if found:
                raw, at = not found[1], found.end()
        if parts.strip() or not _RAW.fullmatch(words.strip()):
            out.append((parts, number))
    return out


def _shown(words: str, page: Mapping[str, object], config: str, neighbours: Neighbours) -> str:
    def value(found: re.Match[str]) -> str:
        names = found[2].split(".")
        if found[1] == "page":
            return _told(page, names)
        if names[0] != "data":
            return _told(_values(config), names)
        file = neighbours.above(f"_data/{names[1]}.yml") if len(names) > 2 else None
        return _told(_values(file[1]), names[2:]) if file else ""

    return _VALUE.sub(value, words) if "{{" in words else words


def _told(values: object, names: list[str]) -> str:
    for name in names:
        values = values.get(name) if isinstance(values, Mapping) else None
    return str(values) if isinstance(values, str | int | float) and not isinstance(values, bool) else ""


@lru_cache(maxsize=64)
def _values(text: str) -> Mapping[str, object]:
    return read_front_matter(f"---\n{text[:_LARGEST]}\n---\n").values
