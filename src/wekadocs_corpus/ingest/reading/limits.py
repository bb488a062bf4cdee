"""What one file may cost whoever reads it; over it the file is refused by name and the rest goes on."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path

OUT_OF_MEMORY = 3  # what a reader ends with
WAITING = 3  # the clock may go on for so many times the CPU seconds: disks and other processes take their part


@dataclass(frozen=True)
class Limits:
    """Settings of `ingest`. CPU is counted where the system can (POSIX), memory where it can cap it (Linux)."""

    max_file_seconds: float = 60
    max_file_memory_bytes: int = 1_610_612_736

    @property
    def by_the_clock(self) -> float:
        return WAITING * self.max_file_seconds


def cap_memory(most: int) -> None:
    """From now on this process gets no more than this beside what it has: a request beyond it fails."""
    if sys.platform != "linux":
        return  # macOS and Windows have no cap that holds; there the clock, sizes and counts do
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    _lower(resource.RLIMIT_AS, pages * resource.getpagesize() + most)


def cap_cpu(seconds: float) -> None:
    """The system ends this process when it has worked for so many seconds more."""
    if sys.platform == "win32":
        return
    import resource

    _lower(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds))


def _lower(which: int, value: int) -> None:
    """The soft limit only, so that the next file can have its own; never beyond what the system allows."""
    import resource

    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
