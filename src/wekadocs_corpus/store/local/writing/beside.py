"""Building beside a process that serves: in a process of its own, at low priority, that ends by itself.

python -m wekadocs_corpus.store.local.beside DATA PROJECT MODEL DIMENSION; where the truth is comes as a line of JSON
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.truth.interface import Truth

_AGAIN_AFTER = 60.0  # seconds after one that failed
_NO_HURRY = 15  # of 19


class Builder:
    """At most one at a time. It outlives its server: whoever comes next finds what it wrote."""

    def __init__(self, truth: Truth, project: str, profile: Profile) -> None:
        self._address = json.dumps(dict(truth.address))
        self._arguments = [str(truth.data_dir), project, profile.id, str(profile.dimension)]
        self._process: subprocess.Popen[str] | None = None
        self._tried = float("-inf")
        self.failed = ""  # why the last one did not succeed

    @property
    def running(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            self.failed = self._process.communicate()[0].strip()
            if self._process.returncode and not self.failed:
                self.failed = f"the index could not be built (exit code {self._process.returncode})"
            self._process = None
        return self._process is not None

    def leave(self) -> None:
        """To itself; Popen would complain that nobody waited for it."""
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()
            self._process.returncode = self._process.returncode or 0

    def start(self) -> None:
        """Unless one is under way, or has just failed."""
        if self.running or (self.failed and time.monotonic() - self._tried < _AGAIN_AFTER):
            return
        self._tried = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", __name__, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            process_group=0,  # Ctrl-C is meant for the server; the session stays: Linux shares cores by sessions
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # Windows
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        assert self._process.stdin is not None
        with self._process.stdin as told:  # by pipe: a command line can be read by others
            told.write(self._address + "\n")
        self._process.stdin = None


def main(data: str, project: str, model: str, dimension: str) -> None:
    from wekadocs_corpus.configured import open_truth

    from .refreshing import refresh

    if hasattr(os, "nice"):
        os.nice(_NO_HURRY)
    truth = open_truth(Path(data), {"truth": json.loads(sys.stdin.readline() or "{}")})
    try:
        print(refresh(truth, project, Profile(model, int(dimension)), patience=0.0))
    finally:
        truth.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
