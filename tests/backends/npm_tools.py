"""Checkers that only npm has, each installed once into a folder of its own below `.node/` (or `$WEKADOCS_NODE`)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("WEKADOCS_NODE") or Path(__file__).resolve().parents[2] / ".node")


def command(package: str, version: str, binary: str) -> list[str]:
    """How to run a package's command; it is installed when it is missing."""
    home = CACHE / "tools" / f"{package.replace('/', '+')}@{version}"
    found = home / "node_modules" / ".bin" / binary
    if not found.exists():
        npm = shutil.which("npm")
        assert npm is not None, "npm is needed for this test: install Node, or leave it out with -m 'not node'"
        home.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home), f"{package}@{version}"]
        subprocess.run(install, check=True, capture_output=True, timeout=300)
    return [str(found)]
