"""The labelled pairs of the tests, and random ones by a fixed seed."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from wekadocs_contracts.diff.proof.prove import prove

TESTS = Path(__file__).resolve().parent.parent.parent / "tests" / "contracts" / "diff" / "proof"
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


@cache
def _generator() -> ModuleType:
    """The tests' own random schemas and values; they know nothing of the prover."""
    spec = importlib.util.spec_from_file_location("random_schemas", TESTS / "test_prover_random.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def randoms(count: int) -> Iterator[Pair]:
    """As the tests make them, always the same ones."""
    module = _generator()
    schemas = module.Schemas(random.Random(SEED))
    for number, (old, new, _) in enumerate(module.usable(schemas, count)):
        direction: Literal["input", "output"] = "input" if number % 2 else "output"
        yield Pair(f"random-{number}", direction, old, new, None)


def refuted(pair: Pair) -> bool:
    """Whether some of many values contradicts what was proven safe. Older dialects are left to their own tests."""
    if any(isinstance(side, dict) and "$schema" in side for side in (pair.old, pair.new)):
        return False
    proof = prove(pair.old, pair.new, pair.direction)
    return _generator().refutation(random.Random(SEED), pair.values, pair.judge, proof) is not None
