"""Signs that stand for what a later pass writes. They are noncharacters, which no text may contain."""

from __future__ import annotations

import re

LABEL, BOLD, ANCHOR, END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"  # LABEL and BOLD enclose their words
RESERVED = re.compile("[\ufdd0-\ufdef]")
SIGNED = re.compile(f"{LABEL}([^{LABEL}]*){LABEL}|{BOLD}([^{BOLD}]*){BOLD}|{END}")


def label(words: str) -> str:
    """What comes next begins with these words and a colon."""
    return f"{LABEL}{_line(words)}{LABEL}"


def bold(words: str) -> str:
    """A paragraph of its own, for a tab or a title."""
    return f"{BOLD}{_line(words)}{BOLD}" if words.strip() else ""


def _line(words: str) -> str:
    return " ".join(RESERVED.sub("", words).split())
