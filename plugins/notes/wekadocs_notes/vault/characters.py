"""Halves of characters: names on a disk, JSON and YAML can have them, and no text can hold them."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")
_INSTEAD = "\ufffd"


def is_text(some: str) -> bool:
    return some.isascii() or not _HALF.search(some)


def as_text(some: str) -> str:
    return some if is_text(some) else _HALF.sub(_INSTEAD, some)
