"""Programs of Debian's packages that tests start: installed once a session where they are missing and we may."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_LOCK = Path(tempfile.gettempdir()) / "wekadocs-tests-apt.lock"


@cache
def missing(packages: tuple[str, ...], *programs: str) -> str:
    """Why one of these programs is not there; empty where all are."""
    if all(map(shutil.which, programs)):
        return ""
    if reason := installed(packages):
        return f"no {' and '.join(programs)}: {reason}"
    return "" if all(map(shutil.which, programs)) else f"no {' and '.join(programs)} even after apt-get install"


def installed(packages: tuple[str, ...]) -> str:
    """Why they cannot be installed; empty where they were. Processes that test side by side take turns, as apt does not
    wait for another one."""
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return f"apt-get install {' '.join(packages)}"
    import fcntl

    with _LOCK.open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        return _install(packages)


def _install(packages: tuple[str, ...]) -> str:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *packages]):
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            return f"`{' '.join(command)}` took more than ten minutes"
        if done.returncode and command[1] == "install":
            return f"`{' '.join(command)}` failed: {done.stderr.strip()[-300:]}"
    return ""
