"""Links of Markdown that name their address elsewhere (`[text][name]`, `[name]: address`), as links in their place."""

from __future__ import annotations

import re
from collections.abc import Callable

_WORDS = r"(?:[^\[\]\\]|\\.)"
_FENCED = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_NAMED = re.compile(
    rf"^ {{0,3}}\[(?!\^)({_WORDS}{{1,300}})\]:[ \t]*\n?[ \t]*<?([^\s<>]{{1,2000}})>?"
    r"(?:[ \t]+(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?[ \t]*(?:\n|\Z)",
    re.M,
)
_NAMING = re.compile(rf"(?<!\\)\[({_WORDS}{{1,500}})\](?:\[({_WORDS}{{0,300}})\])?(?![(\[:])")


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """What stands between fences is left as it is."""
    parts, start = [], 0
    for code in _FENCED.finditer(markdown):
        parts += [change(markdown[start : code.start()]), code[0]]
        start = code.end()
    return "".join([*parts, change(markdown[start:])])


def in_their_place(markdown: str) -> str:
    addresses: dict[str, str] = {}

    def take_out(text: str) -> str:
        for found in _NAMED.finditer(text):
            addresses.setdefault(_name(found[1]), found[2])
        return _NAMED.sub("", text)

    def put(found: re.Match[str]) -> str:
        address = addresses.get(_name(found[2] or found[1]))
        return f"[{found[1]}]({address})" if address else found[0]

    rest = outside_code(markdown, take_out)
    return outside_code(rest, lambda text: _NAMING.sub(put, text)) if addresses else markdown


def _name(words: str) -> str:
    return " ".join(words.split()).casefold()
