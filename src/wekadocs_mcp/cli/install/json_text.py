"""A JSON file, perhaps with comments and trailing commas, changed in one place; every other character stays."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SKIPPED = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_OTHER = re.compile(r"[-+.\w]+")


@dataclass
class _Value:
    start: int
    end: int
    data: Any
    members: dict[str, _Member] = field(default_factory=dict)


@dataclass
class _Member:
    start: int  # of its key
    value: _Value


def parsed(text: str) -> Any:
    return _read(text).data


def snippet(place: str, name: str, entry: dict[str, object]) -> str:
    return _dumped({place: {name: entry}}, "  ")


def with_entry(text: str, place: str, name: str, entry: dict[str, object]) -> str:
    """`name` under `place` says what `entry` says; what else stands in it stays."""
    if not text.strip():
        return snippet(place, name, entry) + "\n"
    servers = _read(text).members.get(place)
    if servers is None:
        return _added(text, [], place, {name: entry})
    if name not in servers.value.members:
        return _added(text, [place], name, entry)
    for key, value in entry.items():
        text = _put(text, [place, name], key, value)
    return text


def without(text: str, place: str, name: str) -> str:
    """Its member with the comma that divides it from its neighbours."""
    members = _read(text).members[place].value.members
    member = members[name]
    after = _after(text, member.value.end)
    if text[after] == ",":
        return text[: member.start].rstrip(" \t") + re.sub(r"^[ \t]*\r?\n?", "", text[after + 1 :])
    before = [each for each in members.values() if each.start < member.start]
    if not before:
        return _joined(text[: member.start], text[member.value.end :])
    last = before[-1].value.end
    comma = _after(text, last)
    return _joined(text[:comma] + text[comma + 1 : member.start], text[member.value.end :])


def _joined(before: str, after: str) -> str:
    """Without the blanks between them, but for the line end that a comment needs."""
    kept = before.rstrip()
    after = after if "\n" in after[: len(after) - len(after.lstrip())] else after.lstrip()
    ended = "\n" if "//" in kept[kept.rfind("\n") + 1 :] and not after.lstrip(" \t\r").startswith("\n") else ""
    return kept + ended + after


def _put(text: str, path: list[str], key: str, value: object) -> str:
    within = _at(text, path)
    member = within.members.get(key)
    if member is None:
        return _added(text, path, key, value)
    if member.value.data == value:
        return text
    indent = _indent(text, member.start)
    return text[: member.value.start] + _dumped(value, _unit(text), indent) + text[member.value.end :]


def _added(text: str, path: list[str], key: str, value: object) -> str:
    """As the last member, on a line of its own where the others have theirs."""
    within = _at(text, path)
    unit, newline = _unit(text), "\r\n" if "\r\n" in text else "\n"
    members = list(within.members.values())
    outer = _indent(text, within.start)
    if members:
        indent = _indent(text, members[-1].start)
        at = members[-1].value.end
        comma = _after(text, at)
        trailing = text[comma] == ","
        at = comma + 1 if trailing else at
        new = f"{newline}{indent}{json.dumps(key)}: {_dumped(value, unit, indent, newline)}{',' * trailing}"
        return text[:at] + "," * (not trailing) + _rest_of_line(text, at, new)
    indent = outer + unit
    new = f"{newline}{indent}{json.dumps(key)}: {_dumped(value, unit, indent, newline)}"
    inside = text[within.start + 1 : within.end - 1].rstrip()
    return text[: within.start + 1] + inside + new + f"{newline}{outer}" + text[within.end - 1 :]


def _rest_of_line(text: str, at: int, new: str) -> str:
    """A comment behind the member before stays behind it."""
    found = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/)").match(text, at)
    end = found.end() if found else at
    return text[at:end] + new + text[end:]


def _at(text: str, path: list[str]) -> _Value:
    found = _read(text)
    for key in path:
        found = found.members[key].value
    if not isinstance(found.data, dict):
        raise ValueError(f"`{'.'.join(path) or 'the file'}` is no object")
    return found


def _dumped(value: object, unit: str, indent: str = "", newline: str = "\n") -> str:
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict):
        return short
    rows = [
        f"{indent}{unit}{json.dumps(key)}: {_dumped(each, unit, indent + unit, newline)}" for key, each in value.items()
    ]
    return "{" + newline + f",{newline}".join(rows) + newline + indent + "}"


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\"", text, re.MULTILINE)
    return found[1] if found else "  "


def _after(text: str, at: int) -> int:
    """The next character that is neither blank nor comment."""
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def _read(text: str) -> _Value:
    value = _value(text, _after(text, 0))
    if _after(text, value.end) != len(text):
        raise ValueError("something stands after its end")
    if not isinstance(value.data, dict):
        raise ValueError("it is no object")
    return value


def _value(text: str, at: int) -> _Value:
    if text[at : at + 1] == "{":
        return _object(text, at)
    if text[at : at + 1] == "[":
        return _list(text, at)
    found = (_STRING if text[at : at + 1] == '"' else _OTHER).match(text, at)
    if found is None:
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1} is no JSON")
    return _Value(at, found.end(), json.loads(found[0]))


def _object(text: str, start: int) -> _Value:
    members: dict[str, _Member] = {}
    at = _after(text, start + 1)
    while text[at : at + 1] != "}":
        key = _value(text, at)
        colon = _after(text, key.end)
        if not isinstance(key.data, str) or text[colon : colon + 1] != ":" or key.data in members:
            raise ValueError(f"line {text.count(chr(10), 0, at) + 1} is no member of an object, or is there twice")
        value = _value(text, _after(text, colon + 1))
        members[key.data] = _Member(at, value)
        at = _next(text, value.end, "}")
    return _Value(start, at + 1, {key: each.value.data for key, each in members.items()}, members)


def _list(text: str, start: int) -> _Value:
    items: list[Any] = []
    at = _after(text, start + 1)
    while text[at : at + 1] != "]":
        value = _value(text, at)
        items.append(value.data)
        at = _next(text, value.end, "]")
    return _Value(start, at + 1, items)


def _next(text: str, end: int, closing: str) -> int:
    at = _after(text, end)
    if text[at : at + 1] == ",":
        return _after(text, at + 1)
    if text[at : at + 1] != closing:
        raise ValueError(f"line {text.count(chr(10), 0, at) + 1}: a comma or {closing} is missing")
    return at
