"""The child of follow.py: ingests a folder, then again whenever it changes, until its stdin ends."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from wekadocs_corpus import WATCHED_SUFFIXES, CorpusError, Root, Run, Stamp, changes, roots


def main() -> None:
    task = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        where = roots([task["docs"]])
        run = Run(
            Path(task["data_dir"]),
            task["settings"],
            Stamp(task["project_id"], task["environment"], task["repository"]),
            lambda *_: None,
        )
    except CorpusError as error:
        _say({"event": "failed", "message": str(error)})
        return
    _take_in(run, where, always_tell=True)
    for touched in changes(where, WATCHED_SUFFIXES):
        _take_in(run, touched)


def _take_in(run: Run, touched: list[Root], *, always_tell: bool = False) -> None:
    """What cannot be done now, on a full disk for example, is tried again at the next change."""
    try:
        done = run.ingest(touched)
    except CorpusError as error:
        _say({"event": "failed", "message": str(error)})
        return
    if always_tell or done.worth_telling:
        _say(done.event())


def _end_with_parent() -> None:
    """stdin ends when the server does, however it ends; what is being written stays whole, being one transaction."""
    while sys.stdin.readline():
        pass
    os._exit(0)


def _say(event: dict[str, object]) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    main()
