"""A small site on loopback, and a server with the plugin web that may reach it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "backends"))

from web_site import WebSite, page

WIDGETS = {
    "/widgets/": (
        "Widget home",
        "<main><h1>Widgets</h1><p>Widgets are small machines that Acme sells since 1990. See the "
        "<a href='/widgets/calibration.html'>calibration guide</a> for how to adjust them.</p>"
        "<p>Our <a href='/widgets/prices.html'>prices</a> are fair. The company is based in Oslo and employs forty people.</p>"  # noqa: E501
        "<h2>History</h2><p>The first widget was built by Jane Roe in a garage.</p></main>",
    ),
    "/widgets/calibration.html": (
        "Calibration guide",
        "<main><h1>Calibration</h1><p>To calibrate the widget, hold the red button for five seconds until the lamp blinks.</p>"  # noqa: E501
        "<p>More in <a href='drift.html'>sensor drift</a>.</p></main>",
    ),
    "/widgets/prices.html": ("Prices", "<main><h1>Prices</h1><p>A widget costs 20 euros.</p></main>"),
    "/widgets/drift.html": (
        "Sensor drift",
        "<main><h1>Sensor drift</h1><p>Sensor drift is corrected every 400 hours by the thermal compensator.</p></main>",  # noqa: E501
    ),
    "/net.html": (
        "Protocols",
        "<main><h1>Protocols</h1><h2>TCP</h2><p>TCP is connection-oriented and guarantees that data arrives in order.</p>"  # noqa: E501
        "<h2>UDP</h2><p>UDP is connectionless: datagrams may be lost, and it is faster.</p></main>",
    ),
}


@pytest.fixture
def site() -> Iterator[WebSite]:
    with WebSite() as open_site:
        for path, (title, body) in WIDGETS.items():
            open_site.replies[path] = page(title, body)
        yield open_site


class Asked:
    """A server in an event loop of its own."""

    def __init__(self, served: Any) -> None:
        self.served = served

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.served.ask(f"web.{tool}", arguments)
        return found

    def text(self, tool: str, **arguments: Any) -> str:
        outcome = self.served.outcome(f"web.{tool}", arguments)
        return str(outcome.content[0]["text"])

    def refused(self, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        outcome = self.served.outcome(f"web.{tool}", arguments)
        assert outcome.error is not None, outcome.data
        return str(outcome.content[0]["text"]), outcome.error["error"]


@pytest.fixture
def ask(site: WebSite, tmp_path: Path, serve: Callable[..., Any]) -> Callable[..., Asked]:
    """`ask(**settings)`: a server with these settings of the plugin, and nothing indexed."""

    def start(**settings: Any) -> Asked:
        web = {"allow_hosts": [site.place], "retries": 0, **settings}
        return Asked(serve(data_dir=tmp_path, plugins={"corpus": {}, "web": web}))

    return start


@pytest.fixture
def asked(ask: Callable[..., Asked]) -> Asked:
    return ask()
