"""What a lint rule is, and what it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.schemas import Schema
from wekadocs_contracts.format.source import Pointer, Source, read

from .mentions import Known

CLIENTS = ("gemini", "openai", "vscode", "claude")

Found = Iterator[tuple[Pointer, str]]
Check = Callable[["Subject"], Found]


@dataclass(frozen=True)
class Subject:
    """One contract, with all those that stand beside it, and the tools that are known here or elsewhere."""

    contract: Contract
    all: Sequence[Contract]
    known: Known

    @cached_property
    def source(self) -> Source:
        return read(self.contract.file)

    @property
    def sides(self) -> Iterator[tuple[str, Schema]]:
        yield "input", self.contract.input
        if self.contract.output is not None:
            yield "output", self.contract.output

    @property
    def sent(self) -> Iterator[tuple[str, Schema]]:
        """What a client hands on to its model's provider: only the arguments."""
        yield "input", self.contract.input


@dataclass(frozen=True)
class LintRule:
    id: str
    severity: Literal["error", "warning"]
    reason: str
    fix: str
    check: Check
    clients: tuple[str, ...] = ()
    opt_in: bool = False
