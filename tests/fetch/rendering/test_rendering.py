"""Pages that only a browser shows: a real Chromium where one is installed, and its gate in any case."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import missing
from web_site import Reply, WebSite, page

from wekadocs_fetch import Fetched, FetchFailed, Policy
from wekadocs_fetch.rendering.gate import Gate

APP = (
    '<div id="root"></div><script>'
    "fetch('/data.json').then(got => got.text()).then(text => { document.getElementById('root').innerHTML ="
    " '<h1>' + text + '</h1>' });"
    "for (const place of INSIDE) { fetch(place).then(() => { document.title = 'reached ' + place }).catch(() => 0) }"
    "</script>"
)


def rendered(reading: Any, path: str) -> Fetched | FetchFailed:
    async def main() -> Fetched | FetchFailed:
        async with reading.fetcher() as fetcher:
            found = await fetcher.fetch(reading.site.url(path))
            try:
                return await fetcher.render(found)
            except FetchFailed as error:
                return error

    return asyncio.run(main())


@pytest.fixture
def browsing(reading: Any) -> Any:
    if why := missing("chromium"):
        pytest.skip(why)
    # Tests may run as root, which Chromium only does without its sandbox; the pages are our own.
    reading.settings.update(browser="chromium", browser_arguments=["--no-sandbox"], timeout_seconds=60)
    return reading


@pytest.mark.browser
def test_a_page_made_by_its_scripts_is_read_and_reaches_nothing_private(browsing: Any) -> None:
    site = browsing.site
    looked_up: list[str] = []

    async def resolve(host: str, port: int) -> Any:
        looked_up.append(host)
        return await only_this_machine(host, port)

    only_this_machine, browsing.resolve = browsing.resolve, resolve
    with WebSite() as inside:
        names = [inside.url("/secret"), f"http://localhost:{inside.port}/secret", "http://169.254.169.254/latest/"]
        site.replies["/app"] = page("App", APP.replace("INSIDE", str(names)))
        site.replies["/data.json"] = Reply("Made by a script", headers={"Content-Type": "application/json"})
        found = rendered(browsing, "/app")
        assert isinstance(found, Fetched), found
        assert "<h1>Made by a script</h1>" in found.text
        assert "<title>App</title>" in found.text
        assert inside.asked == []
        assert set(looked_up) <= {"localhost"}, "the browser asks for nothing on its own"


@pytest.mark.browser
def test_a_page_that_never_ends_is_given_up_and_leaves_no_process(browsing: Any) -> None:
    browsing.site.replies["/endless"] = page("Endless", "<script>for (;;) {}</script>")
    browsing.settings["timeout_seconds"] = 3
    found = rendered(browsing, "/endless")
    assert isinstance(found, FetchFailed)
    assert (found.code, found.reason) == ("TIMEOUT", "the browser did not show it in time")
    running = [each.read_bytes() for each in Path("/proc").glob("[0-9]*/cmdline") if each.is_file()]
    assert not any(b"/endless" in each for each in running)


def test_without_a_browser_there_is_none(reading: Any) -> None:
    found = rendered(reading, "/script-only")
    assert isinstance(found, FetchFailed) and found.code == "RENDER_FAILED"


def test_a_browser_that_is_not_there_is_told(reading: Any) -> None:
    reading.settings["browser"] = "no-such-browser"
    found = rendered(reading, "/script-only")
    assert isinstance(found, FetchFailed)
    assert found.reason == "the browser that the settings name is not installed"


@pytest.mark.parametrize(
    "asked",
    [
        "GET http://10.0.0.1/ HTTP/1.1",
        "GET http://127.0.0.1:1/ HTTP/1.1",
        "GET http://0x7f.1/ HTTP/1.1",
        "CONNECT 169.254.169.254:443 HTTP/1.1",
        "CONNECT [::1]:443 HTTP/1.1",
        "CONNECT localhost:22 HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET / HTTP/1.1",
        "nonsense",
    ],
)
def test_the_gate_lets_nothing_private_through(reading: Any, connected: Callable[[], list[Any]], asked: str) -> None:
    async def main() -> bytes:
        async with Gate(Policy(), reading.resolve, 1 << 20) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            writer.write(f"{asked}\r\nHost: x\r\n\r\n".encode())
            said = await reader.read(100)
            writer.close()
            places.append(gate.port)
            return said

    places: list[int] = []
    assert asyncio.run(main()).startswith(b"HTTP/1.1 403")
    assert {place[1] for place in connected()} == set(places)


def test_the_gate_passes_on_what_is_allowed_and_counts_it(reading: Any) -> None:
    async def main(most: int) -> bytes:
        async with Gate(Policy([reading.site.place]), reading.resolve, most) as gate:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            writer.write(f"GET {reading.site.url('/plain.txt')} HTTP/1.1\r\nProxy-Connection: x\r\n\r\n".encode())
            said = await reader.read()
            writer.close()
            return said

    assert asyncio.run(main(1 << 20)).endswith(b"Plain words.\n")
    assert asyncio.run(main(0)) == b""
    assert all("proxy-connection" not in headers for _, _, headers in reading.site.asked)
