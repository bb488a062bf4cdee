"""The vault that the contracts' examples are asked of: a copy of our sample, whatever vaults are configured."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SAMPLE = Path(__file__).parent / "sample"
_COPY = "notes-sample"  # only in a data directory that is thrown away


def prepare(data_dir: Path) -> None:
    shutil.copytree(_SAMPLE, data_dir / _COPY)


def settings_for(data_dir: Path, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """With the sample in the place of every vault where it was prepared: examples touch nobody's notes."""
    copy = data_dir / _COPY
    return {**settings, "vault": str(copy)} if copy.is_dir() else settings
