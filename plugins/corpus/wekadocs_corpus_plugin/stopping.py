"""Being told to stop: by Ctrl-C, by a service manager, by a terminal that closes; all end a run alike."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def stoppable() -> Iterator[None]:
    """SIGTERM and SIGHUP interrupt as Ctrl-C does: what is being done is finished and said, then the run ends."""
    # One that is ignored stays so: nohup means it.
    taken = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    before = {number: signal.signal(number, signal.default_int_handler) for number in taken}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
