"""Child processes and SQLite connections that a handler opens, noticed so that its deadline ends them.

For that one function of the process is replaced: with the first call that is served, until the last app is closed.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
from typing import Any

from wekadocs_mcp import ending

from .budgets import current_deadline


class Watch:
    """How many apps of this process serve calls, and what is watched as long as one does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._apps = 0
        self._is_hooked = False
        self._start = self._noted = subprocess.Popen.__init__

    def enter(self) -> None:
        with self._lock:
            self._apps += 1
            if self._apps == 1:
                self._begin()

    def leave(self) -> None:
        with self._lock:
            self._apps -= 1
            if self._apps == 0 and subprocess.Popen.__init__ is self._noted:
                subprocess.Popen.__init__ = self._start  # type: ignore[method-assign]

    def _begin(self) -> None:
        self._start = start = subprocess.Popen.__init__

        @functools.wraps(start)
        def noted(self: subprocess.Popen[Any], *args: Any, **keywords: Any) -> None:
            start(self, *args, **keywords)
            if (deadline := current_deadline()) is not None:
                deadline.ends(functools.partial(ending.end_tree, self))

        self._noted = noted
        subprocess.Popen.__init__ = noted  # type: ignore[method-assign]
        if (
            not self._is_hooked
        ):  # once: the interpreter cannot let go of a hook, and this one does nothing outside a call
            sys.addaudithook(_opened)
            self._is_hooked = True


def _opened(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "sqlite3.connect/handle" and (deadline := current_deadline()) is not None:
        deadline.ends(arguments[0].interrupt)


watch = Watch()
