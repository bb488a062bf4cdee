"""Ctrl-C while locks are taken that other threads wait for: it is told a moment later, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from wekadocs_corpus.stopping import uninterrupted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

# As if the signal came in the moment between the taking of a future's lock and the block that gives it back.
_AT_THE_WORST_MOMENT = """
import os, signal, sys, threading
enter, main, left = threading.Condition.__enter__, threading.get_ident(), [20]

def interrupted(self):
    taken = enter(self)
    if threading.get_ident() == main and "futures" in sys._getframe(1).f_code.co_filename:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.{name})
    return taken

threading.Condition.__enter__ = interrupted
from wekadocs_mcp.entry import main as run
run()
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_ingest_that_is_told_to_stop_at_the_worst_moment_ends(tmp_path: Path, name: str) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(300):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\n" + f"word{number} goes on. " * 400)
    command = [sys.executable, "-c", _AT_THE_WORST_MOMENT.format(name=name), "ingest", docs, "--json"]
    told = subprocess.run(
        [*command, "--data", tmp_path / "data"], capture_output=True, text=True, timeout=120, check=False
    )
    assert (told.returncode, told.stderr) == (130, "")
    assert '"event":"stopped"' in told.stdout.splitlines()[-1]


def test_what_is_not_to_be_interrupted_ends_first() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        done = True
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_of_others_and_other_threads_are_left_alone() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: seen.append(number))
    try:
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGTERM)
            assert seen == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)
    failed: list[BaseException] = []

    def elsewhere() -> None:
        try:
            with uninterrupted():
                pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert failed == []
