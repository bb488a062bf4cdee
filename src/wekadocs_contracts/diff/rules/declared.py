"""Which arguments or fields a schema declares, however it spells them: through $ref, allOf, items, alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wekadocs_contracts.format.compiled import compiled

from .keywords import Pointer, get, listed, mapping, resolve

Path = tuple[str, ...]
_MAX_DEPTH = 6  # of what refers to itself
_MAX_LEVELS = 40
_MAX_NODES = 20_000
_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})


@dataclass
class Declared:
    """Instance path → where it is declared; and what stands for names that are not spelled out."""

    paths: dict[Path, Pointer] = field(default_factory=dict)
    patterns: dict[Path, list[str]] = field(default_factory=dict)
    maps: set[Path] = field(default_factory=set)
    spent: int = 0

    @property
    def truncated(self) -> bool:
        return self.spent > _MAX_NODES

    def covers(self, path: Path) -> bool:
        *parents, name = path
        parent = tuple(parents)
        if self.truncated or path in self.paths or parent in self.maps:
            return True
        return any(_matches(pattern, name) for pattern in self.patterns.get(parent, []))

    def mentions(self, name: str) -> bool:
        """Whether the name, or something that stands for it, is anywhere at all."""
        parents = {(), *self.patterns, *self.maps}
        return any(path[-1] == name for path in self.paths) or any(self.covers((*parent, name)) for parent in parents)


def _matches(pattern: str, name: str) -> bool:
    try:
        return bool(compiled({"type": "string", "pattern": pattern}).is_valid(name))
    except (ValueError, re.error):
        return False


def removed(old: object, new: object) -> Iterator[tuple[Path, Pointer]]:
    """What was promised outright and is nowhere any more; of a lost object only the object itself."""
    before, after = collect(old, outright=True), collect(new, outright=False)
    gone = {path for path in before.paths if not after.covers(path)}
    for path in before.paths:
        if path in gone and not any(path[:length] in gone for length in range(1, len(path))):
            yield path, before.paths[path]


def names(schema: object) -> set[str]:
    return {path[-1] for path in collect(schema, outright=False).paths if path}


def collect(schema: object, *, outright: bool) -> Declared:
    """`outright`: only what holds in every alternative; else what is mentioned in any."""
    found = Declared()
    _visit(schema, schema, (), (), frozenset(), found, outright)
    return found


def _visit(
    root: object,
    node: object,
    path: Path,
    pointer: Pointer,
    refs: frozenset[tuple[str, Path]],
    found: Declared,
    outright: bool,
) -> None:
    if not isinstance(node, Mapping) or len(path) > (_MAX_DEPTH if refs else _MAX_LEVELS) or found.truncated:
        return
    found.spent += 1
    target = resolve(root, node.get("$ref"))
    if target is not None and (node["$ref"], path) not in refs:
        # A recursive schema is unrolled as far as paths are followed, so that its spelling does not matter.
        _visit(root, target[0], path, target[1], refs | {(node["$ref"], path)}, found, outright)
    for name, child in mapping(node.get("properties")).items():
        if child is not False:
            found.paths.setdefault((*path, name), (*pointer, "properties", name))
            _visit(root, child, (*path, name), (*pointer, "properties", name), refs, found, outright)
    for pattern, child in mapping(node.get("patternProperties")).items():
        found.patterns.setdefault(path, []).append(pattern)
        _visit(root, child, (*path, "{}"), (*pointer, "patternProperties", pattern), refs, found, outright)
    rest = node.get("additionalProperties")
    if isinstance(rest, Mapping) and rest:
        found.maps.add(path)
        _visit(root, rest, (*path, "{}"), (*pointer, "additionalProperties"), refs, found, outright)
    for place, child in _items(node):
        _visit(root, child, (*path, "*"), (*pointer, *place), refs, found, outright)
    for place, child in _branches(node, outright):
        _visit(root, child, path, (*pointer, *place), refs, found, outright)


def _items(node: Mapping[str, object]) -> Iterator[tuple[Pointer, Any]]:
    items = node.get("items")
    yield from ((("items", index), each) for index, each in enumerate(listed(items)))
    yield ("items",), items
    yield from ((("prefixItems", index), each) for index, each in enumerate(listed(node.get("prefixItems"))))


def _branches(node: Mapping[str, object], outright: bool) -> Iterator[tuple[Pointer, Any]]:
    yield from ((("allOf", index), each) for index, each in enumerate(listed(node.get("allOf"))))
    for keyword in ("anyOf", "oneOf"):
        branches = listed(node.get(keyword))
        structured = [index for index, each in enumerate(branches) if not _is_scalar(each)]
        # One object or null is the object that may be absent; several objects are alternatives.
        if not outright or len(structured) == 1:
            yield from (((keyword, index), branches[index]) for index in structured)
    if not outright:
        yield from (((keyword,), node[keyword]) for keyword in ("then", "else", "if") if keyword in node)
        for name, child in mapping(node.get("dependentSchemas")).items():
            yield ("dependentSchemas", name), child


def _is_scalar(branch: object) -> bool:
    kind = get(branch, "type")
    return isinstance(branch, Mapping) and bool(
        {kind} <= _SCALARS if isinstance(kind, str) else isinstance(kind, list) and kind and set(kind) <= _SCALARS
    )
