"""The labelled pairs of the tests, and random ones by a fixed seed."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

TESTS = Path(__file__).resolve().parent.parent.parent / "tests" / "diff"
SEED = 20260808


@dataclass(frozen=True)
class Pair:
    id: str
    direction: Literal["input", "output"]
    old: Any
    new: Any
    label: str | None  # "breaking" or "safe"; None where nobody has judged it

    @property
    def values(self) -> Any:
        return self.old if self.direction == "input" else self.new

    @property
    def judge(self) -> Any:
        return self.new if self.direction == "input" else self.old


def labelled() -> Iterator[Pair]:
    for file in sorted((TESTS / "corpus").glob("*.json")):
        for row in json.loads(file.read_text("utf-8")):
            # This corpus labels what proof decides; policy may add to it.
            label = "breaking" if row["verdict"] == "breaking" else None
            yield Pair(row["id"], row["direction"], row["old"], row["new"], label)
    for row in json.loads((TESTS / "hard_pairs.json").read_text("utf-8")):
        for direction in ("input", "output"):
            label = "breaking" if row[direction] == "breaking" else "safe"
            yield Pair(f"{row['id']}-{direction}", direction, row["old"], row["new"], label)  # type: ignore[arg-type]


def randoms(count: int) -> Iterator[Pair]:
    """As the tests make them, always the same ones."""
    spec = importlib.util.spec_from_file_location("random_schemas", TESTS / "test_prover_random.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    schemas = module.Schemas(random.Random(SEED))
    for number, (old, new, _) in enumerate(module.usable(schemas, count)):
        direction: Literal["input", "output"] = "input" if number % 2 else "output"
        yield Pair(f"random-{number}", direction, old, new, None)
