"""What is wrong with the files of a vault, told once to whoever asks next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

from wekadocs_kit import truncated

_MOST_WARNINGS, _LONGEST_WARNING = 50, 300


class Warned:
    """What went wrong with files, told once."""

    def __init__(self) -> None:
        self._told: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, warnings: Iterable[str]) -> None:
        with self._lock:
            self._told.update(dict.fromkeys(warnings))

    def take(self) -> list[str]:
        with self._lock:
            told = list(self._told)
            self._told.clear()
        left = len(told) - _MOST_WARNINGS
        some = [truncated(each, _LONGEST_WARNING, "…") for each in told[:_MOST_WARNINGS]]
        return [*some, *([f"and {left} more warnings"] if left > 0 else [])]
