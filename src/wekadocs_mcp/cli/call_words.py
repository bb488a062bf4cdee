"""The words after `wekadocs-mcp call TOOL`: one JSON object, or NAME=VALUE as often as needed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_contracts.format.schemas import Schema, properties, required, resolved
from wekadocs_contracts.problems import StartError


def arguments(words: Sequence[str], tool: str, schema: Schema, aliases: Mapping[str, str]) -> dict[str, Any]:
    """What is sent to the tool; `schema` tells which values are text and which are numbers, switches or lists."""
    if not words:
        return {}
    if len(words) == 1 and not _is_pair(words[0]):
        return _object(words[0], tool, schema)
    wrong = next((word for word in words if not _is_pair(word)), None)
    if wrong is not None:
        raise _unreadable(f"`{wrong}` is not NAME=VALUE", tool, schema)
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        _put(found, name.split("."), value, _Place(schema, schema, aliases), word)
    return found


class _Place:
    """A spot in the input schema, as far as it is declared."""

    def __init__(self, root: Schema, schema: Schema, aliases: Mapping[str, str] | None = None) -> None:
        self._root, self._schema, self._aliases = root, resolved(root, schema), aliases or {}

    def within(self, name: str) -> _Place:
        known = properties(self._root, self._schema)
        return _Place(self._root, known.get(self._aliases.get(name, name), {}))

    def items(self) -> _Place:
        items = self._schema.get("items")
        return _Place(self._root, items if isinstance(items, dict) else {})

    @property
    def types(self) -> set[str]:
        """What it may be, through alternatives; nothing where the schema does not say."""
        branches = [each for key in ("anyOf", "oneOf") for each in self._schema.get(key, []) if isinstance(each, dict)]
        kind = self._schema.get("type", [])
        own = {kind} if isinstance(kind, str) else set(kind)
        own |= {"string" for each in self._schema.get("enum", []) if isinstance(each, str)}
        return own.union(*(_Place(self._root, each).types for each in branches))

    def read(self, text: str) -> Any:
        """Text where text may stand; else what JSON makes of it, and what is no JSON is for the contract to refuse."""
        if "string" in self.types and not (text[:1] == "[" and "array" in self.types):
            return text
        try:
            return json.loads(text)
        except ValueError:
            return text


def _put(found: dict[str, Any], path: list[str], text: str, place: _Place, word: str) -> None:
    name, *rest = path
    here = place.within(name)
    if rest:
        inner = found.setdefault(name, {})
        if not isinstance(inner, dict):
            raise StartError([f"{word}: {name} has a value already"])
        _put(inner, rest, text, here, word)
    elif "array" in here.types and not text.startswith("["):
        found.setdefault(name, []).append(here.items().read(text))
    elif name in found:
        raise StartError([f"{word}: {name} has a value already, and is no list"])
    else:
        found[name] = here.read(text)


def _is_pair(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and bool(name) and not name.lstrip().startswith(("{", "[", '"'))


def _object(text: str, tool: str, schema: Schema) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"not JSON: {error}", tool, schema) from None
    if not isinstance(given, dict):
        raise _unreadable("the arguments are one JSON object", tool, schema)
    return given


def _unreadable(what: str, tool: str, schema: Schema) -> StartError:
    """Both ways to write them, shown on the tool's own first argument."""
    name = next(iter([*sorted(required(schema, schema)), *properties(schema)]), "name")
    pair, whole = f"wekadocs-mcp call {tool} {name}=…", f"wekadocs-mcp call {tool} '{{\"{name}\": …}}'"
    return StartError(
        [f"{what}\n  fix: {pair}\n   or: {whole} (in a shell within single quotes; - reads standard input)"]
    )
