"""What a fetch may cost; the numbers are settings of whoever fetches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Limits:
    timeout_seconds: float  # redirects, robots.txt, waiting and retries included
    connect_seconds: float
    idle_seconds: float  # without a byte
    max_redirects: int
    max_bytes: int  # as they are sent
    max_decompressed_bytes: int
    retries: int
    connections_per_host: int
    delay_seconds: float  # between two requests to one host
    cache_bytes: int  # on disk; 0: none
    robots: bool
    user_agent: str

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Limits:
        return cls(**{each.name: settings[each.name] for each in fields(cls)})
