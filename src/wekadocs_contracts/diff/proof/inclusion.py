"""Set difference of schemas, and validation: the only door to the canonical forms of jsonschema-rs.

They are experimental. Whoever replaces them keeps `difference`, `simplified` and `validator`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from wekadocs_contracts.diff.proof.normal.constants import spelled_out
from wekadocs_contracts.diff.proof.normal.inlining import changed
from wekadocs_contracts.diff.proof.normal.kinds import narrowed
from wekadocs_contracts.diff.proof.normal.lists import plain_lists
from wekadocs_contracts.format.compiled import compiled
from wekadocs_contracts.format.schemas import Schema

_DRAFT = 20
# Beyond this many combinations of branches the canonical form costs seconds before it gives up.
MAX_CASES = 5_000
MAX_OWN_CASES = 200
MAX_TEXT = 30_000


@dataclass(frozen=True)
class SetOf:
    """A set of values: whether it has a member (None: not known), and as a schema (None: cannot be written)."""

    inhabited: bool | None
    schema: Any = None


UNKNOWN = SetOf(None)


def difference(larger: object, smaller: object) -> SetOf:
    """Every value that `larger` admits and `smaller` rejects."""
    larger, smaller = plain_lists(larger, _is_empty), plain_lists(smaller, _is_empty)
    found = _difference(larger, smaller)
    if found.schema is not None:
        return found
    plain = plainer(larger), plainer(smaller)
    return _difference(*plain) if plain != (larger, smaller) else found


def _difference(larger: object, smaller: object) -> SetOf:
    sizes = cases(larger), cases(smaller)
    if max(sizes) > MAX_OWN_CASES or sizes[0] * sizes[1] > MAX_CASES:
        return UNKNOWN
    return _guarded(lambda: _canonical(larger).subtract(_canonical(smaller)))


def simplified(schema: object) -> SetOf:
    """The values of one schema."""
    schema = plain_lists(schema, _is_empty)
    if cases(schema) > MAX_OWN_CASES:
        return UNKNOWN
    found = _guarded(lambda: _canonical(schema))
    if found.inhabited is None and (plain := plainer(schema)) != schema:
        found = _guarded(lambda: _canonical(plain))
    return found


def _is_empty(schema: object) -> bool:
    return cases(schema) <= MAX_OWN_CASES and _guarded(lambda: _canonical(schema)).inhabited is False


def effort(schema: object) -> int:
    """What a set operation costs, in steps."""
    return 2 + len(str(schema)) // 150


def is_bulky(schema: object) -> bool:
    """A difference can be far larger than what it was made from; to work on it further takes too long."""
    return len(str(schema)) > MAX_TEXT


def plainer(schema: object) -> Any:
    """The same set of values, in terms that the canonical form can take apart."""
    plain = narrowed(schema)
    # Spelled out, a constant would say which keys it has looked at, and `unevaluated…` listens to that.
    return plain if "unevaluated" in str(schema) else spelled_out(plain)


def validator(schema: object) -> Callable[[Any], bool]:
    """Judges values by `schema` with `format` as a mere annotation."""
    is_valid: Callable[[Any], bool] = compiled(schema, validate_formats=False, offline=True).is_valid
    return is_valid


def _canonical(schema: Any) -> Any:
    import jsonschema_rs

    return jsonschema_rs.canonicalize(schema, draft=_DRAFT, validate_formats=False, offline=True)


def _guarded(compute: Callable[[], Any]) -> SetOf:
    import jsonschema_rs
    from jsonschema_rs.canonical import CanonicalizationError

    try:
        result = compute()
        answer = {"yes": True, "no": False}.get(result.satisfiability().value)
        return SetOf(answer, _with_plain_numbers(_without_dialect(result.to_json_schema())))
    except _Inexact:
        return SetOf(answer)
    except (CanonicalizationError, jsonschema_rs.ValidationError):
        return UNKNOWN
    except BaseException as error:
        # A panic in Rust arrives as a BaseException of its own.
        if type(error).__name__ == "PanicException":
            return UNKNOWN
        raise


class _Inexact(Exception):
    """A number that JSON readers would round."""


def _with_plain_numbers(schema: object) -> Any:
    """Numbers that the library keeps exactly, such as 9007199254740991.5, as everybody else reads them."""
    if isinstance(schema, Decimal):
        plain = int(schema) if schema == schema.to_integral_value() else float(schema)
        if plain != schema:
            raise _Inexact
        return plain
    if isinstance(schema, dict):
        return {key: _with_plain_numbers(each) for key, each in schema.items()}
    return [_with_plain_numbers(each) for each in schema] if isinstance(schema, list) else schema


def _without_dialect(schema: object) -> Any:
    return {k: v for k, v in schema.items() if k != "$schema"} if isinstance(schema, dict) else schema


def cases(schema: object) -> int:
    """How many combinations of branches a schema unfolds into, roughly, at its worst place."""
    worst, todo = 1, [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            worst = max(worst, _in_place(node))
            changed(node, todo.append)
    return worst


def _in_place(schema: object, depth: int = 0) -> int:
    if not isinstance(schema, dict) or depth > 20:
        return 1
    product = 1
    for keyword in ("anyOf", "oneOf"):
        branches = schema.get(keyword, ())
        product *= sum(_in_place(part, depth + 1) for part in branches) or 1
        # Exactly one of many asks of every branch that all others fail, unless a tag tells them apart.
        product *= len(branches) if keyword == "oneOf" and len(branches) > 4 and not _are_tagged(branches) else 1
    for part in schema.get("allOf", ()):
        product *= _in_place(part, depth + 1)
    product *= 1 + len(schema.get("enum", ())) // 12  # values are compared pair by pair
    for keyword in ("dependentRequired", "dependentSchemas"):
        product *= 2 ** min(len(schema.get(keyword, ())), 20)
    return int(min(product * (2 if "if" in schema else 1), 10**9))


def _are_tagged(branches: Sequence[object]) -> bool:
    objects = [branch for branch in branches if isinstance(branch, dict)]
    if len(objects) < len(branches):
        return False
    return any(_tells_apart([_tag(branch, name) for branch in objects]) for name in objects[0].get("required", ()))


def _tag(branch: Schema, name: str) -> Any:
    schema = branch.get("properties", {}).get(name) if name in branch.get("required", ()) else None
    return schema.get("const", schema.get("enum")) if isinstance(schema, dict) else None


def _tells_apart(tags: list[object]) -> bool:
    return None not in tags and len({repr(tag) for tag in tags}) == len(tags)
