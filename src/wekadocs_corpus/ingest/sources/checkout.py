"""What Git knows of the folder that files lie in: the checkout's name, and when each file was last committed."""

from __future__ import annotations

import os
import subprocess
from functools import lru_cache
from pathlib import Path

from wekadocs_corpus.labels import label

_GIT_SECONDS = 20


def checkout_of(path: Path) -> Path | None:
    # Not Path.exists: it raises in a folder that we may not look into.
    return next((each for each in (path, *path.parents) if os.path.exists(each / ".git")), None)  # noqa: PTH110


def checkout_name(checkout: Path) -> str:
    """The last part of its origin, else its folder."""
    url = _git(checkout, "config", "--get", "remote.origin.url").strip()
    name = url.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return label(name or checkout.name)


@lru_cache(maxsize=8)
def git_dates(checkout: Path) -> dict[str, float]:
    """When each file of a checkout was last committed; empty where Git cannot say."""
    dates: dict[str, float] = {}
    when = 0.0
    for line in _git(checkout, "-c", "core.quotePath=false", "log", "--format=%x00%ct", "--name-only").splitlines():
        if line.startswith("\0"):
            when = float(line[1:])
        elif line:
            dates.setdefault(line, when)
    return dates


def _git(checkout: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(checkout), *arguments]
    try:
        output = subprocess.run(command, capture_output=True, timeout=_GIT_SECONDS, check=False).stdout  # noqa: S603
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""  # the newest commits come first: what was read is worth keeping
    except OSError:
        return ""
    return output.decode("utf-8", "replace")
