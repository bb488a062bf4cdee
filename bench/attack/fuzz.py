"""Arguments that nobody sends: every tool with what its schema allows, what it does not, and hostile text in both.

    python bench/attack/fuzz.py [--calls 20000] [--seed 14]

Bounded and repeatable: the same seed makes the same calls, but for ids that answers gave. Ends with 1 if a call was our
fault or broke the server.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from fuzz_values import Values

from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.cli.examples import prepare
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.errors import ProtocolError

WHO = Caller(principal="stranger", session="one")
_KEPT = ("passage_id", "section_id", "session_id", "next_cursor", "id", "document_id", "hash", "entity_id")
_FLAGS = {"MCP_KB_V2_ENABLED": True, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": True}
_PLUGINS = ("corpus", "scratch", "kb", "graph", "legacy_compat")
_FAULTS = ("INTERNAL_ERROR", "RAISED")


class Run:
    """One campaign: what was called, how it ended, and what answers gave away for later calls."""

    def __init__(self, app: App, seed: int) -> None:
        self.app = app
        self.rng = random.Random(seed)
        self.values = Values(self.rng)
        self.ended: Counter[str] = Counter()
        self.faults: list[str] = []

    async def call(self) -> None:
        tool = self.rng.choice(self.app.catalogue.tools)
        arguments = self.values.arguments(tool.input)
        try:
            outcome = await self.app.dispatcher.call(tool.name, arguments, WHO)
            code = outcome.code
            self._learn(outcome.data)
        except ProtocolError:
            code = "PROTOCOL_ERROR"
        except Exception as error:
            code = "RAISED"
            self.faults.append(f"{tool.name}: {type(error).__name__}")
        self.ended[code] += 1
        if code == "INTERNAL_ERROR":
            self.faults.append(f"{tool.name}: {arguments!r:.300}")

    def _learn(self, data: Any) -> None:
        if isinstance(data, dict):
            for name, value in data.items():
                if name in _KEPT and isinstance(value, str):
                    self.values.known.append(value)
                self._learn(value)
        elif isinstance(data, list):
            for each in data[:3]:
                self._learn(each)


async def campaign(folder: Path, calls: int, seed: int) -> Run:
    whole = {"plugins": {name: {} for name in _PLUGINS}, "flags": _FLAGS}
    app = App.build(configuration.from_dict(whole, folder))
    await prepare(app)
    run = Run(app, seed)
    try:
        for query in ("mount a filesystem", "STR-1007", "snapshots"):
            outcome = await app.dispatcher.call("kb.search", {"query": query, "page_size": 2}, WHO)
            run._learn(outcome.data)
        for _ in range(calls):
            await run.call()
    finally:
        await app.close()
    return run


def told(run: Run, calls: int) -> str:
    refused = sum(count for code, count in run.ended.items() if code not in ("OK", "TIMEOUT", *_FAULTS))
    codes = ", ".join(f"{count} {code}" for code, count in run.ended.most_common())
    line = f"{calls} calls on {len(run.app.catalogue.tools)} tools: {run.ended['OK']} answered, {refused} refused"
    return f"{line}, {run.ended['TIMEOUT']} TIMEOUT, {sum(run.ended[code] for code in _FAULTS)} faults ({codes})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=14)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    began = time.process_time()
    with tempfile.TemporaryDirectory(prefix="wekadocs-fuzz-") as folder:
        run = asyncio.run(campaign(Path(folder), given.calls, given.seed))
    print(told(run, given.calls), f"in {time.process_time() - began:.0f} CPU seconds")
    print("\n".join(run.faults[:20]))
    return 1 if run.faults else 0


if __name__ == "__main__":
    sys.exit(main())
