"""What one differing keyword means: the name of the rule, and which way it seems to go."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeGuard
from urllib.parse import unquote

from wekadocs_contracts.diff.proof.normal.formats import is_known
from wekadocs_contracts.format.schemas import at_pointer, subschemas

from .table import KEYWORDS, kebab

Pointer = tuple[str | int, ...]
Effect = Literal["narrowed", "widened", "changed", "docs"]
ABSENT: Any = object()
FLIPPED: dict[str, Effect] = {"narrowed": "widened", "widened": "narrowed", "changed": "changed", "docs": "docs"}
NOTES = frozenset({"title", "description", "examples", "$comment", "deprecated", "readOnly", "writeOnly", "nullable"})

_RAISING_NARROWS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_LOWERING_NARROWS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_CONTENT = frozenset({"contentEncoding", "contentMediaType", "contentSchema"})
_OLD_KEYWORDS = frozenset(
    {"dependencies", "additionalItems", "extends", "disallow", "$dynamicRef", "$recursiveRef", "items"}
)


@dataclass(frozen=True)
class KeywordChange:
    rule: str
    effect: Effect
    pointer: Pointer  # in the new schema
    at: Pointer  # in the old schema: setting it to `after` there makes this one change alone
    before: Any = ABSENT
    after: Any = ABSENT
    name: str = ""  # of the property, where it is about one
    also: tuple[tuple[Pointer, Any, Any], ...] = ()  # what else belongs to the same change: place, before, after


def canonical(value: object) -> str:
    """Equal exactly when two values are the same JSON: 1 is 1.0 but neither true nor "1"."""
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False)


def _plain(value: object) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def same(old: object, new: object) -> bool:
    if old is ABSENT or new is ABSENT:
        return old is new
    return canonical(old) == canonical(new)


def finding(keyword: str, effect: Effect, old: object, new: object, at: Pointer, to: Pointer) -> KeywordChange:
    return KeywordChange(f"{kebab(keyword)}-{effect}", effect, to, at, old, new)


def turned(finding: KeywordChange) -> str:
    stem, _, effect = finding.rule.rpartition("-")
    return f"{stem}-{FLIPPED[effect]}" if effect in FLIPPED else finding.rule


def boolean(old: object, new: object, at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
    if same(old, new) or {canonical(old), canonical(new)} == {"true", "{}"}:
        return
    effect: Effect = (
        "narrowed" if new is False or old is True else "widened" if new is True or old is False else "changed"
    )
    yield finding("schema", effect, old, new, at, to)


def values(old: Mapping[str, object], new: Mapping[str, object], at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
    """enum and const are one thing: the values that are allowed at all."""
    mine, theirs = _allowed(old), _allowed(new)
    if mine == theirs:
        return
    if mine is None or theirs is None:
        effect: Effect = "narrowed" if mine is None else "widened"
    else:
        effect = "narrowed" if theirs < mine else "widened" if mine < theirs else "changed"
    keyword = next((key for key in ("const", "enum") if key in new and not same(get(old, key), new[key])), None)
    keyword = keyword or ("const" if "const" in old and "enum" not in new else "enum")
    other = "enum" if keyword == "const" else "const"
    also = ((*at, other), get(old, other), get(new, other))
    made = finding(keyword, effect, get(old, keyword), get(new, keyword), (*at, keyword), (*to, keyword))
    yield made if same(also[1], also[2]) else replace(made, also=(also,))


def _allowed(node: Mapping[str, object]) -> set[str] | None:
    enum = node.get("enum")
    found = {canonical(value) for value in enum} if isinstance(enum, list) else None
    if "const" in node:
        only = {canonical(node["const"])}
        found = only if found is None else found & only
    return found


def required(old: Mapping[str, object], new: Mapping[str, object], at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
    mine, theirs = names(old.get("required")), names(new.get("required"))
    for name in theirs:
        if name not in mine:
            yield KeywordChange(
                "required-narrowed", "narrowed", (*to, "required"), (*at, "required"), mine, [*mine, name], name
            )
    for name in mine:
        if name not in theirs:
            left = [each for each in mine if each != name]
            yield KeywordChange("required-widened", "widened", (*to, "required"), (*at, "required"), mine, left, name)


def leaf(keyword: str, old: object, new: object, at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
    if keyword == "default":
        how = "added" if old is ABSENT else "removed" if new is ABSENT else "changed"
        yield KeywordChange(f"default-{how}", "docs", to, at, old, new)
    elif keyword == "format":
        effect: Effect = "narrowed" if old is ABSENT else "widened" if new is ABSENT else "changed"
        if not is_known(old) and not is_known(new):
            effect = "docs"  # nobody checks it
        yield KeywordChange("format-changed", effect, to, at, old, new)
    elif keyword in _CONTENT:
        yield KeywordChange("content-changed", "changed", to, at, old, new)
    elif keyword == "x-mcp-header":
        yield KeywordChange("header-added" if old is ABSENT else "header-changed", "docs", to, at, old, new)
    elif keyword in ("description", "title"):
        yield KeywordChange(f"{keyword}-changed", "docs", to, at, old, new)
    elif keyword in NOTES or (keyword not in KEYWORDS and keyword not in _OLD_KEYWORDS):
        yield KeywordChange("annotation-text-changed", "docs", to, at, old, new)
    else:
        stem = keyword if keyword in KEYWORDS else "schema"
        effect = _limit_effect(keyword, old, new)
        if effect != "docs":
            yield KeywordChange(f"{kebab(stem)}-{effect}", effect, to, at, old, new)


def _limit_effect(keyword: str, old: object, new: object) -> Effect:
    if keyword == "type":
        return _type_effect(old, new)
    if keyword == "uniqueItems":
        mine, theirs = old is True, new is True
        return "docs" if mine == theirs else "narrowed" if theirs else "widened"
    if old is ABSENT or new is ABSENT:
        return "narrowed" if old is ABSENT else "widened"
    if keyword == "multipleOf":
        return _step_effect(old, new)
    if keyword in _RAISING_NARROWS + _LOWERING_NARROWS and _number(old) and _number(new):
        return "narrowed" if (new > old) == (keyword in _RAISING_NARROWS) else "widened"
    return "changed"


def _type_effect(old: object, new: object) -> Effect:
    mine, theirs = _types(old), _types(new)
    if mine == theirs:
        return "docs"
    return "narrowed" if theirs < mine else "widened" if mine < theirs else "changed"


def _types(value: object) -> set[str]:
    every = {"string", "number", "integer", "boolean", "object", "array", "null"}
    found = every if value is ABSENT else {str(each) for each in (value if isinstance(value, list) else [value])}
    return found | {"integer"} if "number" in found else found


def _step_effect(old: object, new: object) -> Effect:
    if not (_number(old) and old > 0 and _number(new) and new > 0):
        return "changed"
    mine, theirs = Fraction(str(old)), Fraction(str(new))
    return "widened" if mine % theirs == 0 else "narrowed" if theirs % mine == 0 else "changed"


def get(node: object, key: str) -> Any:
    return node.get(key, ABSENT) if isinstance(node, Mapping) else ABSENT


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def names(value: object) -> list[str]:
    return [each for each in listed(value) if isinstance(each, str)]


def _number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def resolve(root: object, ref: object) -> tuple[Any, Pointer] | None:
    """The schema that a reference inside its own document names, and where it stands."""
    if not isinstance(ref, str) or not ref.startswith("#"):
        return None
    if ref == "#" or ref.startswith("#/"):
        parts = tuple(unquote(part).replace("~1", "/").replace("~0", "~") for part in ref[1:].split("/")[1:])
        node = at_pointer(root, "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in parts))
        return None if node is None else (node, parts)
    named = (
        (node, place)
        for place, node in subschemas(root)
        if ref[1:] in (node.get("$anchor"), node.get("$dynamicAnchor"))
    )
    return next(named, None)
