"""Programs of Debian's packages that tests start: installed once a session where they are missing and we may."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache


@cache
def missing(packages: tuple[str, ...], *programs: str) -> str:
    """Why one of these programs is not there; empty where all are."""
    if all(map(shutil.which, programs)):
        return ""
    named, wanted = " and ".join(programs), " ".join(packages)
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return f"no {named}: apt-get install {wanted}"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *packages]):
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            return f"`{' '.join(command)}` took more than ten minutes"
        if done.returncode and command[1] == "install":
            return f"`{' '.join(command)}` failed: {done.stderr.strip()[-300:]}"
    return "" if all(map(shutil.which, programs)) else f"no {named} even after apt-get install"
