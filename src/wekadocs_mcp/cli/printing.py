"""stdout is for answers that programs read: what plugins print while they work goes to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def to_stderr() -> Iterator[None]:
    """Also what the processes that plugins start print, which inherit the descriptor."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.redirect_stdout(sys.stderr), _descriptor():
        yield


@contextlib.contextmanager
def _descriptor() -> Iterator[None]:
    try:
        kept = os.dup(1)
    except OSError:  # closed: nothing can be printed there
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
