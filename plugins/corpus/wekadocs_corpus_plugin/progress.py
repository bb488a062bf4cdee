"""How far a long run is: a bar on a terminal, nothing in a pipe, JSON events when asked."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

import click

import wekadocs_text

_TITLES = {
    "pages": "Fetching",
    "documents": "Reading",
    "vectors": "Embedding",
    "index": "Indexing",
    "qdrant": "Qdrant",
    "neo4j": "Neo4j",
    "questions": "Asking",
    "copy": "Copying",
    "compare": "Comparing",
}


class Progress:
    """Told the stage, how much is done, of how much, and what was done last."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._stage = ""
        self._bar: Any = None
        self._began = self._told = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def __call__(self, stage: str, done: int, total: int, item: str = "") -> None:
        if stage != self._stage:
            self._close()
            self._stage, self._began, self._told = stage, time.monotonic(), 0.0
        if self._as_json:
            self._event(stage, done, total, item)
        elif sys.stderr.isatty():
            self._draw(stage, done, total)

    def _event(self, stage: str, done: int, total: int, item: str) -> None:
        now = time.monotonic()
        if now - self._told >= 0.5 or done == total:
            self._told = now
            emit(
                {"event": "progress", "stage": stage, "done": done, "total": total, **({"item": item} if item else {})}
            )

    def _draw(self, stage: str, done: int, total: int) -> None:
        if self._bar is None:
            title = f"{_TITLES.get(stage, stage):<9}"
            self._bar = click.progressbar(
                length=total, label=title, file=sys.stderr, show_pos=True, show_eta=True, item_show_func=self._rate
            )
            self._bar.__enter__()
        self._bar.update(done - self._bar.pos, done)

    def _rate(self, done: int | None) -> str:
        seconds = time.monotonic() - self._began
        return f"{done / seconds:,.0f}/s" if done and seconds > 0.2 else ""

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


def emit(event: dict[str, object]) -> None:
    """One JSON event on stdout, at once."""
    click.echo(wekadocs_text.as_json(event, separators=(",", ":")))
    sys.stdout.flush()
