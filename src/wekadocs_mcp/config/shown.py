"""What holds in a deployment, setting by setting, with the file and line that says so; secrets are never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wekadocs_contracts.format.source import Pointer, dotted
from wekadocs_mcp.plugins import discovery

from .deployment import ENVIRONMENT_SETTINGS, Config
from .environment import names_in
from .layers import Layers

HIDDEN = "(hidden)"
_SECTIONS = ("server", "plugins", "plugin_paths", "scope", "flags", "toolsets", "overlays", "budgets")
_SECRET_NAME = re.compile(r"(?i)passw|secret|token$|(api|private)_?key|authorization|credential")
_SECRET_IN_URL = re.compile(r"(://)[^/@\s]+@")


@dataclass(frozen=True)
class Setting:
    """One value that holds. `said` tells by whom: a file, the environment, the command line or the schema's default."""

    key: str
    value: Any
    said: str
    file: str | None = None
    line: int | None = None


def settings(config: Config) -> list[Setting]:
    layers, whole = config.layers(), _whole(config)
    return [_setting(config, layers, *each) for each in _leaves(whole, ())]


def _whole(config: Config) -> dict[str, Any]:
    """Every section with its defaults; of plugins that are on, the settings as they get them."""
    whole = {section: getattr(config, section) for section in _SECTIONS}
    given = {spec.name: spec.settings for spec in discovery.find(config)}
    whole["plugins"] = {name: {**entry, **given.get(name, {})} for name, entry in config.plugins.items()}
    for name in config.options.enable:
        whole["plugins"].setdefault(name, given[name])["enabled"] = True
    whole["flags"] = {name: config.flag(name) for name in config.flags}
    whole["plugin_paths"] = [str(path) for path in config.plugin_paths]
    whole["toolsets"] = {
        name: toolset["tools"] if toolset["short"] else {key: toolset[key] for key in ("tools", "strip_prefix")}
        for name, toolset in config.toolsets.items()
    }
    return whole


def _leaves(value: object, pointer: Pointer) -> Iterator[tuple[Pointer, Any]]:
    if isinstance(value, dict) and (value or len(pointer) > 1):
        if not value:
            yield pointer, value
        for key, child in value.items():
            yield from _leaves(child, (*pointer, key))
    elif not isinstance(value, dict):
        yield pointer, value


def _setting(config: Config, layers: Layers, pointer: Pointer, value: object) -> Setting:
    said, file, line = _said(config, layers, pointer)
    return Setting(dotted(pointer)[2:], _shown(config, pointer, value), said, file, line)


def _said(config: Config, layers: Layers, pointer: Pointer) -> tuple[str, str | None, int | None]:
    for name, place in ENVIRONMENT_SETTINGS.items():
        if pointer == place and os.environ.get(name):
            return f"environment variable {name}", None, None
    if pointer[0] == "flags" and os.environ.get(str(pointer[-1])):
        return f"environment variable {pointer[-1]}", None, None
    if option := _option(config, pointer):
        return option, None, None
    layer = layers.saying(pointer)
    if layer.depth(pointer) < len(pointer):
        return "default", None, None
    return "file", layer.path, layer.located().line(pointer)


def _option(config: Config, pointer: Pointer) -> str | None:
    options = config.options
    given: dict[tuple[str, ...], str | None] = {
        ("server", "read_only"): "--read-only" if options.read_only else None,
        ("plugin_paths",): "--plugins" if options.plugin_paths else None,
        **{("plugins", name, "enabled"): "--enable" for name in options.enable},
    }
    return given.get(tuple(map(str, pointer)))


def _shown(config: Config, pointer: Pointer, value: object) -> Any:
    """The value, without what the environment gave, what is called like a secret, and who asks in an address."""
    place = dotted(pointer)
    put_in = [raw for where, raw in config.expanded.items() if where == place or where.startswith(f"{place}[")]
    if any(os.environ.get(name) for raw in put_in for name in names_in(raw)):
        return f"{', '.join(put_in)} {HIDDEN}"
    if value and any(_SECRET_NAME.search(str(part)) for part in pointer[1:]):
        return HIDDEN
    return _without_user(value)


def _without_user(value: object) -> Any:
    if isinstance(value, str):
        return _SECRET_IN_URL.sub(rf"\1{HIDDEN}@", value)
    if isinstance(value, list):
        return [_without_user(each) for each in value]
    return value
