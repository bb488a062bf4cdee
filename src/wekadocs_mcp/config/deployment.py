"""tools.yaml: what one deployment serves. Strict like contracts, with the environment put in."""

from __future__ import annotations

import copy
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from wekadocs_contracts.format.defaults import Filler
from wekadocs_contracts.format.explain import Checker
from wekadocs_contracts.format.source import Pointer, dotted
from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp import shipped
from wekadocs_text import one_line

from . import layers
from .environment import expand, violations
from .layers import Layers

_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})


# Environment names that are settings rather than switches.
ENVIRONMENT_SETTINGS = {"MAX_RESPONSE_BYTES": ("server", "max_response_bytes")}


@dataclass(frozen=True)
class Options:
    """What the command line adds to tools.yaml."""

    plugin_paths: tuple[str, ...] = ()
    enable: tuple[str, ...] = ()
    toolsets: tuple[str, ...] = ()
    read_only: bool = False
    dev: bool = False
    docs: str | None = None
    openapi: bool = False


@dataclass
class Config:
    path: str
    # It and what it is laid over, the one that wins last.
    files: list[str]
    data_dir: Path
    server: dict[str, Any]
    plugins: dict[str, dict[str, Any]]
    plugin_paths: list[Path]
    scope: dict[str, Any]
    flags: dict[str, bool]
    toolsets: dict[str, Any]
    overlays: dict[str, dict[str, Any]]
    budgets: dict[str, Any]
    options: Options = field(default_factory=Options)
    environment: dict[str, str | None] = field(default_factory=dict)
    # Where the environment was put in, by dotted place → as the file has it.
    expanded: dict[str, str] = field(default_factory=dict)

    def flag(self, name: str) -> bool | None:
        """A switch's state: the environment over tools.yaml; None when neither knows it."""
        value = os.environ.get(name)
        self.environment[name] = value
        if value is None or value == "":
            return self.flags.get(name)
        if value.lower() in _TRUE | _FALSE:
            return value.lower() in _TRUE
        hint = "write 1/true/yes/on or 0/false/no/off"
        raise StartError([Problem(f"environment variable {name}", "its value is not a switch position", hint)])

    def problem(self, pointer: Pointer, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        """A caret error in the file that says what holds, read again because a cached start never parsed it."""
        return self.layers().problem(pointer, message, hint, at_key=at_key)

    def layers(self) -> Layers:
        return layers.of_paths(self.files)


def default_data_dir() -> Path:
    explicit = os.environ.get("WEKADOCS_DATA")
    if explicit:
        return Path(explicit).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "wekadocs-mcp"


def load(path: Path | str | None = None, data_dir: Path | str | None = None, options: Options | None = None) -> Config:
    """Read tools.yaml, laid over the shipped one, and put the environment in."""
    file = Path(path or os.environ.get("WEKADOCS_CONFIG") or shipped.TOOLS_YAML)
    if not file.is_file():
        hint = "name an existing file with --config, or leave it out for the shipped one"
        raise StartError([Problem(str(file), "there is no such tools.yaml", hint)])
    said = layers.of_file(str(file))
    config = _finish(said, data_dir, options or Options())
    said.keep()
    return config


def from_dict(
    data: Mapping[str, object],
    data_dir: Path | str | None = None,
    options: Options | None = None,
    base: Path | None = None,
) -> Config:
    """The same from data in hand, laid over nothing; `base` is where relative paths start."""
    return _finish(layers.of_data(data, str((base or Path.cwd()) / "tools.yaml")), data_dir, options or Options())


@cache
def _schema() -> dict[str, Any]:
    path = Path(shipped.CONTRACTS) / "_schema" / "tools.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def _finish(said: Layers, data_dir: Path | str | None, options: Options) -> Config:
    data = copy.deepcopy(said.data)
    environment: dict[str, str | None] = {}
    expanded: dict[str, str] = {}
    unset: list[Problem] = []
    data = expand(data, (), environment, expanded, unset, said.problem)
    problems = said.problems([*unset, *_problems(said, data, expanded, {each.pointer for each in unset})])
    if problems:
        raise StartError(problems)
    data = Filler(_schema()).fill(data)
    _environment_settings(data, environment)
    folder = said.folder(("plugin_paths",))
    plugins = {name: dict(settings) for name, settings in data["plugins"].items()}
    config = Config(
        path=said.paths[-1],
        files=said.paths,
        data_dir=Path(data_dir).expanduser().absolute() if data_dir else default_data_dir().absolute(),
        server={
            **data["server"],
            "read_only": data["server"]["read_only"] or options.read_only,
            "openapi": data["server"]["openapi"] or options.openapi,
        },
        plugins=plugins,
        plugin_paths=[
            *(folder / Path(each).expanduser() for each in data["plugin_paths"]),
            *(Path(each).expanduser().absolute() for each in options.plugin_paths),
        ],
        scope=data["scope"],
        flags=data["flags"],
        toolsets={name: _toolset(value) for name, value in data["toolsets"].items()},
        overlays=data["overlays"],
        budgets=data["budgets"],
        options=options,
        environment=environment,
        expanded=expanded,
    )
    if options.docs is not None:
        _documents(config, options.docs)
    _check_flags(config)
    return config


def _check_flags(config: Config) -> None:
    problems: list[Problem | str] = []
    for name in config.flags:
        try:
            config.flag(name)
        except StartError as error:
            problems.extend(error.problems)
    if problems:
        raise StartError(problems)


def _documents(config: Config, folder: str) -> None:
    """`serve --docs DIR` is the setting `docs` of the plugin that owns the documents."""
    if "corpus" not in config.plugins:
        hint = f"add `corpus: {{}}` under plugins: in {config.path}"
        raise StartError(
            [f"--docs {folder}: the plugin `corpus`, which reads documents, is not enabled\n  fix: {hint}"]
        )
    path = Path(folder).expanduser().absolute()
    if not os.access(path, os.R_OK):
        what = "may not be read by this user" if os.path.lexists(path) else "is not a folder"
        raise StartError([Problem(f"--docs {one_line(folder)}", what, "name the folder with the documents")])
    config.plugins["corpus"]["docs"] = str(path)


def _toolset(value: list[str] | Mapping[str, object]) -> dict[str, Any]:
    """Both ways to write one; `short` tells which it was, for the place of a mistake."""
    if isinstance(value, list):
        return {"tools": value, "strip_prefix": False, "short": True}
    return {"strip_prefix": False, "short": False, **value}


def _problems(said: Layers, data: object, expanded: Mapping[str, str], told: set[str]) -> list[Problem]:
    """What the published schema says, beside the places that were `told` already."""
    if not isinstance(data, dict):
        return [said.problem((), "tools.yaml is a mapping", "start with `server:` or `plugins:`")]
    found = violations(Checker(_schema()), data, (), expanded)
    others = [each for each in found if dotted(each.pointer) not in told]
    return [said.problem(each.pointer, each.message, _hint(each.pointer), at_key=each.at_key) for each in others]


def _hint(pointer: Pointer) -> str:
    if len(pointer) == 2 and pointer[0] == "plugins":
        return f"`{pointer[1]}: {{}}` has it, with its settings inside; null or false takes it out"
    return "contracts/_schema/tools.schema.json lists every key and its values"


def _environment_settings(data: dict[str, dict[str, object]], environment: dict[str, str | None]) -> None:
    for name, (section, key) in ENVIRONMENT_SETTINGS.items():
        environment[name] = value = os.environ.get(name)
        if value:
            limit = _schema()["properties"][section]["properties"][key]
            if not re.fullmatch("[0-9]{1,12}", value) or not limit["minimum"] <= int(value) <= limit["maximum"]:
                message = f"is not a whole number from {limit['minimum']} to {limit['maximum']}"
                raise StartError([Problem(f"environment variable {name}", message, "correct or unset it")])
            data[section][key] = int(value)
