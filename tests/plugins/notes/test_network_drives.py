"""A vault on a drive that tells no events: a folder mounted by FUSE, changed behind its back as by another machine."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import debian_programs
import pytest

from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_notes.index import KeptVault, Watcher
from wekadocs_notes.index.drives import kind_of, tells_events
from wekadocs_notes.vault import Vault


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The folder as others have it, and as it is mounted here."""
    far, near = tmp_path / "far", tmp_path / "near"
    far.mkdir()
    near.mkdir()
    if not os.access("/dev/fuse", os.W_OK):
        pytest.skip("no FUSE here, so nothing can be mounted: /dev/fuse is not there or not ours")
    if why := debian_programs.missing(("bindfs",), "bindfs"):
        pytest.skip(why)
    done = subprocess.run(["bindfs", str(far), str(near)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a FUSE drive cannot be mounted here: {done.stderr.strip()}")
    yield far, near
    subprocess.run(["fusermount", "-u", "-z", str(near)], check=True)


def noticed(news: threading.Event, holds: Callable[[], bool]) -> None:
    while not holds():
        assert news.wait(30)
        news.clear()


def test_what_others_change_on_a_mounted_drive_is_noticed(drive: tuple[Path, Path], tmp_path: Path) -> None:
    far, near = drive
    assert kind_of(near).startswith("fuse") and not tells_events(near) and tells_events(tmp_path)
    (far / "A.md").write_text("one")
    truth, news = SqliteTruth(tmp_path / "data"), threading.Event()
    kept = KeptVault(Vault("v", near), truth)
    watcher = Watcher(kept, "auto", news.set)
    watcher.start()
    try:
        noticed(news, lambda: [*kept.vault.notes] == ["A.md"])
        (far / "Sub").mkdir()
        (far / "A.md").rename(far / "Sub" / "a.md")
        noticed(news, lambda: [*kept.vault.notes] == ["Sub/a.md"])
        before = kept.vault.notes["Sub/a.md"].hash
        (far / "saved").write_text("two")
        (far / "saved").replace(far / "Sub" / "a.md")
        noticed(news, lambda: kept.vault.notes["Sub/a.md"].hash != before)
        (far / "Sub" / "a.md").unlink()
        noticed(news, lambda: not kept.vault.notes)
    finally:
        watcher.stop()
        watcher.join()
        truth.close()
