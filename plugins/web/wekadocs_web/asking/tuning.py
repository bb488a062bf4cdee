"""The numbers by which pages are searched and followed; each is a setting of the plugin, under `expansion`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tuning:
    """The schema of the settings says what each is for, and has its default."""

    max_depth: int
    pages_per_step: int
    candidates: int
    link_floor: float
    strong_link: float
    blind_rounds: int
    relevance_floor: float
    answered: float
    own_page: float
    own_best: float
    outshone: float
    plateau: float
    variance: float
    cliff: float
    fill: float
    redundancy: float
    locality: float
    fresh_seconds: float

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Tuning:
        return cls(**settings["expansion"])
