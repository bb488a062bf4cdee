"""Work on a stranger's files with a ceiling on time and memory: a template can loop for hours in a few bytes."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from .problems import Unreadable

Result = TypeVar("Result")
SECONDS = 8
_MEMORY = 2 << 30


def start(work: Callable[[], Result], what: str, seconds: int = SECONDS) -> Callable[[], Result]:
    """Begin `work` in a child process that is ended when it takes too much; what is returned waits for the result."""
    if not hasattr(os, "fork"):
        return work
    _import_once()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(work, writing, seconds)
    os.close(writing)
    return lambda: _result(child, reading, what, seconds)


def _import_once() -> None:
    """What every child needs and the parent too, before the first fork and not once in each of them."""
    for name in ("jinja2.sandbox", "jsonschema_rs", "yaml"):
        import_module(name)


def _result(child: int, reading: int, what: str, seconds: int) -> Any:
    with os.fdopen(reading, "rb") as stream:
        answer = stream.read()
    _, status = os.waitpid(child, 0)
    if not answer:
        ended = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        raise Unreadable(
            f"{what}: reading it took more than {seconds} s of work or {_MEMORY >> 30} GB ({ended}); "
            "nothing was compared"
        )
    outcome, value = pickle.loads(answer)  # noqa: S301 - written by our own fork a moment ago
    if outcome == "raised":
        raise value
    return value


def _in_child(work: Callable[[], Any], writing: int, seconds: int) -> None:
    """Never returns. The alarm ends what only sleeps; the limits end what computes or grows."""
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds * 3)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    code = 1
    try:
        try:
            answer = pickle.dumps(("done", work()))
        except MemoryError:
            raise
        except Exception as error:
            answer = pickle.dumps(("raised", error))
        with os.fdopen(writing, "wb") as stream:
            stream.write(answer)
        code = 0
    finally:
        os._exit(code)
