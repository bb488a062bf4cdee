"""Benchmarks: ratios against a bare SDK server, measured side by side on this machine.

python bench/run.py [startup|calls|list|memory]… [--json FILE] [--quick] [--with-fastmcp] [--python FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import calls
import listing
import memory
import startup
from figures import Figure, table
from servers import Bench

PARTS: dict[str, Callable[[Bench], list[Figure]]] = {
    "startup": startup.run,
    "calls": calls.run,
    "list": listing.run,
    "memory": memory.run,
}


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended
    bench = Bench.make(options.python, options.quick, options.with_fastmcp)
    figures: list[Figure] = []
    try:
        for name in options.parts or PARTS:
            began = time.monotonic()
            found = PARTS[name](bench)
            figures += found
            print(f"{table(found)}\n{name}: {time.monotonic() - began:.0f} s\n", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    print(f"{_machine()}\n\n{table(figures)}")
    if options.json:
        body = {"machine": _machine(), "figures": [each.plain() for each in figures]}
        options.json.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n")
    missed = sum(each.verdict == "MISSED" for each in figures)
    print(f"\n{missed} of {sum(each.target is not None for each in figures)} targets missed")
    sys.exit(1 if missed else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Ratios against a bare SDK server, measured side by side.")
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a minute, and noisier")
    parser.add_argument("--with-fastmcp", action="store_true", help="FastMCP as a second peer")
    parser.add_argument("--python", type=Path, help="one that has wekadocs-mcp (default: made here)")
    return parser.parse_args()


def _machine() -> str:
    load = os.getloadavg()[0]
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}, {platform.system()}"


if __name__ == "__main__":
    main()
