"""What the parts of a truth over SQL share: where connections come from, and what is remembered between questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from .connection import PATIENCE, Connection
from .reading.recent import Recent
from .reading.scope_rarity import Known


class Store(ABC):
    """Any number of processes and threads may hold one on the same documents."""

    id: str
    data_dir: Path
    address: Mapping[str, Any] = {}
    engine: str  # as `status` and `doctor` call it

    def __init__(self) -> None:
        self._recent = Recent()
        self._rarity: Known = {}

    @abstractmethod
    def reading(self, until: float | None = None) -> AbstractContextManager[Connection]:
        """A consistent view for several queries; interrupted when `time.monotonic()` passes `until`."""

    @abstractmethod
    def writing(self, seconds: float = PATIENCE) -> AbstractContextManager[Connection]:
        """A transaction of one's own; waits for other writers at most this long."""

    @abstractmethod
    def stored_bytes(self, connection: Connection) -> int:
        """Of the whole database."""

    @abstractmethod
    def broken(self, connection: Connection, *, thorough: bool) -> Sequence[tuple[str, str]]:
        """What the engine itself finds wrong, each with its cure."""
