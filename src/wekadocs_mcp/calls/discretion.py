"""What no client is told: where something lies on the server's machine or its network, and what an exception is called.

Messages of libraries name files and servers for whoever runs this one. On their way to a client the folders and the
addresses of this deployment fall away; the operator finds them with `doctor`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.errors import ToolError

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s,;)'\"]+")

_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^\s/@]*@)?(\[[^\]]+\]|[^\s/:?#]+)")


class Discretion:
    """For one deployment."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def error(self, error: ToolError) -> ToolError:
        told = {name: self._plain(getattr(error, name)) for name in ("message", "details", "beside")}
        return ToolError(error.code, told["message"], told["details"], error.retryable, told["beside"])

    def text(self, text: str) -> str:
        """Without the folders of this deployment: of a file its name, of a folder its last part."""
        return self._folders.sub(lambda found: "" if found[2] else Path(found[1]).name, text)

    def for_strangers(self, text: str) -> str:
        """Nor any address of a server behind this one."""
        return _ADDRESS.sub("…", self.text(text))

    def _plain(self, value: object) -> Any:
        if isinstance(value, str):
            return self._servers.sub(lambda found: "" if found["at"] else "its server", self.text(value))
        if isinstance(value, Mapping):
            return {key: self._plain(each) for key, each in value.items()}
        return [self._plain(each) for each in value] if isinstance(value, list | tuple) else value

    @cached_property
    def _folders(self) -> re.Pattern[str]:
        found = {str(way(each)) for each in _places(self._config) for way in (Path.absolute, Path.resolve)} - {os.sep}
        either = "|".join(re.escape(each) for each in sorted(found, key=len, reverse=True))
        return re.compile(rf"({either})(?:({re.escape(os.sep)})|(?![\w.-]))")

    @cached_property
    def _servers(self) -> re.Pattern[str]:
        """The addresses of servers that settings name; a host alone is a word like any other."""
        hosts = "|".join(sorted(map(re.escape, _hosts(self._config)), key=len, reverse=True)) or "(?!)"
        path = r"(?:/[^\s,;:)'\"]*)?"
        whole = rf"[a-z][a-z0-9+.-]*://(?:[^\s/@]*@)?(?:{hosts})(?::\d+)?{path}"
        return re.compile(rf"(?P<at> at )?(?:{whole}|\b(?:{hosts}):\d+{path})(?P<colon>:(?=\s))?")


def _hosts(config: Config) -> set[str]:
    given = (_HOST.match(each) for settings in config.plugins.values() for each in _texts(settings))
    return {each[1] for each in given if each}


def _places(config: Config) -> Iterator[Path]:
    own = (Path(sys.prefix), Path(__file__).parent)
    yield from (config.data_dir, Path(config.path).parent, Path.cwd(), Path.home(), *own, *config.plugin_paths)
    for settings in config.plugins.values():
        yield from (each.parent for each in map(Path, _texts(settings)) if each.is_absolute())


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def neutral(error: BaseException) -> str:
    """Why something failed, by the kind of exception and never in its words."""
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, ConnectionError):
        return "a server it needs cannot be reached"
    if isinstance(error, ImportError):
        return "a package it needs is missing"
    if isinstance(error, OSError):
        return "a file or folder it needs cannot be used"
    return "it failed"
