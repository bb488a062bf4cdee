"""Two unrelated validators must agree before anything is called a witness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from wekadocs_contracts.diff.proof.normal import dialects
from wekadocs_contracts.diff.proof.normal.normalise import Normal
from wekadocs_contracts.diff.proof.strings.pythonic import readable
from wekadocs_contracts.diff.proof.strings.regex_parser import Alt, Chars, Look, Node, Repeat, Seq, Undecided, parse
from wekadocs_contracts.diff.proof.strings.regexes import matches

from . import inclusion

MAX_TEXT = 3_100
# Python's `re` backtracks: a pattern that may explode is only run on strings too short for that.
MAX_RISKY_TEXT = 14

Check = Callable[[Any], bool]


class Judge:
    """Who is valid under `values`, invalid under `judge`, and not exempt."""

    def __init__(self, values: Normal, judge: Normal, exempt: object | None, also: Judge | None = None) -> None:
        self.values = values
        self.judge = judge
        self.exempt = exempt
        self.also = also  # somebody else who has to be convinced

    @cached_property
    def _fast(self) -> tuple[Check, Check, Check]:
        exempt = inclusion.validator(self.exempt) if self.exempt is not None else lambda _: True
        return _rust(self.values), _rust(self.judge), exempt

    @cached_property
    def _slow(self) -> tuple[Check, Check]:
        return _python(self.values.raw), _python(self.judge.raw)

    @cached_property
    def longest(self) -> int:
        return min(_longest_text(self.values.raw), _longest_text(self.judge.raw))

    def is_valid(self, value: object) -> bool:
        """Worked before: the ground to start a search from."""
        values, _, exempt = self._fast
        return _safely(values, value) and _safely(exempt, value)

    def is_candidate(self, value: object) -> bool:
        _, judge, _ = self._fast
        try:
            return self.is_valid(value) and not judge(value)
        except (ValueError, RecursionError, OverflowError):
            return False

    def is_witness(self, value: object) -> bool:
        if not self.is_candidate(value) or _text_in(value) > self.longest:
            return False
        if self.also is not None and not self.also.is_witness(value):
            return False
        values, judge = self._slow
        try:
            return values(value) and not judge(value)
        except Exception:  # a validator that cannot judge confirms nothing, whatever the reason
            return False


def _safely(check: Check, value: object) -> bool:
    try:
        return check(value)
    except (ValueError, RecursionError, OverflowError):
        return False


def _rust(schema: Normal) -> Check:
    # Where the translation is not exact only the original counts; that is a 2019-09 or 2020-12 document.
    return inclusion.validator(schema.schema if schema.exact else schema.raw)


def _python(raw: object) -> Check:
    import jsonschema
    from referencing import Registry

    by_dialect = {
        4: jsonschema.Draft4Validator,
        6: jsonschema.Draft6Validator,
        7: jsonschema.Draft7Validator,
        19: jsonschema.Draft201909Validator,
        20: jsonschema.Draft202012Validator,
    }
    kind: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
        by_dialect[dialects.of(raw)], {"pattern": _pattern}
    )
    # An empty registry cannot fetch.
    check: Check = kind(readable(raw), registry=Registry()).is_valid
    return check


def _pattern(_: object, pattern: str, value: object, __: object) -> Iterator[Any]:
    """By our own automaton, which never backtracks; only what it cannot read is left to Python's `re`."""
    if not isinstance(value, str):
        return
    found = matches(pattern, value)
    if found is None:
        found = re.search(pattern, value) is not None
    if not found:
        from jsonschema import ValidationError

        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _text_in(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return max((max(len(key), _text_in(item)) for key, item in value.items()), default=0)
    return max(map(_text_in, value), default=0) if isinstance(value, list) else 0


def _longest_text(schema: object) -> int:
    todo, risky = [schema], False
    while todo and not risky:
        node = todo.pop()
        if isinstance(node, dict):
            risky = _is_unread(node.get("pattern")) or any(map(_is_risky, _keys(node.get("patternProperties"))))
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)
    return MAX_RISKY_TEXT if risky else MAX_TEXT


def _keys(value: object) -> list[Any]:
    return list(value) if isinstance(value, dict) else []


def _is_unread(text: object) -> bool:
    return isinstance(text, str) and matches(text, "") is None


def _is_risky(pattern: object) -> bool:
    if not isinstance(pattern, str):
        return False
    try:
        return _explodes(parse(pattern))
    except Undecided:
        return True


def _explodes(node: Node) -> bool:
    match node:
        case Repeat(body, _, most):
            return not isinstance(body, Chars) and (most is None or most > 10 or _explodes(body))
        case Seq(parts) | Alt(parts):
            return any(map(_explodes, parts))
        case Look(ahead, _):
            return _explodes(ahead)
    return False
