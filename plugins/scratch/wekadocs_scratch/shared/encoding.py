"""A passage as the store holds it: everything but its text and its owner, as JSON; and back, if that is what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields

from wekadocs_kit import Kept, Owner

_ELSEWHERE = ("passage_id", "owner", "text")
_LATEST = 4e9  # seconds: moments behind it are no dates
_NUMBERS = {"start", "size_bytes", "length"}
_OPTIONAL = {"anchor", "source_lines"}


def encoded(entry: Kept) -> bytes:
    held = {each.name: getattr(entry, each.name) for each in fields(Kept) if each.name not in _ELSEWHERE}
    return json.dumps(held, ensure_ascii=False).encode("utf-8", "surrogatepass")


def decoded(body: bytes, passage_id: str, owner: Owner, text: str | None) -> Kept | None:
    """None for what is no passage."""
    try:
        held = json.loads(body.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    if not isinstance(held, dict) or not _fits(held):
        return None
    held["span"], held["other_tags"] = tuple(held["span"]), tuple(held["other_tags"])
    held["parts"] = tuple((start, anchor) for start, anchor in held["parts"])
    return Kept(passage_id=passage_id, owner=owner, text=text, **held)


def _fits(held: Mapping[str, object]) -> bool:
    names = {each.name for each in fields(Kept)} - set(_ELSEWHERE)
    return held.keys() == names and all(_is_right(name, value) for name, value in held.items())


def _is_right(name: str, value: object) -> bool:
    if name in _NUMBERS:
        return _is_place(value)
    if name == "opening":
        return isinstance(value, bool)
    if name == "created_at":
        return isinstance(value, int | float) and 0 <= value < _LATEST
    if name == "span":
        return isinstance(value, list) and len(value) == 2 and all(map(_is_place, value))
    if name == "other_tags":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if name == "parts":
        return isinstance(value, list) and all(map(_is_part, value))
    return isinstance(value, str) or (value is None and name in _OPTIONAL)


def _is_place(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_part(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_place(value[0]) and isinstance(value[1], str)
