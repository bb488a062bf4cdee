"""Public servers in two versions each, started from npm and PyPI and compared live; the rows are for a person to read.

python bench/diff/servers.py [--only NAME] [--into DIR]     downloads; needs npx and uvx
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import environment  # noqa: E402

_OFFICIAL = "npm:@modelcontextprotocol/server"
PAIRS = {
    "everything": (f"{_OFFICIAL}-everything@2025.9.12", f"{_OFFICIAL}-everything@2025.11.25"),
    "filesystem": (f"{_OFFICIAL}-filesystem@2025.3.28 .", f"{_OFFICIAL}-filesystem@2025.11.25 ."),
    "memory": (f"{_OFFICIAL}-memory@2025.4.25", f"{_OFFICIAL}-memory@2025.11.25"),
    "thinking": (f"{_OFFICIAL}-sequential-thinking@2025.7.1", f"{_OFFICIAL}-sequential-thinking@2025.11.25"),
    "playwright": ("npm:@playwright/mcp@0.0.64", "npm:@playwright/mcp@0.0.75"),
    "chrome-devtools": ("npm:chrome-devtools-mcp@0.19.0", "npm:chrome-devtools-mcp@1.1.0"),
    "context7": ("npm:@upstash/context7-mcp@2.1.0", "npm:@upstash/context7-mcp@3.0.0"),
    "time": ("pypi:mcp-server-time@2025.7.1", "pypi:mcp-server-time@2026.1.26"),
    "git": ("pypi:mcp-server-git@2025.1.14", "pypi:mcp-server-git@2025.11.25"),
    "fetch": ("pypi:mcp-server-fetch@2025.1.17", "pypi:mcp-server-fetch@2025.4.7"),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PAIRS)
    parser.add_argument("--into", type=Path, default=Path("/tmp/wekadocs-servers"))
    asked = parser.parse_args()
    asked.into.mkdir(parents=True, exist_ok=True)
    for name in [asked.only] if asked.only else PAIRS:
        print(_compared(name, asked.into), flush=True)


def _compared(name: str, into: Path) -> str:
    # What was published before the second SDK does not say that it cannot run with it.
    (into / "constraints.txt").write_text("mcp<2\n", "utf-8")
    known = {**os.environ, "UV_CONSTRAINT": str(into / "constraints.txt")}
    command = [environment.product().with_name("wekadocs-mcp"), "contracts", "diff", *PAIRS[name], "--format", "json"]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=known)
    spent = time.perf_counter() - started
    (into / f"{name}.json").write_text(done.stdout or done.stderr, "utf-8")
    if not done.stdout:
        return f"{name:<20} exit {done.returncode}: {(done.stderr.strip() or '-').splitlines()[0]}"
    counted = json.loads(done.stdout)["summary"]
    shown = ", ".join(f"{count} {what}" for what, count in counted.items() if count)
    return f"{name:<20} exit {done.returncode}: {shown} ({spent:.0f} s)"


main()
