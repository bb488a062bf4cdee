"""Any dialect → 2020-12, with nothing left but what decides validity.

The result has `$defs` only at the root and references only of the form `#/$defs/<name>`; unused definitions are gone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wekadocs_contracts.diff.proof.unusable import InvalidSchema, TooLarge, UnresolvableRef
from wekadocs_contracts.format.compiled import compiled
from wekadocs_contracts.format.schemas import Schema

from . import dialects
from .dialects import Dialect
from .inlining import inlined
from .references import Document

MAX_NODES = 20_000
MAX_DEPTH = 100

_LISTS = set(dialects.LISTS_OF_SCHEMAS)
_MAPS = set(dialects.MAPS_OF_SCHEMAS)
_SINGLES = set(dialects.SINGLE_SCHEMAS)


@dataclass(frozen=True)
class Normal:
    """`exact` is False where a dynamic reference was read as a static one: nothing may be proven from it."""

    schema: Any
    raw: Any
    exact: bool = True


def canonical_json(value: object) -> str:
    """Equal texts for equal JSON values: 1 is 1.0, but neither is true nor "1"."""
    return json.dumps(_whole(value), sort_keys=True, ensure_ascii=False, allow_nan=False)


def _whole(value: object) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def measure(value: object) -> None:
    """Refuses what is too large before anything walks it: aliases in YAML make small files huge."""
    todo, nodes = [(value, 0)], 0
    while todo:
        node, depth = todo.pop()
        nodes += 1
        if nodes > MAX_NODES or depth > MAX_DEPTH:
            raise TooLarge
        if isinstance(node, dict):
            todo.extend((item, depth + 1) for item in node.values())
        elif isinstance(node, list):
            todo.extend((item, depth + 1) for item in node)


def normalise(schema: object, prefix: str = "d") -> Normal:
    """Definitions are named `<prefix>0`, `<prefix>1`, … so that two schemas can be put together."""
    measure(schema)
    try:
        # A copy without shared parts: places are told apart by identity below.
        raw = json.loads(json.dumps(schema, allow_nan=False))
        json.dumps(raw, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise InvalidSchema(f"not JSON: {error}") from error
    if not isinstance(raw, dict | bool):
        raise InvalidSchema(f"a schema is an object or a boolean, not {json.dumps(raw)[:40]}")
    dialect = dialects.of(raw)
    _check(raw, dialect)
    normal = _Translator(raw, dialect, prefix).run()
    _compile(normal.schema)
    return normal


def _compile(schema: object) -> None:
    """What the dialect's own rules do not see: broken patterns, and references to places that hold no schema."""
    import jsonschema_rs

    if not isinstance(schema, dict) or not any(
        word in json.dumps(schema) for word in ('"pattern', '"allOf"', '"$defs"')
    ):
        return
    try:
        compiled(schema, validate_formats=False, offline=True)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise InvalidSchema(str(error).partition("\n")[0]) from error


def _check(raw: Any, dialect: Dialect) -> None:
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate({**raw, "$schema": _META[dialect]} if isinstance(raw, dict) else raw)
    except jsonschema_rs.ValidationError as error:
        place = "/".join(str(part) for part in error.instance_path)
        raise InvalidSchema(f"/{place}: {error.message}") from error


_META: dict[Dialect, str] = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    19: "https://json-schema.org/draft/2019-09/schema",
    20: "https://json-schema.org/draft/2020-12/schema",
}


class _Translator:
    def __init__(self, raw: object, dialect: Dialect, prefix: str) -> None:
        self.raw = raw
        self.prefix = prefix
        self.dialect = dialect
        self.keywords = dialects.ASSERTIONS[dialect]
        self.document = Document(raw, dialect)
        self.names: dict[int, str] = {}
        self.waiting: list[tuple[str, Any, str]] = []
        # Up to 2019-09 an item that `contains` found still counted as unevaluated.
        self.exact = not (dialect == 19 and '"contains"' in (text := json.dumps(raw)) and "unevaluatedItems" in text)

    def run(self) -> Normal:
        root = self.schema(self.raw, self.document.base_of(self.raw, ""))
        definitions: dict[str, Any] = {}
        while self.waiting:
            name, node, base = self.waiting.pop()
            definitions[name] = self.schema(node, base)
        _refuse_empty_cycles(definitions)
        if id(self.raw) in self.names:
            root = {"$ref": f"#/$defs/{self.names[id(self.raw)]}"}
        root, definitions = inlined(root, definitions)
        if definitions:
            root = {**_object(root), "$defs": definitions}
        measure(root)
        return Normal(root, self.raw, self.exact)

    def schema(self, node: object, base: str) -> Any:
        if not isinstance(node, dict):
            return node
        base = self.document.base_of(node, base)
        if self.dialect <= 7 and isinstance(node.get("$ref"), str):
            return self.reference(node["$ref"], base)
        out: dict[str, Any] = {}
        for keyword, value in node.items():
            if keyword in self.keywords:
                self.keyword(out, keyword, value, node, base)
        return out

    def keyword(self, out: Schema, keyword: str, value: Any, node: Schema, base: str) -> None:
        if keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            _conjoin(out, self.any_reference(keyword, value, base))
        elif keyword in ("items", "additionalItems") and self.dialect < 20:
            self.old_items(out, keyword, value, node, base)
        elif keyword == "dependencies":
            self.dependencies(out, value, base)
        elif keyword in ("exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum") and self.dialect == 4:
            _old_bound(out, keyword, node)
        elif keyword in _SINGLES:
            out[keyword] = self.schema(value, base)
        elif keyword in _LISTS:
            translated = [self.schema(item, base) for item in value]
            out[keyword] = [*out.get(keyword, []), *translated] if keyword == "allOf" else translated
        elif keyword in _MAPS:
            out[keyword] = {name: self.schema(item, base) for name, item in value.items()}
        else:
            out[keyword] = value

    def old_items(self, out: Schema, keyword: str, value: object, node: Schema, base: str) -> None:
        if keyword == "items" and isinstance(value, list):
            out["prefixItems"] = [self.schema(item, base) for item in value]
        elif keyword == "items" or isinstance(node.get("items"), list):
            out["items"] = self.schema(value, base)
        if out.get("prefixItems") == []:
            del out["prefixItems"]

    def dependencies(self, out: Schema, value: dict[str, object], base: str) -> None:
        for name, needed in value.items():
            if isinstance(needed, list):
                out.setdefault("dependentRequired", {})[name] = needed
            else:
                out.setdefault("dependentSchemas", {})[name] = self.schema(needed, base)

    def any_reference(self, keyword: str, ref: str, base: str) -> dict[str, Any]:
        document = self.document
        if keyword == "$recursiveRef":
            self.exact &= document.recursive_anchors == 0 or len(document.resources) <= 2
        if keyword == "$dynamicRef":
            rivals = document.dynamic.get(ref.partition("#")[2], [])
            self.exact &= len(rivals) <= 1
        return self.reference(ref, base)

    def reference(self, ref: str, base: str) -> dict[str, Any]:
        if not isinstance(ref, str):
            raise UnresolvableRef(str(ref))
        node, inner = self.document.resolve(ref, base)
        if isinstance(node, bool):
            return {} if node else {"not": {}}
        if id(node) not in self.names:
            self.names[id(node)] = f"{self.prefix}{len(self.names)}"
            self.waiting.append((self.names[id(node)], node, inner))
        return {"$ref": f"#/$defs/{self.names[id(node)]}"}


def _object(schema: object) -> dict[str, Any]:
    if isinstance(schema, dict):
        return schema
    return {} if schema else {"not": {}}


def _conjoin(out: Schema, reference: Schema) -> None:
    """Two kinds of reference may stand side by side."""
    if "$ref" not in out and set(reference) == {"$ref"}:
        out.update(reference)
    else:
        out["allOf"] = [*out.get("allOf", []), reference]


def _old_bound(out: Schema, keyword: str, node: Schema) -> None:
    """In draft-04 `exclusiveMinimum: true` changes what `minimum` means."""
    if keyword in ("minimum", "maximum"):
        exclusive = "exclusive" + keyword.capitalize()
        out[exclusive if node.get(exclusive) is True else keyword] = node[keyword]


def _refuse_empty_cycles(definitions: Mapping[str, object]) -> None:
    """A reference that leads to itself without entering the instance means nothing, and hangs validators."""
    done: set[str] = set()
    for name in definitions:
        _descend(name, definitions, (), done)


def _descend(name: str, definitions: Mapping[str, object], path: tuple[str, ...], done: set[str]) -> None:
    if name in path:
        raise InvalidSchema("a $ref leads back to itself without describing anything")
    if name in done or len(path) > MAX_DEPTH:
        return
    for inner in in_place_refs(definitions[name]):
        _descend(inner, definitions, (*path, name), done)
    done.add(name)


def in_place_refs(schema: object) -> list[str]:
    """The definitions that judge the same value as `schema` does."""
    if not isinstance(schema, dict):
        return []
    found = [schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else []
    for keyword in ("allOf", "anyOf", "oneOf"):
        found += [name for part in schema.get(keyword, ()) for name in in_place_refs(part)]
    for keyword in ("not", "if", "then", "else"):
        found += in_place_refs(schema.get(keyword))
    return found + [name for part in schema.get("dependentSchemas", {}).values() for name in in_place_refs(part)]
