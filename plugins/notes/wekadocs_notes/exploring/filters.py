"""Which notes are meant: by folder, tag, title, links, and by what their front matter says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import invalid
from ..reading.tagged import has_tags
from ..vault import Known, Vault
from ..vault.model import name_key
from ..vault.tags import wanted_key

_NEED_NO_VALUE = ("exists", "missing")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?", re.A)


@dataclass(frozen=True)
class Wanted:
    """All of it must hold."""

    tag: str | None = None
    path: str | None = None
    title: str | None = None
    where: Sequence[Mapping[str, Any]] = ()

    def check(self) -> None:
        for place, each in enumerate(self.where):
            if each["op"] not in _NEED_NO_VALUE and "value" not in each:
                raise invalid(f"where[{place}]: {each['op']} needs a value.", path=f"/where/{place}")

    def holds(self, note: Known) -> bool:
        tags = [wanted_key(self.tag)] if self.tag else []
        return (
            name_key(note.id).startswith(name_key(self.path or ""))
            and name_key(self.title or "") in name_key(note.title)
            and has_tags(note, tags, "all")
            and all(_holds(_said(note, each["property"]), each["op"], each.get("value")) for each in self.where)
        )

    @property
    def is_for_notes(self) -> bool:
        """Whether no ghost can be meant: they have neither folder, tags nor front matter."""
        return bool(self.tag or self.path or self.where)


def _said(note: Known, name: str) -> object:
    """What a note says of itself under a name, in any case; nested ones by dots."""
    own: dict[str, object] = {"title": note.title, "tags": list(note.tags), "aliases": list(note.aliases)}
    return _under({**note.properties, **own}, name_key(name))


def _under(value: object, name: str) -> object:
    """A name may have dots of its own: the longest is the nearest."""
    if not isinstance(value, dict):
        return None
    own = {name_key(str(key)): each for key, each in reversed(value.items())}
    if name in own:
        return own[name]
    parts = name.split(".")
    heads = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
    head = next((each for each in heads if each in own), None)
    return _under(own[head], name[len(head) + 1 :]) if head is not None else None


def _holds(said: object, op: str, value: object) -> bool:
    if op in _NEED_NO_VALUE:
        return (said is None) == (op == "missing")
    if op == "ne":
        return not _holds(said, "eq", value)
    if isinstance(said, list) and op != "contains":
        return any(_holds(each, op, value) for each in said)
    if op == "eq":
        return _plain(said) == _plain(value)
    if op == "contains":
        parts = said if isinstance(said, list) else [said]
        return any(_text(value) in _text(each) for each in parts if each is not None)
    return _compared(said, op, value)


def _compared(said: object, op: str, value: object) -> bool:
    """Numbers as numbers, everything else as text: so dates that are written year first are in order."""
    if said is None or isinstance(said, dict):
        return False
    one: Any = _plain(said)
    other: Any = _plain(value)
    if isinstance(one, str) or isinstance(other, str):
        one, other = _text(said), _text(value)
    return bool({"lt": one < other, "le": one <= other, "gt": one > other, "ge": one >= other}[op])


def _plain(value: object) -> object:
    """What two ways to write a value share: quotes around a number or a truth do not count."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value)
    return _text(value) if isinstance(value, str | bool) else value


def _text(value: object) -> str:
    return name_key(str(value))


def is_orphan(vault: Vault, id: str) -> bool:
    """Nothing links to it and it links to nothing; a link to itself does not count."""
    ends = {*vault.outgoing.get(id, ()), *vault.incoming.get(id, ())}
    return not ends - {id}
