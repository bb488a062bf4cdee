"""Virtual environments of the bench's own: an editable install would slow the interpreter's start."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "bench" / ".envs"
_SOURCES = ("src", "plugins", "contracts", "tools.yaml", "pyproject.toml")


def product() -> Path:
    """A Python whose environment has the working tree as a wheel; made or refreshed when needed."""
    return make("product", _digest(), [str(ROOT)])


def fastmcp() -> Path:
    return make("fastmcp", "4", ["fastmcp>=4,<5"])


def make(name: str, stamp: str, requirements: Iterable[str], cache: Path = CACHE) -> Path:
    """An environment with these requirements; `stamp` says whether the one that is there will do."""
    folder = cache / name
    python = folder / "bin" / "python"
    mark = folder / "stamp"
    if mark.exists() and mark.read_text() == stamp:
        return python
    print(f"preparing {folder} …", file=sys.stderr)
    if not python.exists():
        venv.create(folder, with_pip=True, symlinks=True)
    else:
        _pip(python, "uninstall", "-y", "wekadocs-mcp")
    _pip(python, "install", *requirements)
    mark.write_text(stamp)
    return python


def _pip(python: Path, *arguments: str) -> None:
    subprocess.run([str(python), "-m", "pip", "-q", *arguments], check=True, stdout=sys.stderr)


def _digest() -> str:
    state = hashlib.blake2b(digest_size=16)
    for path in sorted(_files()):
        state.update(f"{path}\0".encode() + path.read_bytes())
    return state.hexdigest()


def _files() -> Iterable[Path]:
    for name in _SOURCES:
        top = ROOT / name
        if top.is_file():
            yield top
        yield from (path for path in top.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def variables(cache: Path) -> dict[str, str]:
    """The environment of every measured process: ours of nothing but the path, and a cache of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "WEKADOCS_CACHE": str(cache), "WEKADOCS_DATA": str(cache / "data")}
