"""Why a comparison cannot be made at all, and which exit code says so."""

from __future__ import annotations

BREAKING, UNREADABLE, UNPROVEN, UNREACHABLE = 1, 2, 3, 4


class Unreadable(Exception):
    """An operand cannot be read. The person at the terminal reads it; the message says what to do."""

    code = UNREADABLE


class Unreachable(Unreadable):
    """A live server does not answer."""

    code = UNREACHABLE
