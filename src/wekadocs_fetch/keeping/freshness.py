"""How long an answer is good without asking again, by RFC 9111."""

from __future__ import annotations

from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx

_YEAR = 365 * 24 * 3600.0


def may_be_kept(headers: httpx.Headers) -> bool:
    """By a cache of one user's: `private` is no obstacle."""
    return "no-store" not in directives(headers) and headers.get("Vary", "").strip() != "*"


def fresh_until(headers: httpx.Headers, at: float) -> float:
    """Seconds since 1970. What a server does not say is not good for long: it is asked again."""
    said = directives(headers)
    if "no-cache" in said:
        return 0.0
    age = _number(headers.get("Age")) or 0.0
    most = _number(said.get("max-age"))
    if most is not None:
        return at + min(most, _YEAR) - age
    expires, date = _moment(headers.get("Expires")), _moment(headers.get("Date"))
    if expires is None:
        return 0.0
    return at + min(expires - (date if date is not None else at), _YEAR) - age


def directives(headers: httpx.Headers) -> dict[str, str]:
    parts = headers.get("Cache-Control", "").split(",")
    return {name.strip().lower(): value.strip(' "') for name, _, value in (part.partition("=") for part in parts)}


def _number(text: str | None) -> float | None:
    return float(text[:12]) if text and text.isascii() and text.isdecimal() else None


def _moment(text: str | None) -> float | None:
    """A date that cannot be read is past (RFC 9111, 5.3)."""
    if text is None:
        return None
    try:
        found: datetime = parsedate_to_datetime(text)
        return found.timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0
