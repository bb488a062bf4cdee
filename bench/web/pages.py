"""Pages a second, from a site on loopback: fetched with and without robots.txt, cache and guard, and taken in.

python bench/web/pages.py [PAGES]

A bare httpx client that asks the same server is the measure of the fetcher; CPU seconds of this process, since the
clock of a busy machine tells little. What the site itself uses is in all of them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "backends"))

import httpx  # noqa: E402
from web_site import WebSite  # noqa: E402

from wekadocs_fetch import Fetcher  # noqa: E402
from wekadocs_mcp.app import App  # noqa: E402
from wekadocs_mcp.calls.call import Caller  # noqa: E402
from wekadocs_mcp.config import deployment  # noqa: E402

SCHEMA = ROOT / "plugins" / "web" / "wekadocs_web" / "settings.schema.json"
DEFAULTS = {
    name: each["default"] for name, each in json.loads(SCHEMA.read_text())["properties"].items() if "default" in each
}


async def bare(urls: list[str], _: Path) -> None:
    turns = asyncio.Semaphore(4)
    async with httpx.AsyncClient(trust_env=False) as client:

        async def one(url: str) -> None:
            async with turns:
                (await client.get(url)).raise_for_status()

        await asyncio.gather(*map(one, urls))


def fetched(**settings: object) -> Callable[[list[str], Path], Awaitable[None]]:
    async def run(urls: list[str], folder: Path) -> None:
        place = urls[0].split("/")[2]
        async with Fetcher.of({**DEFAULTS, "allow_hosts": [place], **settings}, folder / "cache") as fetcher:
            await asyncio.gather(*map(fetcher.fetch, urls))

    return run


async def taken_in(urls: list[str], folder: Path) -> None:
    place = urls[0].split("/")[2]
    said = {"plugins": {"corpus": {}, "web": {"enabled": True, "allow_hosts": [place]}}}
    app = App.build(deployment.from_dict({**said, "scope": {"project_id": "bench", "environment": "prod"}}, folder))
    try:
        arguments = {"url": f"http://{place}/sitemap.xml", "max_pages": min(len(urls), 500)}
        outcome = await app.dispatcher.call("web.ingest", arguments, Caller())
        assert outcome.error is None, outcome.error
    finally:
        await app.lifespans.close()


WAYS = {
    "a bare httpx client": bare,
    "our fetcher, without cache": fetched(cache_bytes=0),
    "our fetcher": fetched(),
    "taken in (web.ingest)": taken_in,
}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{'':<28} {'pages/s':>9} {'CPU ms a page':>14} {'of bare':>8}")
    first = 0.0
    for name, way in WAYS.items():
        with WebSite() as site, tempfile.TemporaryDirectory() as folder:
            urls = [site.url(f"/docs/page-{number}.html") for number in range(count)]
            began, used = time.perf_counter(), time.process_time()
            asyncio.run(way(urls, Path(folder)))  # type: ignore[arg-type]
            took, cost = time.perf_counter() - began, time.process_time() - used
        first = first or cost
        print(f"{name:<28} {count / took:>9.0f} {1000 * cost / count:>14.2f} {cost / first:>8.1f}")


if __name__ == "__main__":
    main()
