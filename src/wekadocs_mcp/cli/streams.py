"""The standard streams as every command needs them: there, in UTF-8, and a full disk behind them told in a sentence."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if sys.platform != "win32" else (errno.ENOSPC,)


@contextmanager
def usable() -> Iterator[None]:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Closed by whoever started us. In this order the new file gets its number, which else a database might get.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open until the end)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        yield
    except OSError as problem:
        if problem.errno not in _NO_ROOM:
            raise
        _forget_output()
        sys.stderr.write(f"wekadocs-mcp: {problem.filename or 'standard output'}: {problem.strerror}\n")
        sys.exit(2)


def _forget_output() -> None:
    """On its way out Python tries to write what is left once more; let it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
