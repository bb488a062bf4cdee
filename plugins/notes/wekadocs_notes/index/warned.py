"""What is wrong with the files of a vault, told once to whoever asks next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable

from wekadocs_kit import truncated

from ..vault import LinkFault

_MOST_WARNINGS, _LONGEST_WARNING = 50, 300


class Warned:
    """What went wrong with files, told once."""

    def __init__(self) -> None:
        self._told: OrderedDict[str, None] = OrderedDict()
        self._doubted: OrderedDict[LinkFault, None] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, warnings: Iterable[str]) -> None:
        with self._lock:
            self._told.update(dict.fromkeys(warnings))

    def doubt(self, faults: Iterable[LinkFault]) -> None:
        """As they were seen, perhaps in the middle of somebody's renaming."""
        with self._lock:
            self._doubted.update(dict.fromkeys(faults))

    def settle(self, holds: Callable[[LinkFault], bool]) -> None:
        """Those that are there still are to be told."""
        with self._lock:
            doubted = list(self._doubted)
            self._doubted.clear()
        self.add(each.text for each in doubted if holds(each))

    def take(self) -> list[str]:
        with self._lock:
            told = list(self._told)
            self._told.clear()
        left = len(told) - _MOST_WARNINGS
        some = [truncated(each, _LONGEST_WARNING, "…") for each in told[:_MOST_WARNINGS]]
        return [*some, *([f"and {left} more warnings"] if left > 0 else [])]
