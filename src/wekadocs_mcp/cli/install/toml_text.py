"""A TOML file changed in one table; every other line stays."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

_HEADER = re.compile(r"^[ \t]*\[")


def parsed(text: str) -> Any:
    return tomllib.loads(text)


def snippet(place: str, name: str, entry: dict[str, object]) -> str:
    return "\n".join([f"[{place}.{name}]", *(_assigned(key, value) for key, value in entry.items())])


def with_entry(text: str, place: str, name: str, entry: dict[str, object]) -> str:
    if name not in parsed(text).get(place, {}):
        gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
        return text + gap + snippet(place, name, entry) + "\n"
    lines = text.splitlines(keepends=True)
    start, end = _table(lines, place, name)
    for key, value in entry.items():
        first, last = _assignment(lines, start + 1, end, key)
        lines[first:last] = [_assigned(key, value) + "\n"]
        end += 1 - (last - first)
    return "".join(lines)


def without(text: str, place: str, name: str) -> str:
    """Its table and the tables in it; comments before the next table are that one's."""
    lines = text.splitlines(keepends=True)
    while (found := _headed(lines, place, name, inner=True)) is not None:
        del lines[found : _end(lines, found)]
        while found and not lines[found - 1].strip() and not "".join(lines[found : found + 1]).strip():
            del lines[found - 1]
            found -= 1
    return "".join(lines)


def _table(lines: list[str], place: str, name: str) -> tuple[int, int]:
    start = _headed(lines, place, name)
    if start is None:
        raise ValueError(f"`{place}.{name}` is no table of its own")
    return start, _end(lines, start)


def _headed(lines: list[str], place: str, name: str, inner: bool = False) -> int | None:
    """The line of its header."""
    for number, line in enumerate(lines):
        if _HEADER.match(line) and _is_header(line):
            (table,) = tomllib.loads(line).items()
            found = table[0] == place and isinstance(table[1], dict) and table[1].get(name)
            if found == {} or (inner and found):
                return number
    return None


def _is_header(line: str) -> bool:
    try:
        return len(tomllib.loads(line)) == 1
    except tomllib.TOMLDecodeError:
        return False


def _end(lines: list[str], start: int) -> int:
    """Where the table ends, without the comments and blank lines before the next."""
    end = next(
        (n for n in range(start + 1, len(lines)) if _HEADER.match(lines[n]) and _is_header(lines[n])), len(lines)
    )
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _assignment(lines: list[str], start: int, end: int, key: str) -> tuple[int, int]:
    """The lines that say what `key` is; none, at the table's end, where it is not said."""
    for first in range(start, end):
        if re.match(rf'[ \t]*"?{re.escape(key)}"?[ \t]*=', lines[first]):
            for last in range(first + 1, end + 1):
                try:
                    tomllib.loads("".join(lines[first:last]))
                except tomllib.TOMLDecodeError:
                    continue
                if any("#" in line for line in lines[first:last]):
                    raise ValueError(f"there is a comment at `{key}`, which would be lost")
                return first, last
    return end, end


def _assigned(key: str, value: object) -> str:
    # JSON's strings, numbers, booleans and lists of them are TOML's too, but for one letter that JSON leaves as it is.
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
