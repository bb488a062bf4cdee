"""Strangers' words on a terminal, in a log or in a row: what hides, moves the cursor or gives orders is written out.

`one_line` for a name (of a file, a tool, an argument, a page), `visible` for a text of several lines, `printed` for
whole lines of a command's output, where CI systems look for commands of their own; `as_json` for JSON. A document's
text, which is stored and quoted, goes through `without_invisible`.

Imported by: everybody.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any

_ODD = re.compile(r"[^\x20-\x7e\n\t]")
_LINE_ODD = re.compile(r"[^\x20-\x7e]")
# Letters of no width that Unicode calls printable, and the selectors of variants.
_BLANK = re.compile(r"[\u3164\uffa0\u115f\u1160\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_HIDDEN = frozenset({"Cf", "Zl", "Zp", "Zs"})
# `::name …::` at the start of a line (GitHub), `##[name]`, `##vso[name]`, `##teamcity[name]` anywhere in it.
_ORDER = re.compile(r"(?m)(^[ \t]*):(?=:\w)|#(?=#\w*\[)")


def visible(text: str) -> str:
    """Control, bidirectional, zero-width and other invisible characters as their code points; lines stay lines."""
    return _ODD.sub(_shown, text)


def one_line(name: str) -> str:
    """The same for a name, which has no business with line ends and tabs either."""
    return _LINE_ODD.sub(_shown, name)


def printed(text: str) -> str:
    """A command's own lines with what strangers wrote in them: no CI system takes an order from it."""
    return _ORDER.sub(lambda match: (match[1] or "") + _code(match[0][-1]), visible(text))


def as_json(value: object, **how: Any) -> str:
    """JSON that says the same and that a terminal shows letter by letter."""
    text = json.dumps(value, **{"ensure_ascii": False, **how}).replace("##", "\\u0023#")  # `##[…]`, as in `printed`
    return _ODD.sub(lambda match: _as_json(match[0]), text)


def without_invisible(text: str) -> str:
    """Text without the characters that nobody sees: instructions for models are hidden in them."""
    from .invisible import without_invisible as cleaned  # only readers of documents need it

    return cleaned(text)


@lru_cache(maxsize=4096)
def _seen(letter: str) -> bool:
    return letter.isprintable() and unicodedata.category(letter) not in _HIDDEN and not _BLANK.match(letter)


def _shown(match: re.Match[str]) -> str:
    return match[0] if _seen(match[0]) else _code(match[0])


def _code(letter: str) -> str:
    return f"\\u{{{ord(letter):04x}}}"


def _as_json(letter: str) -> str:
    return letter if _seen(letter) else json.dumps(letter)[1:-1]
