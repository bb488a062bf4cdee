"""YAML with line marks: every key and value of a file remembers where it stands.

A small dialect on purpose: only true/false are booleans, a date is a string, and what makes two readers disagree
(duplicate keys, anchors, tags, several documents) is refused.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wekadocs_contracts.problems import Problem, Refused, StartError

Pointer = tuple[str | int, ...]
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}
_MAX_BYTES = 1 << 20
_MAX_DEPTH = 60
_MAX_DIGITS = 300
_FLATTEN = "flatten it, or use $defs"


@dataclass
class Source:
    """A file's data with the place of every key and value in it."""

    path: str
    text: str
    data: Any = None
    values: dict[Pointer, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Pointer, tuple[int, int]] = field(default_factory=dict)
    # What the dialect refuses, and still leaves readable.
    problems: list[Problem] = field(default_factory=list)

    def problem(self, pointer: Pointer, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        line, column = self._place(pointer, at_key)
        return Problem(self.path, message, hint, line, column, dotted(pointer), self.text)

    def line(self, pointer: Pointer) -> int:
        return self._place(pointer, at_key=True)[0]

    def _place(self, pointer: Pointer, at_key: bool) -> tuple[int, int]:
        for table in (self.keys, self.values) if at_key else (self.values, self.keys):
            if pointer in table:
                return table[pointer]
        return self._place(pointer[:-1], at_key) if pointer else (1, 1)

    def with_own(self, found: Iterable[Problem]) -> list[Problem]:
        """The file's own mistakes and those found in its data, in order; one place is reported once."""
        own = {(each.file, each.line, each.column) for each in self.problems}
        others = [each for each in found if (each.file, each.line, each.column) not in own]
        return sorted([*self.problems, *others], key=lambda each: (each.line, each.column))


def dotted(pointer: Pointer) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in pointer)


def plain_scalar(text: str) -> Any:
    """What an unquoted word means."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def read(path: Path | str, *, keep_going: bool = False) -> Source:
    """Read one YAML file, or raise StartError with the place of the mistake.

    `keep_going`: what is refused but readable comes as the source's `problems`, so that all can be told at once.
    """
    source = parse(read_text(path), str(path))
    if source.problems and not keep_going:
        raise StartError(source.problems)
    return source


def read_text(path: Path | str, most: int = _MAX_BYTES) -> str:
    """A regular file of UTF-8 and of bounded size; a device or a pipe is not even waited for."""
    raw = _bytes(Path(path), most)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        message = f"line {line} is not UTF-8 (byte {error.start})"
        raise StartError([Problem(str(path), message, "save the file as UTF-8")]) from error


def _bytes(path: Path, most: int) -> bytes:
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(number, "rb") as file:
            about = os.fstat(number)
            if not stat.S_ISREG(about.st_mode):
                raise Refused([Problem(str(path), "not a regular file", "put the file itself there")])
            raw = file.read(most + 1)
    except OSError as error:
        raise StartError([Problem(str(path), f"cannot be read: {error.strerror}")]) from error
    if len(raw) > most:
        size = max(about.st_size, len(raw))
        raise Refused([Problem(str(path), f"{size} bytes is over the limit of {most}", "split it, or say less")])
    return raw


def parse(text: str, path: str) -> Source:
    import yaml

    # The C parser is ten times faster; wheels have it everywhere, a source build may not.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    source = Source(path, text)
    try:
        source.data = _Composer(source, yaml.parse(text, Loader=loader)).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        message = getattr(error, "problem", None) or "cannot be read as YAML"
        line, column = _inside(text, mark.line + 1, mark.column + 1) if mark else (1, 1)
        hint = "check the indentation and the quotes around here"
        not_yaml = Problem(path, f"not YAML: {message}", hint, line, column, "", text)
        raise StartError([*source.problems, not_yaml]) from error
    return source


def _inside(text: str, line: int, column: int) -> tuple[int, int]:
    """A place that can be shown: what is missing at the end of a file is marked behind its last character."""
    lines = text.splitlines() or [""]
    return (line, column) if line <= len(lines) else (len(lines), len(lines[-1]) + 1)


class _Composer:
    """Builds plain data from parser events, one method per kind of node."""

    def __init__(self, source: Source, events: Iterator[object]) -> None:
        self.source = source
        self.events = events

    def document(self) -> Any:
        import yaml

        next(self.events)
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            return None
        data = self._node(next(self.events), ())
        next(self.events)
        trailing = next(self.events)
        if not isinstance(trailing, yaml.StreamEndEvent):
            self._note(trailing, (), "a second document starts here", "keep one document per file")
        return data

    def _node(self, event: Any, pointer: Pointer) -> Any:
        import yaml

        if len(pointer) > _MAX_DEPTH:
            raise Refused(self._refuse(event, pointer, f"nested more than {_MAX_DEPTH} deep", _FLATTEN).problems)
        self.source.values[pointer] = (event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            hint = "write it out, or share it with $ref: wekadocs:shared/NAME"
            self._note(event, pointer, "anchors and aliases are not allowed", hint)
        if isinstance(event, yaml.AliasEvent):
            return None
        if event.tag and event.tag != "!":
            self._note(event, pointer, f"the tag {event.tag} is not allowed", "remove the tag")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(pointer)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(pointer)
        return self._scalar(event, pointer)

    def _scalar(self, event: Any, pointer: Pointer) -> Any:
        if not event.implicit[0]:
            return event.value
        if len(event.value) > _MAX_DIGITS and _INT.fullmatch(event.value):
            raise self._refuse(event, pointer, f"{event.value[:20]}… is too large a number", "write a smaller number")
        value = plain_scalar(event.value)
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            raise self._refuse(event, pointer, f"{event.value} is too large a number", "write a smaller number")
        return value

    def _sequence(self, pointer: Pointer) -> list[Any]:
        import yaml

        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._node(event, (*pointer, len(items))))
        return items

    def _mapping(self, pointer: Pointer) -> dict[str, Any]:
        import yaml

        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = getattr(event, "value", None)
            if not isinstance(event, yaml.ScalarEvent) or key is None or event.anchor or event.tag:
                raise self._refuse(event, pointer, "a key must be a plain word", "quote it, or write it as text")
            place = (*pointer, key)
            if key in found:
                first = self.source.keys[place][0]
                self._note(event, place, f"`{key}` stands here and in line {first}", "keep one of the two")
                self._node(next(self.events), (*pointer, f"{key} again"))  # read over: the first one counts
                continue
            mark: Any = event.start_mark
            self.source.keys[place] = (mark.line + 1, mark.column + 1)
            found[key] = self._node(next(self.events), place)
        return found

    def _note(self, event: Any, pointer: Pointer, message: str, hint: str) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        where = dotted(pointer)
        self.source.problems.append(Problem(self.source.path, message, hint, line, column, where, self.source.text))

    def _refuse(self, event: object, pointer: Pointer, message: str, hint: str) -> StartError:
        """What leaves nothing to go on with; told with all that was found before it."""
        self._note(event, pointer, message, hint)
        return StartError(self.source.problems)
