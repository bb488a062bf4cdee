"""The child of follow.py: ingests a folder, then again whenever it changes, until its stdin ends."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from wekadocs_corpus.documents import SUFFIXES
from wekadocs_corpus.ingest import Stamp
from wekadocs_corpus.scan import NothingThere, roots
from wekadocs_corpus.watch import changes

from .run import Run


def main() -> None:
    task = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        where = roots([task["docs"]])
    except NothingThere as error:
        _say({"event": "failed", "message": str(error)})
        return
    run = Run(
        Path(task["data_dir"]),
        task["settings"],
        Stamp(task["project_id"], task["environment"], task["repository"]),
        lambda *_: None,
    )
    _say(run.ingest(where))
    for touched in changes(where, SUFFIXES):
        _say(run.ingest(touched))


def _end_with_parent() -> None:
    """stdin ends when the server does, however it ends; what is being written stays whole, being one transaction."""
    while sys.stdin.readline():
        pass
    os._exit(0)


def _say(event: Any) -> None:
    print(json.dumps(event if isinstance(event, dict) else event.event()), flush=True)


if __name__ == "__main__":
    main()
