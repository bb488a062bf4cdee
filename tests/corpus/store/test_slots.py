"""A slot belongs to one process; what it holds is known, and what is damaged is built anew."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from made_documents import MODEL

from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.slots import Holding, found_slots, in_use, remove_slot, safe_name, slots_folder, take_slot


def test_each_gets_its_own_slot_and_the_fifth_none(tmp_path: Path) -> None:
    slots = [take_slot(tmp_path, "t") for _ in range(5)]
    assert [slot and slot.folder.name for slot in slots] == ["slot-0", "slot-1", "slot-2", "slot-3", None]
    assert in_use(tmp_path)
    second = slots[1]
    assert second is not None
    second.release()
    again = take_slot(tmp_path, "t")
    assert again is not None
    assert again.folder.name == "slot-1"
    for slot in (slots[0], slots[2], slots[3], again):
        assert slot is not None
        slot.release()
    assert not in_use(tmp_path)


def test_the_slot_that_holds_most_of_this_truth_is_preferred(tmp_path: Path) -> None:
    slots = [take_slot(tmp_path, "t") for _ in range(4)]
    for slot, holding in zip(slots, [Holding("other", 8, 99), Holding("t", 8, 3), Holding("t", 8, 7)], strict=False):
        assert slot is not None
        slot.keep(holding)
    for slot in slots:
        assert slot is not None
        slot.release()
    best = take_slot(tmp_path, "t")
    assert best is not None
    assert best.holding() == Holding("t", 8, 7)
    best.release()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_keep_the_lock_of_its_parent(tmp_path: Path) -> None:
    lock = FileLock.take(tmp_path / "lock")
    assert lock is not None
    ready, child = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(ready[1], b"x")
        os.read(child[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    assert FileLock.take(tmp_path / "lock") is None
    lock.release()
    taken = FileLock.take(tmp_path / "lock")
    os.write(child[1], b"x")
    os.waitpid(pid, 0)
    for end in (*ready, *child):
        os.close(end)
    assert taken is not None
    taken.release()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "A", "a b", "x" * 300, "ü", "con\0", "openai:text-3@1536"])
def test_every_name_makes_one_folder_of_its_own(name: str) -> None:
    made = safe_name(name)
    assert made not in (".", "..")
    assert len(made) <= 64
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-.")
    assert made != safe_name(name + "!")
    assert safe_name("wekadocs-matrix") == "wekadocs-matrix"


def test_slots_are_listed_for_the_doctor_and_orphans_can_go(tmp_path: Path) -> None:
    root = slots_folder(tmp_path, "p", MODEL)
    ours, theirs = take_slot(root, "t"), take_slot(root, "t")
    assert ours is not None
    assert theirs is not None
    ours.keep(Holding("t", 8, 5))
    theirs.keep(Holding("another truth", 8, 9))
    theirs.release()
    listed = found_slots(tmp_path)
    assert [(each.folder.name, each.used, each.holding and each.holding.truth) for each in listed] == [
        ("slot-0", True, "t"),
        ("slot-1", False, "another truth"),
    ]
    assert [remove_slot(each.folder) for each in listed] == [False, True], "one that is used stays"
    assert [each.folder.name for each in found_slots(tmp_path)] == ["slot-0"]
    ours.release()
