"""Sentences for people: what changed, why a call fails, which words of a text are new, what hides in it."""

from __future__ import annotations

import json
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.diff.model import Direction
from wekadocs_contracts.format.compiled import compiled
from wekadocs_text import one_line, visible

from .keywords import ABSENT, KeywordChange, Pointer, mapping

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_MAX_SHOWN = 80
_MAX_WORDS = 4000
_BY_NAME = ("patternProperties", "dependentSchemas", "dependentRequired")  # what follows is a key, not a keyword
_VERBS = {"narrowed": "narrowed", "widened": "widened", "changed": "changed"}


def shown(value: object) -> str:
    """A value in one line, with everything a terminal would not show made visible."""
    if value is ABSENT or value is None:
        return "nothing" if value is ABSENT else "null"
    text = one_line(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def hides_something(text: str) -> bool:
    return visible(text) != text


def word_diff(old: str, new: str) -> str:
    """Only the words that changed, with a little around them: [-gone-] {+new+}."""
    before, after = visible(old).split()[:_MAX_WORDS], visible(new).split()[:_MAX_WORDS]
    if before == after:
        return "only white space changed" if visible(old).split() == visible(new).split() else "changed far down"
    parts: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            same = before[start:end]
            parts.extend(same if len(same) <= 6 else [*same[:3], "…", *same[-3:]])
            continue
        if end > start:
            parts.append(f"[-{' '.join(before[start:end])}-]")
        if last > first:
            parts.append(f"{{+{' '.join(after[first:last])}+}}")
    return " ".join(parts)


def sentence(finding: KeywordChange) -> str:
    """One line for one difference, with what it is about: ``top_k`: maximum lowered 50 → 20`."""
    about = _argument(finding.pointer)
    if finding.name and finding.rule.startswith(("property-", "required-")):
        return _of_name(finding)
    return f"`{about}`: {_difference(finding)}" if about else _difference(finding)


def _argument(pointer: Pointer) -> str:
    """The argument or field that a place of a schema is about, as one would write it: `filter.tags[]`."""
    found, parts = "", iter(pointer)
    for part in parts:
        if part in ("$defs", "definitions"):
            found = one_line(str(next(parts, "")))
        elif part == "properties":
            found += f".{one_line(str(next(parts, '')))}" if found else one_line(str(next(parts, "")))
        elif part in ("items", "prefixItems") and found:
            found += "[]"
        elif part in _BY_NAME:
            next(parts, None)
    return found.replace("`", "'")


def _of_name(finding: KeywordChange) -> str:
    home = finding.pointer[:-2] if finding.rule.startswith("property-") else finding.pointer[:-1]
    around = _argument(home)
    name = one_line(finding.name).replace("`", "'")
    name = f"{around}.{name}" if around else name
    if finding.rule.startswith("property-"):
        return f"`{name}` {finding.rule.split('-')[1]}"
    return f"`{name}` is {'required now' if finding.effect == 'narrowed' else 'no longer required'}"


def _difference(finding: KeywordChange) -> str:
    keyword = str(finding.pointer[-1]) if finding.pointer else "schema"
    before, after = finding.before, finding.after
    if finding.rule == "respelled":
        return "said in other words"
    if isinstance(before, str) and isinstance(after, str) and finding.effect == "docs":
        return f"{keyword}: {word_diff(before, after)}"
    if finding.rule.startswith("enum-") and isinstance(before, list) and isinstance(after, list):
        return _listed(before, after)
    if before is ABSENT:
        return f"{one_line(keyword)} added: {shown(after)}"
    if after is ABSENT:
        return f"{one_line(keyword)} removed (was {shown(before)})"
    return f"{one_line(keyword)} {_verb(finding)} {shown(before)} → {shown(after)}"


def _verb(finding: KeywordChange) -> str:
    before, after = finding.before, finding.after
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (before, after))
    if numbers and not finding.rule.startswith("default"):
        return "lowered" if after < before else "raised"
    return _VERBS.get(finding.effect, "changed")


def _listed(before: list[object], after: list[object]) -> str:
    from .keywords import canonical

    old, new = {canonical(each) for each in before}, {canonical(each) for each in after}
    gone = [shown(each) for each in before if canonical(each) not in new]
    came = [shown(each) for each in after if canonical(each) not in old]
    parts = [f"{', '.join(gone)} removed"] if gone else []
    return "enum: " + "; ".join([*parts, *([f"{', '.join(came)} added"] if came else [])])


def explanation(old: object, new: object, direction: Direction, witness: object, about: str = "") -> str:
    """Why the side that has to take the witness refuses it, if it can be with this name; empty where it does not."""
    if witness is None:
        return ""
    from wekadocs_contracts.format.explain import violations

    schema = new if direction == "input" else old
    try:
        validator = compiled(schema, by_dialect=True, retriever=_no_retrieval, validate_formats=True)
        found = violations(_Keeping(validator, schema), witness)
    except (ValueError, TypeError, RecursionError):
        return ""
    if not found:
        return ""
    told = next((each for each in found if f"`{about}`" in each.message), found[0])
    place = "".join(f".{part}" if isinstance(part, str) else f"[{part}]" for part in told.pointer)
    return one_line(f"{place.lstrip('.')}: {told.message}" if place else told.message)


class _Keeping:
    """A validator with its schema, which is where the names for `did you mean` come from."""

    def __init__(self, validator: Validator, schema: object) -> None:
        self.iter_errors = validator.iter_errors
        self.schema = mapping(schema)


def _no_retrieval(uri: str) -> Any:
    raise ValueError(f"{uri}: schemas are never fetched")
