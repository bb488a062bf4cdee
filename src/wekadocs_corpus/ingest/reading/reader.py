"""A process that reads files for another: batches come on stdin, what became of each file goes to stdout.

It is ended by its own limits, by whoever started it, or by the end of its stdin.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import time
from typing import Any, BinaryIO

from wekadocs_corpus.documents import Allowance

from .limits import OUT_OF_MEMORY, WAITING, cap_cpu, cap_memory
from .prepare import PARSE_ONLY, parse, prepare

_FOR_PAGES = 0.6  # of the CPU seconds that a file may take: what was read is yet to be analysed


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's to handle
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    settings, model, rules, memory = pickle.load(requests)  # noqa: S301 (from whoever started us)
    whole = model != PARSE_ONLY
    embedder = _embedder(settings)
    # What a document leaves behind is mostly freed without the collector; looking often costs a tenth of all time.
    gc.freeze()
    gc.set_threshold(50_000)
    _answer(answers, None)  # ready
    cap_memory(memory)
    try:
        while (request := _next(requests)) is not None:
            tasks, seconds = request
            cap_cpu(seconds)
            # A file alone may have pages left out for want of time; one of several is read again alone.
            allowance = _allowance(_FOR_PAGES * seconds) if len(tasks) == 1 else None
            _answer(answers, prepare(tasks, embedder, model, rules, allowance) if whole else parse(tasks, allowance))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # not the long way: it might need memory


def _allowance(seconds: float) -> Allowance:
    return Allowance(time.process_time() + seconds, time.monotonic() + WAITING * seconds)


def _answer(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


def _embedder(settings: Any) -> Any:
    """Loaded where it is cheap enough to have one per process; None leaves embedding to the caller."""
    if settings is None:
        return None
    from wekadocs_corpus.embedding.choose import load

    return load(settings)


def _next(requests: BinaryIO) -> Any:
    try:
        return pickle.load(requests)  # noqa: S301
    except EOFError:
        return None


if __name__ == "__main__":
    main()
