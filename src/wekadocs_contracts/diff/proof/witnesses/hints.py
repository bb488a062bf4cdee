"""Values that people wrote down for an argument: examples, defaults, and samples of its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_contracts.diff.proof.normal.normalise import canonical_json

MAX_PER_NAME = 6
_FORMATS = {
    "date": "2024-05-01",
    "date-time": "2024-05-01T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "ada@example.com",
    "idn-email": "ada@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "iri": "https://example.com/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "json-pointer": "/a",
    "regex": "a+",
}

Hints = dict[str, list[Any]]


def collect(schemas: Sequence[object], examples: Sequence[object]) -> Hints:
    """By property name; what the root of a schema shows stands under the empty name."""
    found: Hints = {}
    for example in examples:
        _from_example(found, "", example)
    for schema in schemas:
        _from_schema(found, "", schema)
    return found


def _add(found: Hints, name: str, value: object) -> None:
    known = found.setdefault(name, [])
    if len(known) < MAX_PER_NAME and canonical_json(value) not in map(canonical_json, known):
        known.append(value)


def _from_example(found: Hints, name: str, value: object) -> None:
    _add(found, name, value)
    if isinstance(value, dict):
        for key, item in value.items():
            _from_example(found, key, item)
    elif isinstance(value, list):
        for item in value[:3]:
            _from_example(found, name, item)


def _from_schema(found: Hints, name: str, schema: object) -> None:
    if isinstance(schema, list):
        for part in schema:
            _from_schema(found, name, part)
    if not isinstance(schema, dict):
        return
    for value in _shown(schema):
        _add(found, name, value)
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            for key, part in value.items():
                _from_schema(found, key, part)
        elif keyword in ("$defs", "definitions") and isinstance(value, dict):
            for part in value.values():
                _from_schema(found, name, part)
        elif isinstance(value, dict | list) and keyword not in ("enum", "const", "default", "examples"):
            _from_schema(found, name, value)


def _shown(schema: Mapping[str, object]) -> list[Any]:
    examples = schema.get("examples")
    values = list(examples) if isinstance(examples, list) else []
    values += [schema["default"]] if "default" in schema else []
    known = schema.get("format")
    return values + ([_FORMATS[known]] if isinstance(known, str) and known in _FORMATS else [])
