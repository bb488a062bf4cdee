"""Schemas compiled for checking, the one place that chooses how patterns are matched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema_rs import Validator


def compiled(schema: Any, *, by_dialect: bool = False, **options: Any) -> Validator:
    """A validator of `schema` (2020-12, or what its $schema says `by_dialect`).

    The linear engine judges wherever it knows every pattern: no text can make it slow, and the backtracking engine of
    jsonschema-rs 0.60 takes "a" for a match of [a-z]+[0-9]*[a-z]+. Only look-around and back references need that one.
    """
    import jsonschema_rs

    make = jsonschema_rs.validator_for if by_dialect else jsonschema_rs.Draft202012Validator
    try:
        return make(schema, pattern_options=jsonschema_rs.RegexOptions(), **options)
    except jsonschema_rs.ValidationError:
        return make(schema, **options)
