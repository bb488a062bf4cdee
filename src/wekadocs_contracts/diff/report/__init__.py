"""One file per format; `render` is the chooser.

Imported by: wekadocs_contracts.diff, wekadocs_mcp.cli.reference.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from wekadocs_contracts.diff.outcome import Outcome


def render(outcome: Outcome, form: str) -> str:
    write: Callable[[Outcome], str] = import_module(f".{form}_format", __name__).write
    return write(outcome)
