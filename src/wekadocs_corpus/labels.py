"""Names that documents give, of files, titles, tags and entities: they stand in rows and on terminals, in one line."""

from __future__ import annotations

import re

# Control characters, other line ends, and what turns the direction of what follows.
HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def label(name: str) -> str:
    """The name without them."""
    return name if name.isprintable() else " ".join(HIDDEN.sub(" ", name).split())
