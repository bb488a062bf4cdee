"""Schemas of an API as rows: field, type, required, description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.flavours import convert_markdown

_MARKED = re.compile(r"<[A-Za-z/!]|&#?\w{1,32};")
_DEEPEST, _MOST_ROWS, _MOST_VALUES = 5, 300, 20
_OWN = "#own"
Json = dict[str, object]


def mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def words(value: object) -> str:
    """Markdown, without the HTML that descriptions often have."""
    said = value.strip() if isinstance(value, str) else ""
    return convert_markdown(said, Neighbours("", None)).text.strip() if _MARKED.search(said) else said


class Schemas:
    """Those of one file: a reference inside it is followed, one to elsewhere is only named."""

    def __init__(self, whole: Json) -> None:
        self._whole = whole

    def resolved(self, value: object) -> Json:
        found, steps = mapping(value), 0
        while isinstance(found.get("$ref"), str) and steps < _DEEPEST:
            target = self._at(str(found["$ref"]))
            if target is None:
                return {}
            found, steps = target, steps + 1
        return found

    def _at(self, reference: str) -> Json | None:
        found: object = self._whole
        if not reference.startswith("#/"):
            return None
        for part in reference[2:].split("/"):
            found = mapping(found).get(part.replace("~1", "/").replace("~0", "~").replace("%7B", "{"))
        return found if isinstance(found, dict) else None

    def rows(self, schema: object, *, own: bool = False) -> list[list[str]]:
        """Of an object and what is in it: `owner.name`, `tags[].id`; `own`: not of schemas that have a name."""
        return [*islice(self._rows(schema, "", (_OWN,) if own else ()), _MOST_ROWS)]

    def _rows(self, schema: object, above: str, way: tuple[str, ...]) -> Iterator[list[str]]:
        """`way`: names of the schemas that this is inside of; none is opened in itself."""
        name = str(mapping(schema).get("$ref", ""))
        if len(way) > _DEEPEST or name in way or (name and above and _OWN in way):
            return
        way = (*way, name)
        whole = self._merged(schema)
        if whole.get("items") is not None:
            yield from self._rows(whole["items"], f"{above}[]", way)
        required = whole.get("required")
        needed = required if isinstance(required, list) else []
        for name, inner in mapping(whole.get("properties")).items():
            path = f"{above}.{name}" if above else str(name)
            told = self._merged(inner)
            yield [f"`{path}`", self.type_of(inner), "yes" if name in needed else "no", described(told)]
            yield from self._rows(inner, path, way)

    def _merged(self, schema: object, deeper: int = _DEEPEST) -> Json:
        """With what `allOf` adds."""
        whole = self.resolved(schema)
        parts = whole.get("allOf")
        if not isinstance(parts, list) or not deeper:
            return whole
        fields: Json = dict(mapping(whole.get("properties")))
        needed = list(_list(whole.get("required")))
        for part in parts:
            merged = self._merged(part, deeper - 1)
            fields |= mapping(merged.get("properties"))
            needed += _list(merged.get("required"))
        return {**whole, "properties": fields, "required": needed}

    def type_of(self, schema: object, deeper: int = 3) -> str:
        given = mapping(schema)
        name = str(given.get("$ref", "")).rpartition("/")[2]
        whole = self.resolved(given)
        if whole.get("items") is not None and deeper:
            return f"array of {self.type_of(whole['items'], deeper - 1)}"
        choices = whole.get("oneOf") or whole.get("anyOf")
        if isinstance(choices, list) and deeper:
            return " or ".join(dict.fromkeys(self.type_of(each, deeper - 1) for each in choices[:_MOST_VALUES]))
        kind = whole.get("type")
        told = " or ".join(map(str, kind)) if isinstance(kind, list) else words(kind) or name or "any"
        told = f"{name} ({told})" if name and name != told else told
        form = words(whole.get("format"))
        return f"{told} ({form})" if form else told


def described(schema: Json) -> str:
    """What is said of it, then what it may be."""
    told = [words(schema.get("description"))]
    values = schema.get("enum")
    if isinstance(values, list):
        shown = ", ".join(f"`{value}`" for value in values[:_MOST_VALUES])
        told.append(f"One of {shown}{', …' if len(values) > _MOST_VALUES else ''}.")
    bounds = {"default": "Default", "minimum": "Minimum", "maximum": "Maximum", "maxLength": "Longest"}
    told += [
        f"{label}: `{json.dumps(schema[key], ensure_ascii=False)}`."
        for key, label in bounds.items()
        if isinstance(schema.get(key), str | int | float)
    ]
    return " ".join(each for each in told if each)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
