"""Large pages read in a process of their own, which can be ended: a page may be made to cost any reader a minute.

What comes back is JSON: a process that has read a stranger's page is not trusted with more.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from weakref import WeakKeyDictionary

from .links import Link
from .page import NotAPage, Page
from .reading import is_pdf, read

_SMALL = 262_144  # bytes that cost no reader more than a second or two, whatever they are
_WAITING = 3  # the clock may go on for so many times the CPU seconds
_MEMORY = 1_610_612_736
_AT_ONCE = max(1, min(4, os.cpu_count() or 1))  # processes; more would only take memory from each other
_DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_OUT_OF_CPU = -int(getattr(signal, "SIGXCPU", 0))


async def read_within(seconds: float, body: bytes, media_type: str, charset: str, address: str) -> Page:
    """Cancelled, it leaves no process behind. NotAPage says why nothing can be read of it."""
    if len(body) <= _SMALL or is_pdf(body, media_type):  # a PDF only passes through
        return await asyncio.to_thread(read, body, media_type, charset, address)
    head = {"seconds": seconds, "media_type": media_type, "charset": charset, "address": address}
    async with _places():
        code, said = await _asked(json.dumps(head).encode() + b"\n" + body, _WAITING * seconds)
    if code == 0:
        return _page(said)
    if code is None or code == _OUT_OF_CPU:
        raise NotAPage(f"reading it took more than {seconds:g} s (read_seconds)")
    raise NotAPage("reading it took too much memory")


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def _places() -> asyncio.Semaphore:
    """In this event loop; whoever waits for one has not begun to be late."""
    return _of_loops.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE))


async def _asked(request: bytes, clock: float) -> tuple[int | None, bytes]:
    """How it ended, None for too late, and what it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"{__package__}.reader"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    try:
        async with asyncio.timeout(clock):
            said, _ = await process.communicate(request)
        return process.returncode, said
    except TimeoutError:
        return None, b""
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())


def _page(said: bytes) -> Page:
    found = json.loads(said)
    if "refused" in found:
        raise NotAPage(str(found["refused"]))
    return Page(**{**found, "links": tuple(Link(*each) for each in found["links"])})


def as_json(page: Page) -> bytes:
    return json.dumps({name: value for name, value in asdict(page).items() if name != "data"}).encode()


def cap(seconds: float, parent: int) -> None:
    """Of this process, from now on; it ends with the one that began it."""
    from wekadocs_corpus import cap_cpu, cap_memory

    _end_with(parent)
    cap_memory(_MEMORY)
    cap_cpu(seconds)


def _end_with(parent: int) -> None:
    """However that one ends: only Linux can be asked for it, elsewhere the seconds end this one."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it was quicker
            os._exit(1)
