"""A deployment's tools.yaml laid over the shipped one: what holds, and which file and line says so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wekadocs_contracts.format.source import Pointer, Source, dotted, read
from wekadocs_contracts.problems import Problem, StartError, did_you_mean
from wekadocs_mcp import __version__, shipped
from wekadocs_mcp.transports.fast_door import cache as files

NOTHING = "none"  # `extends: none` starts from nothing; anything else from the shipped file


@dataclass
class Layer:
    """One file, or data in hand. A cached start has not read the file until a place in it has to be shown."""

    path: str
    data: Any = None
    source: Source | None = None
    cached_as: str = ""

    def located(self) -> Source:
        """The file with its places; an empty one where there is no file."""
        if self.source is None:
            try:
                self.source = read(self.path, keep_going=True)
            except StartError:
                self.source = Source(self.path, "")
        return self.source

    def depth(self, pointer: Pointer) -> int:
        """How much of the way to a place this file goes itself."""
        found, steps = self.data, 0
        for part in pointer:
            items = dict(enumerate(found)) if isinstance(found, list) else found
            if not isinstance(items, dict) or part not in items:
                break
            found, steps = items[part], steps + 1
        return steps


class Layers:
    """The files in use, the one that wins last."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = list(layers)
        self.data: Any = None
        for layer in self._layers:
            self.data = _over(self.data, {} if layer.data is None else layer.data)
        self._dropped = self._drop() if isinstance(self.data, dict) else {}

    @property
    def paths(self) -> list[str]:
        return [layer.path for layer in self._layers]

    def saying(self, pointer: Pointer) -> Layer:
        """The layer that says what holds at a place: the one that goes further, or else the later."""
        return max(reversed(self._layers), key=lambda layer: layer.depth(pointer))

    def folder(self, pointer: Pointer) -> Path:
        """Where a relative path starts: beside the file that says it."""
        return Path(self.saying(pointer).path).resolve().parent

    def problem(self, pointer: Pointer, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        layer = self.saying(pointer)
        if not layer.located().text:
            return Problem(layer.path, message, hint, pointer=dotted(pointer))
        return layer.located().problem(pointer, message, hint, at_key=at_key)

    def problems(self, found: Iterable[Problem]) -> list[Problem]:
        """What is wrong with the files themselves, and what was `found` in their data, file by file."""
        found = [*found, *self._not_dropped()]
        told: list[Problem] = []
        for layer in reversed(self._layers):
            here = [each for each in found if each.file == layer.path]
            told += here if layer.source is None else layer.source.with_own(here)
        return told

    def keep(self) -> None:
        """Remember what was read and found right, by the files' bytes."""
        for layer in self._layers:
            if layer.cached_as and layer.source is not None:
                files.write(layer.cached_as, json.dumps(layer.data or {}).encode())

    def _drop(self) -> dict[str, bool]:
        """`plugins.NAME: null` (or false) takes a plugin out; → whether there was one to take out."""
        plugins = self.data.get("plugins")
        if not isinstance(plugins, dict):
            return {}
        gone = [name for name, settings in plugins.items() if settings is None or settings is False]
        self.data["plugins"] = {name: settings for name, settings in plugins.items() if name not in gone}
        return {name: any(_has_plugin(layer, name) for layer in self._layers[:-1]) for name in gone}

    def _not_dropped(self) -> list[Problem]:
        below = [name for layer in self._layers[:-1] for name in (layer.data or {}).get("plugins", {})]
        return [
            self.problem(
                ("plugins", name),
                f"there is no plugin `{name}` to take out{did_you_mean(name, below)}",
                f"remove this entry, or write `{name}: {{}}` to have it",
                at_key=True,
            )
            for name, there in self._dropped.items()
            if not there
        ]


def of_file(path: str) -> Layers:
    """A file over the shipped one, unless it says `extends: none` or is the shipped one itself."""
    layer = _layer(path)
    return Layers([layer]) if _stands_alone(layer) else Layers([_layer(shipped.TOOLS_YAML), layer])


def of_data(data: Mapping[str, object], path: str) -> Layers:
    """Data in hand starts from nothing, unless it says that it extends something."""
    layer = Layer(path, dict(data))
    alone = data.get("extends", NOTHING) == NOTHING
    return Layers([layer] if alone else [_layer(shipped.TOOLS_YAML), layer])


def of_paths(paths: Sequence[str]) -> Layers:
    """The files of a start that is under way already, for the places in them."""
    return Layers([_layer(path) if Path(path).is_file() else Layer(path) for path in paths])


def _stands_alone(layer: Layer) -> bool:
    says_so = isinstance(layer.data, dict) and layer.data.get("extends") == NOTHING
    return says_so or Path(layer.path).resolve() == Path(shipped.TOOLS_YAML).resolve()


def _layer(path: str) -> Layer:
    name = f"config/{files.digest(__version__.encode(), *files.file_bytes(path))}.json"
    try:
        cached = json.loads(files.read(name) or b"null")
    except ValueError:
        cached = None
    if cached is not None:
        return Layer(path, cached)
    source = read(path, keep_going=True)
    return Layer(path, source.data, source, name)


def _has_plugin(layer: Layer, name: str) -> bool:
    plugins = layer.data.get("plugins") if isinstance(layer.data, dict) else None
    return isinstance(plugins, dict) and name in plugins


def _over(below: object, above: object) -> Any:
    """Maps merge deeply; lists, words, numbers and null replace."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return {**below, **{key: _over(below.get(key), value) for key, value in above.items()}}
