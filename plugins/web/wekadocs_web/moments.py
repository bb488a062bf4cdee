"""A moment as answers show it."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
