"""A fetcher with the plugin's own settings, a site on loopback, and a record of every connection this process opens."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from web_site import WebSite

from wekadocs_fetch import Fetched, Fetcher, FetchFailed, Limits, Policy
from wekadocs_fetch.guard.resolving import by_system
from wekadocs_fetch.guard.spellings import as_address

SCHEMA = Path(__file__).parents[2] / "plugins" / "web" / "wekadocs_web" / "settings.schema.json"
DEFAULTS = {
    name: each["default"] for name, each in json.loads(SCHEMA.read_text())["properties"].items() if "default" in each
}
_CONNECTED: list[Any] = []


def _record(event: str, arguments: tuple[Any, ...]) -> None:
    """And nothing leaves this machine, whatever a test gets wrong."""
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        _CONNECTED.append(arguments[1])
        address = as_address(str(arguments[1][0]))
        if address is None or not address.is_loopback:
            raise ConnectionRefusedError(f"a test tried to connect to {arguments[1]}")


async def only_this_machine(host: str, port: int) -> Any:
    """No name server is asked."""
    if host != "localhost":
        raise socket.gaierror(socket.EAI_NONAME, "tests ask no name server")
    return await by_system(host, port)


sys.addaudithook(_record)  # stays for good; only what is added between two looks counts


class Reading:
    """Settings as a user would change them, and one page or why there is none."""

    def __init__(self, site: WebSite, folder: Path) -> None:
        self.site = site
        self.settings: dict[str, Any] = {**DEFAULTS, "allow_hosts": [site.place], "retries": 0}
        self.folder = folder
        self.resolve: Any = only_this_machine

    def fetcher(self) -> Fetcher:
        settings = self.settings
        how = {"trust_proxy": settings["trust_proxy"], "ca_file": settings.get("ca_file"), "resolve": self.resolve}
        how |= {"browser": settings.get("browser"), "browser_arguments": settings["browser_arguments"]}
        return Fetcher(Limits.of(settings), Policy.of(settings), cache_dir=self.folder, **how)

    def run(self, *urls: str, **how: Any) -> list[Fetched | FetchFailed]:
        async def main() -> list[Fetched | FetchFailed]:
            async with self.fetcher() as fetcher:
                return [await _tried(fetcher, self._whole(url), how) for url in urls]

        return asyncio.run(main())

    def page(self, url: str, **how: Any) -> Fetched:
        (found,) = self.run(url, **how)
        assert isinstance(found, Fetched), found
        return found

    def failure(self, url: str, **how: Any) -> FetchFailed:
        (found,) = self.run(url, **how)
        assert isinstance(found, FetchFailed), found
        return found

    def _whole(self, url: str) -> str:
        return self.site.url(url) if url.startswith("/") else url


async def _tried(fetcher: Fetcher, url: str, how: dict[str, Any]) -> Fetched | FetchFailed:
    try:
        return await fetcher.fetch(url, **how)
    except FetchFailed as error:
        return error


@pytest.fixture
def site() -> Iterator[WebSite]:
    with WebSite() as running:
        yield running


@pytest.fixture
def reading(site: WebSite, tmp_path: Path) -> Reading:
    return Reading(site, tmp_path / "cache")


@pytest.fixture
def connected() -> Callable[[], list[Any]]:
    """What this process has connected to since the test began."""
    before = len(_CONNECTED)
    return lambda: _CONNECTED[before:]
