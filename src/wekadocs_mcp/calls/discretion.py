"""What no client is told: where something lies on the server's machine or its network, and what an exception is called.

Messages of libraries name files and servers for whoever runs this one. On their way to a client the folders and the
addresses of this deployment fall away; the operator finds them with `doctor`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.errors import ToolError

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s,;)'\"]+")

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://")
_HOST = re.compile(r"\[[^\]]+\]|[^\s\[\]/:?#]+")


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
        """The addresses of servers that settings name; a host alone is a word like any other, but for one with a dot of
        which something is said to be at it."""
        names = sorted(_hosts(self._config), key=len, reverse=True)
        host, dotted = _either(names), _either([each for each in names if "." in each or ":" in each])
        path, more = r"/[^\s,;:)'\"]*", rf"(?:,{host}(?::\d+)?)*"
        several = rf"{host}(?::\d+)?{more}"
        whole = rf"[a-z][a-z0-9+.-]*://(?:[^\s/@]*@)?{several}(?:{path})?"
        placed = rf"(?<= at )(?:{several}(?:{path}|(?=:\s))|{dotted}(?![\w-]|\.\w))"
        return re.compile(rf"(?P<at> at )?(?:{whole}|{placed}|(?<!\w){host}:\d+{more}(?:{path})?)(?P<colon>:(?=\s))?")


def _either(words: Sequence[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, words)) or '(?!)'})"


def _hosts(config: Config) -> set[str]:
    return {host for settings in config.plugins.values() for text in _texts(settings) for host in _hosts_of(text)}


def _hosts_of(text: str) -> Iterator[str]:
    """Of an address, or several with commas between. What could belong to a password does not name a server of
    PostgreSQL, see store/postgres/failures.py."""
    if _SCHEME.match(text):
        for scheme, address in zip(_SCHEME.findall(text), _SCHEME.split(text)[1:], strict=True):
            before = address.partition("?")[0].rpartition("@")[2] if scheme.startswith("postgres") else address
            servers = re.split(r"[\s/?#]", before, maxsplit=1)[0].rpartition("@")[2]
            yield from (found[0] for each in servers.split(",") if (found := _HOST.match(each)))


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
