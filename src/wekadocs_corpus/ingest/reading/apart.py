"""Documents read in processes with limits of their own, for whoever keeps them elsewhere than in the truth."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import stopping
from wekadocs_corpus.configured import limits_of
from wekadocs_corpus.model import Place

from .prepare import Failure, Parsed, Task
from .workers import Workers

if TYPE_CHECKING:
    from wekadocs_corpus.ingest.sources.origin import Origin


def read_apart(
    origins: Sequence[Origin], settings: Mapping[str, Any], name: str = ""
) -> Iterator[tuple[Origin, Parsed | Failure]]:
    """In the order given, each as soon as it is read; `settings` are the corpus plugin's, `name` is whose they are.

    Raises `Stopped` in a thread that `stopping.in_thread` has told to stop; no process stays behind.
    """
    given = settings["ingest"]
    count, largest = given.get("workers") or os.cpu_count() or 1, given["max_file_bytes"]
    tasks = [Task(each, Place(name, "", "", each.path, each.locator), "", 0.0, "", True, largest) for each in origins]
    with Workers(count, None, limits_of(settings), stopping.current()) as workers:
        for task, outcome in workers.outcomes(tasks):
            if isinstance(outcome, Parsed | Failure):
                yield task.origin, outcome
