"""What a newer schema generator writes by itself: it says nothing that a caller could have meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wekadocs_contracts.diff.model import Change, Direction

from .keywords import ABSENT, KeywordChange, same

_LARGEST = 2**53 - 1  # of what JavaScript counts exactly; zod writes it beside every integer
TITLES = "titles that are made of names came, went or changed"
_NAMED = (("properties",), ("$defs",), ("definitions",))  # what follows is a name
_OF_ARGUMENTS = re.compile(r"\w+(Arguments|Args|Input|Params|Output|Response|Result|DictOutput)")
_BOUNDS = {"maximum": _LARGEST, "minimum": -_LARGEST}


def as_arguments(old: object, new: object) -> tuple[Any, Any]:
    """Arguments are an object, whether or not the root of their schema says so."""
    if not isinstance(old, dict) or not isinstance(new, dict) or "type" in old:
        return old, new
    return {"type": "object", **old}, {"type": "object", **new}


def without_safe_integers(old: object, new: object, direction: Direction) -> tuple[Any, Any, list[Change]]:
    """Both schemas without the bounds that every exact integer keeps to, and a row where only one had them."""
    mine, theirs = _stripped(old), _stripped(new)
    if same(mine, old) == same(theirs, new):
        return old, new, []
    kept = "no longer" if same(theirs, new) else "now"
    message = f"integers are {kept} kept within what JavaScript counts exactly (±9007199254740991)"
    place = "/inputSchema" if direction == "input" else "/outputSchema"
    row = Change("", direction, "docs", "safe-integer-bound", place, message=message)
    return mine, theirs, [row]


def is_generated_title(finding: KeywordChange) -> bool:
    """Pydantic names a property `top_k` "Top K", and arguments "searchArguments": nobody wrote that."""
    titles = [each for each in (finding.before, finding.after) if each is not ABSENT]
    if finding.rule != "title-changed" or not all(isinstance(each, str) for each in titles):
        return False
    holder = finding.pointer[:-1]
    if not holder:
        return all(_OF_ARGUMENTS.fullmatch(each) for each in titles)
    return holder[-2:-1] in _NAMED and _say(str(holder[-1]), titles)


def titled(row: Change, *names: str) -> Change:
    """The title of a tool: one that only says its name ("Create Directory") is known noise too."""
    titles = [each for each in (row.before, row.after) if isinstance(each, str)]
    if row.rule != "title-changed" or not all(_say(name, titles) for name in names):
        return row
    return replace(row, rule="generated-title", tags=(), cause=TITLES)


def _say(name: str, titles: list[str]) -> bool:
    return all(_letters(each) == _letters(name) for each in titles)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _stripped(node: object) -> Any:
    if isinstance(node, list):
        return [_stripped(each) for each in node]
    if not isinstance(node, dict):
        return node
    return dict(_kept(node))


def _kept(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, each in node.items():
        if node.get("type") == "integer" and key in _BOUNDS and each == _BOUNDS[key]:
            continue
        yield key, each if key in ("enum", "const", "default", "examples") else _stripped(each)
