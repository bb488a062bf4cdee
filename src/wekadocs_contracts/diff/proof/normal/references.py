"""Where a `$ref` leads, inside one document: pointers, `$id`, `$anchor`; never the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from wekadocs_contracts.diff.proof.unusable import UnresolvableRef

from .dialects import Dialect


class Document:
    """Every place of a raw document that a reference can name."""

    def __init__(self, root: object, dialect: Dialect) -> None:
        self.id_keyword = "id" if dialect == 4 else "$id"
        self.hides_siblings = dialect <= 7
        self.resources: dict[str, Any] = {"": root}
        self.anchors: dict[tuple[str, str], Any] = {}
        self.dynamic: dict[str, list[Any]] = {}
        self.bases: dict[int, str] = {}
        self.recursive_anchors = 0
        self._scan(root)

    def _scan(self, root: object) -> None:
        todo: list[tuple[Any, str]] = [(root, "")]
        while todo:
            node, base = todo.pop()
            if isinstance(node, dict):
                base = self._enter(node, base)
                self.bases[id(node)] = base
                # Values of `enum`, `const`, `default`, `examples` are data, whatever they look like.
                todo.extend((v, base) for k, v in node.items() if k not in ("enum", "const", "default", "examples"))
            elif isinstance(node, list):
                todo.extend((item, base) for item in node)

    def _enter(self, node: Mapping[str, object], base: str) -> str:
        named = node.get(self.id_keyword)
        if isinstance(named, str) and not (self.hides_siblings and isinstance(node.get("$ref"), str)):
            where, fragment = urldefrag(named)
            if where:
                base = urljoin(base, where) if base else where
                self.resources[base] = node
            if fragment and "/" not in fragment:
                self.anchors[base, fragment] = node
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := node.get(keyword), str):
                self.anchors[base, name] = node
                if keyword == "$dynamicAnchor":
                    self.dynamic.setdefault(name, []).append(node)
        self.recursive_anchors += node.get("$recursiveAnchor") is True
        return base

    def base_of(self, node: object, otherwise: str) -> str:
        return self.bases.get(id(node), otherwise)

    def resolve(self, ref: str, base: str) -> tuple[Any, str]:
        """The schema that `ref` names, and the base that references inside it start from."""
        where, fragment = urldefrag(ref)
        url = urljoin(base, where) if where and base else where or base
        if url not in self.resources:
            raise UnresolvableRef(ref)
        root = self.resources[url]
        if not fragment:
            return root, self.base_of(root, url)
        if fragment.startswith("/"):
            return self._follow(root, fragment, url, ref)
        if (url, fragment) not in self.anchors:
            raise UnresolvableRef(ref)
        return self.anchors[url, fragment], url

    def _follow(self, node: object, fragment: str, base: str, ref: str) -> tuple[Any, str]:
        for raw in fragment[1:].split("/"):
            part = unquote(raw).replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and part in node:
                node = node[part]
            elif isinstance(node, list) and part.isascii() and part.isdigit() and int(part) < len(node):
                node = node[int(part)]
            else:
                raise UnresolvableRef(ref)
            base = self.base_of(node, base)
        if not isinstance(node, dict | bool):
            raise UnresolvableRef(ref)
        return node, base


def static(schema: object) -> Any:
    """`$dynamicRef` as `$ref`, where the document has one place only that it can lead to."""
    text = repr(schema)
    if "$dynamicRef" not in text:
        return schema
    anchors = [node["$dynamicAnchor"] for node in _nodes(schema) if isinstance(node.get("$dynamicAnchor"), str)]
    once = {f"#{name}" for name in anchors if anchors.count(name) == 1}
    return _static(schema, once) if "$id" not in text else schema


def _nodes(value: object) -> list[dict[str, Any]]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [*([value] if isinstance(value, dict) else []), *(node for each in inner for node in _nodes(each))]


def _static(value: object, once: set[str]) -> Any:
    if isinstance(value, list):
        return [_static(each, once) for each in value]
    if not isinstance(value, dict):
        return value
    named = value.get("$dynamicRef")
    plain = isinstance(named, str) and named in once and "$ref" not in value
    return {"$ref" if plain and key == "$dynamicRef" else key: _static(each, once) for key, each in value.items()}
