"""Whether JSON or YAML describes an API; most of it does not."""

from __future__ import annotations

import re
from pathlib import Path

API_SUFFIXES = frozenset({".json", ".yaml", ".yml"})
_PEEKED = 4096  # bytes; a file that says in its name what it is may say it further down
_VERSION = r"""["']?\s*:\s*["']?[23]\."""
_YAML = re.compile(rf"^(?:openapi|swagger){_VERSION}", re.M)
_JSON = re.compile(rf"""[{{,]\s*"(?:openapi|swagger){_VERSION}""")


def is_openapi(text: str) -> bool:
    """By the key that both demand; `looks_like_openapi` asks the same of a file."""
    return bool((_JSON if text.lstrip("\ufeff \t\r\n")[:1] == "{" else _YAML).search(text))


def looks_like_openapi(file: Path) -> bool:
    named = "openapi" in file.name.lower() or "swagger" in file.name.lower()
    try:
        with file.open("rb") as stream:
            return is_openapi(stream.read(-1 if named else _PEEKED).decode("utf-8-sig", "replace"))
    except OSError:
        return False
