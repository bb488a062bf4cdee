"""Turns a schema violation into a sentence a person or a model can act on: place, value, expectation, way out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from wekadocs_contracts.problems import did_you_mean
from wekadocs_text import one_line

from .compiled import compiled
from .schemas import at_pointer, item, properties

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, ValidationErrorKind

_MAX_SHOWN = 120
_Place = tuple[str | int, ...]


class Validating(Protocol):
    """A validator that keeps its schema, which is where the names for `did you mean` come from."""

    schema: Mapping[str, object]

    @property
    def iter_errors(self) -> Callable[[object], Iterable[ValidationError]]: ...


@dataclass(frozen=True)
class Violation:
    pointer: _Place
    message: str
    keyword: str
    expected: Any = None
    at_key: bool = False
    hint: str = ""


def violations(validator: Validating, instance: object, known: Iterable[str] = ()) -> list[Violation]:
    """All that is wrong with `instance`, the most telling first. `known`: further valid names at the root."""
    errors = sorted(validator.iter_errors(instance), key=_relevance)
    return [violation for error in errors for violation in _explain(error, validator, tuple(known), instance)]


def _relevance(error: ValidationError) -> tuple[int, int, list[str]]:
    weak = error.kind.name in ("anyOf", "oneOf", "not", "if", "dependentRequired")
    # A misspelt name usually explains the missing one beside it.
    unknown = error.kind.name in ("additionalProperties", "unevaluatedProperties")
    return (int(weak) - int(unknown), len(error.instance_path), [str(part) for part in error.instance_path])


def shown(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    text = one_line(text)
    given = len(value) if isinstance(value, str) else len(text)  # of a text what was sent, without quotes and escapes
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}… ({given} characters)"


def _explain(
    error: ValidationError, validator: Validating | None, known: tuple[str, ...], root: object = None
) -> Iterable[Violation]:
    pointer = tuple(error.instance_path)
    kind, value = error.kind, error.instance
    describe = _SENTENCES.get(kind.name)
    if kind.name in ("additionalProperties", "unevaluatedProperties", "falseSchema"):
        names = _sibling_names(validator, error) + (list(known) if not pointer else [])
        unexpected = getattr(kind, "unexpected", None) or _of_an_empty_object(error, root)
        for name in unexpected:
            others = [each for each in names if each != name]
            hint = did_you_mean(name, others) or one_line(f" — known here: {', '.join(names) or 'none'}")
            yield Violation(
                (*pointer, name), f"unknown name `{one_line(name)}`{hint}", "additionalProperties", names, True, hint
            )
        if not unexpected:
            yield Violation(pointer, "nothing is allowed here", kind.name)
    elif kind.name == "required":
        missing = str(getattr(kind, "property", ""))
        yield Violation(pointer, f"`{one_line(missing)}` is required", "required", missing)
    elif kind.name in ("anyOf", "oneOf", "oneOfNotValid"):
        yield _closest_branch(pointer, value, kind)
    elif describe is not None:
        expected = getattr(kind, describe[0], None) if describe[0] else None
        yield Violation(
            pointer, f"{shown(value)} {describe[1].format(expectation(expected, kind.name))}", kind.name, expected
        )
    else:
        yield Violation(pointer, error.message, kind.name)


def _of_an_empty_object(error: ValidationError, root: object) -> list[str]:
    """Where an object declares no property at all, the validator does not name what it found."""
    if list(error.schema_path)[-1:] != ["additionalProperties"]:
        return []
    holder = root
    for part in error.instance_path:
        holder = holder[part] if isinstance(holder, Mapping) else item(holder, part)
    return list(holder) if isinstance(holder, Mapping) else []


def expectation(expected: object, keyword: str) -> str:
    if keyword == "type":
        return " or ".join(expected) if isinstance(expected, list) else str(expected)
    if isinstance(expected, list):
        return ", ".join(shown(option) for option in expected)
    return expected if isinstance(expected, str) and keyword in ("pattern", "format") else shown(expected)


_SENTENCES: dict[str, tuple[str, str]] = {
    "type": ("types", "is not of type {}"),
    "enum": ("options", "is not one of {}"),
    "const": ("expected_value", "is not {}"),
    "maximum": ("limit", "is above the maximum of {}"),
    "minimum": ("limit", "is below the minimum of {}"),
    "exclusiveMaximum": ("limit", "is not below {}"),
    "exclusiveMinimum": ("limit", "is not above {}"),
    "maxLength": ("limit", "is longer than {} characters"),
    "minLength": ("limit", "is shorter than {} characters"),
    "maxItems": ("limit", "has more than {} items"),
    "minItems": ("limit", "has fewer than {} items"),
    "maxProperties": ("limit", "has more than {} properties"),
    "minProperties": ("limit", "has fewer than {} properties"),
    "multipleOf": ("multiple_of", "is not a multiple of {}"),
    "pattern": ("pattern", "does not match the pattern {}"),
    "format": ("format", "is not a valid {}"),
    "uniqueItems": ("", "has an item twice"),
    "contains": ("", "does not contain what it must, or not as often as it must"),
}


def _closest_branch(pointer: _Place, value: object, kind: ValidationErrorKind) -> Violation:
    """Of several alternatives, the one that came nearest to fitting; types alone are listed together."""
    branches: Sequence[Sequence[ValidationError]] = getattr(kind, "context", [])
    types = [getattr(branch[0].kind, "types", []) for branch in branches if _other_type(branch, pointer)]
    near = [branch for branch in branches if branch and not _other_type(branch, pointer)]
    if near:
        best = min(near, key=len)[0]
        deeper = tuple(best.instance_path)
        place = deeper if deeper[: len(pointer)] == pointer else (*pointer, *deeper)
        inner = next(iter(_explain(best, None, ())), None)
        message = inner.message if inner else best.message
        return Violation(place, message, best.kind.name, inner.expected if inner else None)
    if branches and not any(branches):
        return Violation(pointer, f"{shown(value)} fits more than one of the allowed forms", kind.name)
    if types and len(types) == len(branches):
        flat = [name for one in types for name in (one if isinstance(one, list) else [one])]
        return Violation(pointer, f"{shown(value)} is not of type {' or '.join(flat)}", "type", flat)
    return Violation(pointer, f"{shown(value)} fits none of the allowed forms", kind.name)


def _other_type(branch: Sequence[ValidationError], pointer: _Place) -> bool:
    """Whether this alternative fails only because it wants another type, of the value itself."""
    return len(branch) == 1 and branch[0].kind.name == "type" and tuple(branch[0].instance_path) in ((), pointer)


def _sibling_names(validator: Validating | None, error: ValidationError) -> list[str]:
    """The names that would have been valid where an unknown one was found."""
    root: object = getattr(validator, "schema", None)
    schema = root
    for part in list(error.schema_path)[:-1]:
        schema = schema.get(part) if isinstance(schema, Mapping) else item(schema, part)
        if part == "$ref" and isinstance(schema, str) and schema.startswith("#"):
            schema = at_pointer(root, schema[1:])
    return list(properties(root, schema)) if isinstance(root, dict) and isinstance(schema, Mapping) else []


class Checker:
    """A compiled JSON Schema (2020-12) that keeps its schema for the messages. References never leave it."""

    def __init__(self, schema: Mapping[str, object]) -> None:
        self.schema = schema
        self._validator = compiled(schema, retriever=_no_retrieval)
        self.fits = self._validator.is_valid
        self.iter_errors = self._validator.iter_errors

    def violations(self, instance: object, known: Iterable[str] = ()) -> list[Violation]:
        return violations(self, instance, known)


def _no_retrieval(uri: str) -> Any:
    raise ValueError(f"{uri}: schemas are never fetched")
