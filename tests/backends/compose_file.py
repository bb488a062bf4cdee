"""The compose file as Docker would read it: variables put in, services with their commands and environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "packages" / "compose"
_VARIABLE = re.compile(r"\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}")


def interpolated(given: Mapping[str, str]) -> dict[str, Any]:
    """`${NAME:-default}` and `${NAME:?what to do}` as compose puts them in; one that is needed must be set."""

    def put(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if kind == "?" and not given.get(name):
            raise KeyError(f"{name}: {rest}")
        return given.get(name) or (rest if kind == "-" else "")

    found: dict[str, Any] = yaml.safe_load(_VARIABLE.sub(put, (FOLDER / "compose.yaml").read_text("utf-8")))
    return found
