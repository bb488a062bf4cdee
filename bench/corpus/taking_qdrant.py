"""The tests' own Qdrant that only keeps what it is sent, for benches of what is in front of it: prints its address and
process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))

import qdrant_fake
from qdrant_engine import Engine

_checked = qdrant_fake._change


class Taking(Engine):
    """Points as they came, by id; the mark of a collection is one that its engine knows, too."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: dict[str, dict[str, Any]] = {}

    def take(self, name: str, points: list[dict[str, Any]]) -> None:
        self._known(name)
        self.taken.setdefault(name, {}).update({point["id"]: point for point in points})

    def count(self, name: str, *_: Any) -> int:
        return len(self.taken.get(name, ()))


def _change(engine: Taking, method: str, name: str, rest: str, data: Any) -> None:
    """A server written in Rust checks and stores a point in a tenth of the time that the checks take here."""
    if (method, rest) == ("PUT", "points") and data["points"][0]["vector"]:
        engine.take(name, data["points"])
    elif (method, rest) != ("POST", "points/delete"):
        _checked(engine, method, name, rest, data)


class Forgetful(list[Any]):
    """Requests that nobody will look at."""

    def append(self, _: Any) -> None:
        pass


if __name__ == "__main__":
    qdrant_fake._change = _change
    fake = qdrant_fake.FakeQdrant()
    fake.engine = Taking()
    fake.bodies, fake.seen = Forgetful(), Forgetful()
    with qdrant_fake.running(fake=fake):
        print(fake.url, os.getpid(), flush=True)
        sys.stdin.read()
