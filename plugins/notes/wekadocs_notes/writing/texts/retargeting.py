"""Links of a file written anew: their targets only, at their places; everything around them stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ...vault import Unreadable
from ...vault.canvas import canvas_text
from ...vault.characters import is_text
from ...vault.code import Code
from ...vault.front_matter import body_start
from ...vault.links import links_in
from ...vault.reading import decoded
from ...vault.walking import CANVASES
from .lines import encoded

Spell = Callable[[str], str | None]  # a target as it is to be; None where it may stay
# In a canvas: the file of a card, or the text on it.
_CARD = re.compile(r'("(?:file|text)"\s*:\s*)("(?:[^"\\]|\\.)*")')

_HALVES = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # of one character
_LETTER = re.compile(rf"{_HALVES}|\\u[0-9a-fA-F]{{4}}|\\.|[^\\]", re.S)


def retargeted(id: str, data: bytes, spell: Spell) -> tuple[bytes, int]:
    """The bytes with their links changed, and how many were. Raises Unreadable for what is no text."""
    text = decoded(data)
    changed, count = _in_canvas(text, spell) if _is_canvas(id, text) else _in_note(text, spell)
    return (encoded(changed, data), count) if count else (data, 0)


def with_targets(id: str, data: bytes, targets: dict[str, str]) -> bytes:
    """The same by a list of targets, for a text that nobody has looked at before; what is no text stays."""
    try:
        return retargeted(id, data, targets.get)[0]
    except Unreadable:
        return data


def _is_canvas(id: str, text: str) -> bool:
    """What is no canvas is read as text, whatever it is called."""
    return id.lower().endswith(CANVASES) and canvas_text(text) != text


class _Change(NamedTuple):
    start: int
    end: int
    new: str


def _in_note(text: str, spell: Spell) -> tuple[str, int]:
    changes = list(_changes(text, spell))
    return _changed(text, changes), len(changes)


def _changes(text: str, spell: Spell) -> Iterator[_Change]:
    for link in links_in(text, body_start(text), Code(text)):
        new = spell(link.target) if link.target else None
        if new is not None and new != link.target:
            yield _Change(link.target_start, link.target_end, new)


def _changed(text: str, changes: Sequence[_Change]) -> str:
    parts, end = [], 0
    for each in changes:
        parts += [text[end : each.start], each.new]
        end = each.end
    return "".join([*parts, text[end:]])


def _in_canvas(text: str, spell: Spell) -> tuple[str, int]:
    count = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count
        value = json.loads(match[2])
        if '"file"' in match[1]:
            new = spell(value)
            changes = [_Change(0, len(value), new)] if new is not None and new != value else []
        else:
            changes = list(_changes(value, spell))
        count += len(changes)
        return match[1] + _as_written(match[2], changes) if changes else match[0]

    return _CARD.sub(replaced, text), count


def _as_written(quoted: str, changes: Sequence[_Change]) -> str:
    """Changes of what a JSON string says, made in the string: whatever else it escapes stays escaped."""
    places = [letter.start() for letter in _LETTER.finditer(quoted, 1, len(quoted) - 1)] + [len(quoted) - 1]
    written = [json.dumps(each.new, ensure_ascii=not is_text(each.new))[1:-1] for each in changes]
    moved = [_Change(places[each.start], places[each.end], new) for each, new in zip(changes, written, strict=True)]
    return _changed(quoted, moved)
