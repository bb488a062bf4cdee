"""A contract's schema made to stand alone: shared fragments put in place, undeclared arguments closed out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wekadocs_contracts.problems import Problem, Refused

from . import schema_bounds
from .schemas import Schema, at_pointer, children
from .source import Pointer, Source

_ANNOTATIONS = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})
# What names or holds parts of a fragment's own file; put in place, it needs none of them.
_FILE_ONLY = frozenset({"$schema", "$id", "$anchor", "$defs", "definitions"})
SHARED = "wekadocs:shared/"

Fragments = Callable[[str], Source | None]


class Bundler:
    """Copies a schema with every shared fragment put in place, so that it stands alone on the wire."""

    def __init__(self, source: Source, fragments: Fragments) -> None:
        self.source = source
        self.fragments = fragments
        self.problems: list[Problem] = []
        self._copied = 0

    def bundle(self, schema: Schema, pointer: Pointer) -> Schema:
        bundled: Schema = self._copy(schema, self.source, schema, pointer, ())
        return bundled

    def _copy(self, schema: object, source: Source, root: object, pointer: Pointer, within: tuple[str, ...]) -> Any:
        if not isinstance(schema, Mapping):
            return schema
        self._copied += 1
        if self._copied > schema_bounds.MAX_UNFOLDED:
            raise Refused(
                [self.source.problem(pointer, schema_bounds.UNFOLDS, schema_bounds.hint(schema_bounds.UNFOLDS))]
            )
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
        self, ref: object, beside: Schema, source: Source, root: object, pointer: Pointer, within: tuple[str, ...]
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
