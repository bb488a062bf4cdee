"""YAML above a note: bounded, never executed, its place kept so that it can be changed without touching the rest."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from .characters import as_text
from .yaml_values import yaml_loader

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\Z)", re.M)
# What may be nested deep or used twice: braces, lists in lists, deep indentation. Most front matter has none of it.
_NESTED = re.compile(r"[&*?{]|\[[^\]]*\[|- +-|^ {9}", re.M)
# A name with its value, or the attempt at one: what has none between two rules is text that lies between two rules.
_NAMED = re.compile(r"""^[ \t]*(?:[{?]|[\w"'-]+:(?!//)|[^\s#][^\n]*?:(?:[ \t\r]|$))""", re.M)
_TEXT = re.compile(r"\A(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?!-[ \t])[^\s#]")  # below comments, and no list
_LARGEST, _DEEPEST, _MOST_EVENTS = 65_536, 16, 10_000
_LARGEST_NUMBER = 1024  # bits; Python writes out no number of many thousand digits


class BadFrontMatter(ValueError):
    """It cannot be read; the message says why in a few words."""


@dataclass(frozen=True)
class FrontMatter:
    values: dict[str, Any] = field(default_factory=dict)
    start: int = 0  # of the YAML itself
    end: int = 0
    body_start: int = 0
    fault: str = ""


def read_front_matter(text: str) -> FrontMatter:
    """What cannot be understood is a fault, and the text below it is read all the same."""
    start, end, body_start = _bounds(text)
    values, fault = _read(text[start:end]) if end else ({}, "")
    return FrontMatter(values, start, end, body_start, fault)


def body_start(text: str) -> int:
    """Without reading what stands above."""
    return _bounds(text)[2]


def _bounds(text: str) -> tuple[int, int, int]:
    """Where the YAML begins and ends, and what is below it begins."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end(), opening.end() + _LARGEST) if opening else None
    if opening is None or closing is None or _is_prose(text[opening.end() : closing.start()]):
        return 0, 0, 1 if text.startswith("\ufeff") else 0
    return opening.end(), closing.start(), closing.end()


def _is_prose(inside: str) -> bool:
    return _TEXT.search(inside) is not None and _NAMED.search(inside) is None


def _read(inside: str) -> tuple[dict[str, Any], str]:
    try:
        return _plain_dict(_load(inside)), ""
    except BadFrontMatter as error:
        return {}, str(error)
    except Exception as error:  # whatever a sloppy or hostile file makes the parser raise
        problem = str(getattr(error, "problem", None) or type(error).__name__)
        mark = getattr(error, "problem_mark", None)
        return {}, f"{problem} (line {mark.line + 2})" if mark else problem


def _load(inside: str) -> object:
    import yaml

    loader = yaml_loader()
    if not _NESTED.search(inside):
        return yaml.load(inside, Loader=loader)  # noqa: S506 (it is the safe loader, in C where there is one)
    depth = 0
    # Looked through before anything is built: deep nesting would overflow the C stack, aliases would multiply.
    for count, event in enumerate(yaml.parse(inside, Loader=loader)):
        if isinstance(event, yaml.AliasEvent):
            raise BadFrontMatter("aliases are not read")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST or count > _MOST_EVENTS:
            raise BadFrontMatter("too much, or nested too deep")
    return yaml.load(inside, Loader=loader)  # noqa: S506


def _plain_dict(loaded: object) -> dict[str, Any]:
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise BadFrontMatter("it is no list of names and values")
    return {as_text(str(name)): _plain(value) for name, value in loaded.items()}


def _plain(value: object) -> object:
    """As JSON has it."""
    if isinstance(value, dict):
        return {as_text(str(name)): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and value.bit_length() > _LARGEST_NUMBER:
        return hex(value)
    return value if value is None or isinstance(value, int | float) else as_text(str(value))
