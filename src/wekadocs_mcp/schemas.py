"""What the host does to a contract's JSON Schemas: bundle, tighten, look up caps, check defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import Problem, did_you_mean, nearest
from .explain import Checker, at_pointer
from .source import Pointer, Source

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLES = (
    "items", "additionalProperties", "contains", "not", "if", "then", "else",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
)  # fmt: skip
_WORDS = (
    "$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions "
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern "
    "maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired "
    "properties patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties "
    "items prefixItems contains allOf anyOf oneOf not if then else dependentSchemas "
    "title description default deprecated readOnly writeOnly examples format "
    "contentEncoding contentMediaType contentSchema"
)
KEYWORDS = frozenset(_WORDS.split())
_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})
# What names or holds parts of a fragment's own file; put in place, it needs none of them.
_FILE_ONLY = frozenset({"$schema", "$id", "$anchor", "$defs", "definitions"})
SHARED = "wekadocs:shared/"

Fragments = Callable[[str], Source | None]
Schema = dict[str, Any]


def subschemas(schema: Any, pointer: Pointer = ()) -> Iterator[tuple[Pointer, Schema]]:
    """Every schema inside a schema, itself first; values of default, enum and examples are data, not schemas."""
    if not isinstance(schema, Mapping):
        return
    yield pointer, schema  # type: ignore[misc]
    for place, child in children(schema):
        yield from subschemas(child, (*pointer, *place))


def children(schema: Mapping[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    for keyword in _MAPS:
        if isinstance(schema.get(keyword), Mapping):
            for name, child in schema[keyword].items():
                yield (keyword, name), child
    for keyword in _LISTS:
        if isinstance(schema.get(keyword), list):
            for index, child in enumerate(schema[keyword]):
                yield (keyword, index), child
    for keyword in _SINGLES:
        if isinstance(schema.get(keyword), Mapping):
            yield (keyword,), schema[keyword]


class Bundler:
    """Copies a schema with every shared fragment put in place, so that it stands alone on the wire."""

    def __init__(self, source: Source, fragments: Fragments) -> None:
        self.source = source
        self.fragments = fragments
        self.problems: list[Problem] = []

    def bundle(self, schema: Schema, pointer: Pointer) -> Schema:
        bundled: Schema = self._copy(schema, self.source, schema, pointer, ())
        return bundled

    def _copy(self, schema: Any, source: Source, root: Any, pointer: Pointer, within: tuple[str, ...]) -> Any:
        if not isinstance(schema, Mapping):
            return schema
        copied: Schema = {key: value for key, value in schema.items() if key != "$ref"}
        for place, child in children(schema):
            holder: Any = copied
            for part in place[:-1]:
                holder[part] = type(holder[part])(holder[part])
                holder = holder[part]
            holder[place[-1]] = self._copy(child, source, root, (*pointer, *place), within)
        if "$ref" not in schema:
            return copied
        return self._resolve(schema["$ref"], copied, source, root, (*pointer, "$ref"), within)

    def _resolve(
        self, ref: Any, beside: Schema, source: Source, root: Any, pointer: Pointer, within: tuple[str, ...]
    ) -> Schema:
        if isinstance(ref, str) and ref.startswith("#"):
            if at_pointer(root, ref[1:]) is None:
                hint = "define it under $defs of the same schema"
                self.problems.append(source.problem(pointer, f"$ref {ref} points to nothing", hint))
                return beside
            if not within:
                return {"$ref": ref, **beside}
            target, home, local = at_pointer(root, ref[1:]), source, f"{within[-1].partition('#')[0]}{ref}"
        elif isinstance(ref, str) and ref.startswith(SHARED):
            name, _, fragment = ref[len(SHARED) :].partition("#")
            found = self.fragments(name)
            home, root, local = found or source, found.data if found else None, f"{name}#{fragment}"
            target = at_pointer(root, fragment) if found else None
            if target is None:
                hint = f"make _shared/{name}.yaml, or name one that exists"
                self.problems.append(source.problem(pointer, f"$ref {ref} points to nothing", hint))
                return beside
        else:
            hint = "copy it in, or share it as _shared/NAME.yaml and write $ref: wekadocs:shared/NAME"
            self.problems.append(source.problem(pointer, f"external $ref {ref} is refused", hint))
            return beside
        if local in within:
            hint = "a recursive schema must stand in the contract itself, under $defs"
            self.problems.append(source.problem(pointer, f"$ref {ref} refers to itself", hint))
            return beside
        if isinstance(target, Mapping):
            target = {key: value for key, value in target.items() if key not in _FILE_ONLY}
        inlined = self._copy(target, home, root, (), (*within, local))
        return merge(inlined if isinstance(inlined, dict) else {"allOf": [inlined]}, beside)


def merge(target: Schema, beside: Schema) -> Schema:
    """A fragment with what stood beside its $ref: annotations replace, assertions add."""
    clash = (target.keys() & beside.keys()) - _ANNOTATIONS
    return {"allOf": [target], **beside} if clash else {**target, **beside}


def tighten(schema: Schema) -> Schema:
    """Arguments nobody declared are refused unless the contract says otherwise."""
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return schema
    composed = any(keyword in schema for keyword in ("allOf", "anyOf", "oneOf", "$ref", "if", "patternProperties"))
    return {**schema, "unevaluatedProperties" if composed else "additionalProperties": False}


def in_order(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def check(schema: Schema, source: Source, pointer: Pointer) -> list[Problem]:
    """The schema compiles, and every default in it satisfies its own schema."""
    try:
        Checker(schema)
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        return [source.problem(pointer, f"not a usable JSON Schema: {first}", "see https://json-schema.org")]
    return [
        problem
        for place, node in subschemas(schema)
        for problem in (
            *_bad_default(schema, node, place, source, pointer),
            *_misspelt(node, (*pointer, *place), source),
            *_never_fits(node, (*pointer, *place), source),
        )
    ]


def _misspelt(node: Schema, place: Pointer, source: Source) -> Iterator[Problem]:
    """JSON Schema ignores what it does not know: a limit with a slip of the pen would limit nothing."""
    for name in node:
        if name not in KEYWORDS and not name.startswith("x-"):
            meant = nearest(name, KEYWORDS)
            if meant is not None:
                message = f"`{name}` is no JSON Schema keyword — did you mean `{meant}`?"
                hint = "correct it; keywords of your own begin with x-"
                yield source.problem((*place, name), message, hint, at_key=True)


def _never_fits(node: Schema, place: Pointer, source: Source) -> Iterator[Problem]:
    """An object that demands what it forbids."""
    closed = node.get("additionalProperties") is False and "patternProperties" not in node
    declared = node.get("properties", {})
    for name in node.get("required", []) if closed and isinstance(declared, Mapping) else ():
        if name not in declared:
            message = f"`{name}` is required, but is no property and no other is allowed{did_you_mean(name, declared)}"
            yield source.problem((*place, "required"), message, "declare it under properties, or correct the name")


def _bad_default(root: Schema, node: Schema, place: Pointer, source: Source, base: Pointer) -> Iterator[Problem]:
    if "default" not in node:
        return
    for violation in sub_checker(root, place).violations(node["default"]):
        hint = "change the default, or the limit it breaks"
        where = (*base, *place, "default")
        yield source.problem(where, f"default {violation.message}", hint)


def sub_checker(root: Schema, place: Pointer) -> Checker:
    escaped = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)
    resource = {key: value for key, value in root.items() if key != "$schema"}
    return Checker(
        {"$defs": {"root": {**resource, "$id": "urn:contract"}}, "$ref": f"urn:contract#{_percent(escaped)}"}
    )


def _percent(pointer: str) -> str:
    from urllib.parse import quote

    return quote(pointer, safe="/~$!&'()*+,;=:@-._")


_CAP_WORDS = {"maximum": "", "exclusiveMaximum": "", "maxLength": " characters", "maxItems": " items"}
_FLOORS = ("minimum", "exclusiveMinimum", "minLength", "minItems")


def properties(root: Schema, schema: Any = None, seen: frozenset[str] = frozenset()) -> dict[str, Schema]:
    """The declared properties of an object schema, through $ref and allOf."""
    node = root if schema is None else schema
    if not isinstance(node, Mapping):
        return {}
    found: dict[str, Schema] = {}
    ref = node.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and ref not in seen:
        found.update(properties(root, at_pointer(root, ref[1:]), seen | {ref}))
    for part in node.get("allOf", []):
        found.update(properties(root, part, seen))
    for name, child in node.get("properties", {}).items():
        found[name] = {**found.get(name, {}), **child} if isinstance(child, Mapping) else {}
    return found


def resolved(root: Schema, schema: Schema, depth: int = 0) -> Schema:
    """A property's own keywords, with those of a local $ref and of allOf below them."""
    node: Schema = {}
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and depth < 8:
        target = at_pointer(root, ref[1:])
        node.update(resolved(root, target, depth + 1) if isinstance(target, dict) else {})
    for part in schema.get("allOf", []) if depth < 8 else []:
        node.update(resolved(root, part, depth + 1) if isinstance(part, dict) else {})
    return {**node, **schema}


def limits(root: Schema) -> dict[str, dict[str, Any]]:
    """`max`, `min` and `default` of every argument, by dotted path; what routing text and docs may cite."""
    table: dict[str, dict[str, Any]] = {"max": {}, "min": {}, "default": {}, "unit": {}}

    def note(schema: Schema, path: str, depth: int) -> None:
        node = resolved(root, schema)
        for keyword, unit in _CAP_WORDS.items():
            if keyword in node:
                table["max"][path], table["unit"][path] = node[keyword], unit
        for keyword in _FLOORS:
            if keyword in node:
                table["min"][path] = node[keyword]
        if "default" in node:
            table["default"][path] = node["default"]
        if depth < 6:
            for name, child in properties(root, node).items():
                note(child, f"{path}.{name}", depth + 1)

    for name, child in properties(root).items():
        if name != "scope":
            note(child, name, 0)
    return table
