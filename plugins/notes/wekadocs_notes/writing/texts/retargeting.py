"""Links of a file written anew: their targets only, at their places; everything around them stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

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


def _in_note(text: str, spell: Spell) -> tuple[str, int]:
    parts: list[str] = []
    end = count = 0
    for link in links_in(text, body_start(text), Code(text)):
        new = spell(link.target) if link.target else None
        if new is not None and new != link.target:
            parts += [text[end : link.target_start], new]
            end = link.target_end
            count += 1
    return "".join([*parts, text[end:]]), count


def _in_canvas(text: str, spell: Spell) -> tuple[str, int]:
    count = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count
        value = json.loads(match[2])
        if '"file"' in match[1]:
            new = spell(value)
            more = int(new is not None and new != value)
        else:
            new, more = _in_note(value, spell)
        count += more
        return match[1] + json.dumps(new, ensure_ascii=not is_text(new or "")) if more else match[0]

    return _CARD.sub(replaced, text), count
