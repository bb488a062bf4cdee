"""`contracts types`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from wekadocs_contracts.format import contracts

from .python_types import python
from .shapes import all_made
from .typescript_types import typescript

Language = Literal["python", "typescript"]


def types_of(folders: list[Path], language: Language) -> str:
    """One module with the types of every contract in these folders."""
    loaded = contracts.load([file for folder in folders for file in contracts.contract_files(folder)])
    tools = all_made(sorted(loaded, key=lambda each: each.key))
    return python(tools) if language == "python" else typescript(tools)
