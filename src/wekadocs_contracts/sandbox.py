"""Strangers' contracts are read here: nothing leads out of their folder, and a child process with ceilings works.

`lint`, `docs`, `lock` and `diff` alike. What can be bounded is bounded where it is done (source, templates, schemas)
and told with its place; the child is for what cannot.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from wekadocs_contracts import shipped
from wekadocs_contracts.problems import Problem, Refused

Result = TypeVar("Result")
SECONDS = 8
MAX_FILES = 2000
_MAX_ENTRIES = 50_000
_MAX_BYTES = 64 << 20
_MEMORY = 2 << 30
_PATIENCE = 15  # seconds on the clock for each second of work: twenty neighbours must not change an answer


class Died(Refused):
    """The child did not end by itself; `ended` says how."""

    ended = ""


def check_folder(folder: Path, shown: Path | None = None) -> None:
    """A link out of the folder would print a stranger's choice of file into the log, or write over it."""
    shown = shown or folder
    home = folder.resolve()
    if not folder.is_dir() or home == Path(shipped.CONTRACTS).resolve():
        return
    seen = size = 0
    for root, folders, names in os.walk(folder):
        seen += len(folders) + len(names)
        for path in (Path(root, name) for name in (*folders, *names)):
            if path.is_symlink() and not path.resolve().is_relative_to(home):
                place = shown / path.relative_to(folder)
                raise _refused(place, f"a link that leads out of {shown}", "put the file itself there")
            size += path.lstat().st_size if path.suffix in (".yaml", ".yml", ".j2") else 0
        if seen > _MAX_ENTRIES or size > _MAX_BYTES:
            raise _refused(shown, "more files than a set of contracts can be", "name a smaller folder")


def check_count(files: Iterable[Path], shown: Path) -> None:
    count = sum(1 for _ in files)
    if count > MAX_FILES:
        raise _refused(shown, f"{count} files are more than {MAX_FILES}", "name a smaller folder")


def _refused(place: Path, message: str, way_out: str) -> Refused:
    return Refused([Problem(str(place), message, way_out)])


def run(work: Callable[[], Result], what: str, seconds: int = SECONDS) -> Result:
    return start(work, what, seconds)()


def start(work: Callable[[], Result], what: str, seconds: int = SECONDS) -> Callable[[], Result]:
    """Begin `work` in a child process that is ended when it takes too much; what is returned waits for the result."""
    if not hasattr(os, "fork"):
        return work
    _import_once()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
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
        most = f"{seconds} s of work or {_MEMORY >> 30} GB"
        message = f"it took more than {most}, or a library died ({ended}); nothing was done"
        died = Died([Problem(what, message, "look at its templates, patterns and references, one file at a time")])
        died.ended = ended
        raise died
    outcome, value = pickle.loads(answer)  # noqa: S301 - written by our own fork a moment ago
    if outcome == "raised":
        raise value
    return value


def _taken() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _limit(kind: int, most: int) -> None:
    """A limit that is lower already stays: a child's child, or a user's own, may not be given more."""
    import resource

    _, hard = resource.getrlimit(kind)
    lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (lowest, lowest))


def _in_child(work: Callable[[], object], writing: int, seconds: int) -> None:
    """Never returns. The alarm ends what only sleeps; the limits end what computes or grows."""
    import resource

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds * _PATIENCE)
    _limit(resource.RLIMIT_CPU, seconds)
    if sys.platform == "linux":
        _limit(resource.RLIMIT_AS, _taken() + _MEMORY)
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
