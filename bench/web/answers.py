"""How long an answer takes, from a site on loopback: cold (fetched and indexed), warm (indexed), following a link.

python bench/web/answers.py [TIMES]

Ratios to a warm answer; CPU seconds of this process, since the clock of a busy machine tells little.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "backends"))

from web_site import WebSite  # noqa: E402

from wekadocs_mcp.app import App  # noqa: E402
from wekadocs_mcp.calls.call import Caller  # noqa: E402
from wekadocs_mcp.config import deployment  # noqa: E402


async def timed(app: App, tool: str, **arguments: Any) -> tuple[float, float, dict[str, Any]]:
    clock, cpu = time.perf_counter(), time.process_time()
    outcome = await app.dispatcher.call(tool, arguments, Caller())
    assert outcome.error is None, outcome.error
    return time.perf_counter() - clock, time.process_time() - cpu, outcome.data or {}


async def measured(app: App, site: WebSite, times: int) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {"first": [], "cold": [], "warm": [], "one link on": [], "search": []}
    for number in range(times):
        url, query = site.url(f"/docs/page-{number}.html"), f"What is the limit of setting {number}?"
        cold = await timed(app, "web.answer", url=url, query=query, expansion_budget=0)
        found["cold" if number else "first"].append(cold[:2])
        found["warm"].append((await timed(app, "web.answer", url=url, query=query, expansion_budget=0))[:2])
        found["search"].append((await timed(app, "web.search", query=query, source_urls=[url]))[:2])
        other = 100 + number  # a page that only a link leads to
        site.replies[f"/to-{number}.html"] = _pointing(other)
        asked = f"What is the limit of setting {other}?"
        clock, cpu, data = await timed(app, "web.answer", url=site.url(f"/to-{number}.html"), query=asked)
        assert f"{other * 7 + 3} megabytes" in data["evidence"][0]["text"], data["stats"]
        found["one link on"].append((clock, cpu))
    return found


def _pointing(number: int) -> Any:
    from web_site import page

    link = f'<a href="/docs/page-{number}.html">How setting {number} works</a>'
    return page("Guide", f"<main><h1>Guide</h1><p>An introduction. See {link}.</p></main>")


async def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with WebSite() as site, tempfile.TemporaryDirectory() as folder:
        said = {"plugins": {"corpus": {}, "web": {"allow_hosts": [site.place]}}}
        app = App.build(deployment.from_dict(said, Path(folder)))
        try:
            found = await measured(app, site, times)
        finally:
            await app.close()
    warm = median(cpu for _, cpu in found["warm"])
    figures = {
        name: {
            "milliseconds": round(1000 * median(clock for clock, _ in rows), 1),
            "cpu_milliseconds": round(1000 * median(cpu for _, cpu in rows), 1),
            "times a warm one": round(median(cpu for _, cpu in rows) / warm, 2),
        }
        for name, rows in found.items()
        if rows
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
