"""What one side of a comparison is, whatever it was read from."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.live.calling import Calling

Kind = Literal["directory", "git", "lock", "json", "null", "live"]


@dataclass(frozen=True)
class Operand:
    """One side: what was named, how it is shown, and the tools found there, which may still be on their way."""

    label: str
    kind: Kind
    load: Callable[[], tuple[ToolSide, ...]]
    release: str | None = None  # the version of the whole set, where the operand is a release tag
    note: str = ""
    folder: Path | None = None  # of a directory
    offered: dict[str, Any] | None = None  # what a server has beside its tools, where that is known

    @classmethod
    def of(
        cls, label: str, kind: Kind, tools: tuple[ToolSide, ...] = (), note: str = "",
        offered: dict[str, Any] | None = None,
    ) -> Operand:  # fmt: skip
        return cls(label, kind, lambda: tools, note=note, offered=offered)

    @cached_property
    def tools(self) -> tuple[ToolSide, ...]:
        return self.load()

    @property
    def is_wire(self) -> bool:
        """Only what tools/list shows is known of these tools."""
        return self.kind in ("json", "live")


@dataclass(frozen=True)
class Reading:
    """How operands are read: which folder a git ref is asked for, who asks live servers, what is cleaned up after."""

    stack: ExitStack
    calling: Calling = field(default_factory=Calling)
    folder: str = "contracts"
    other: Operand | None = None  # the side that was read before
