"""A process that dies at any step of a rename leaves all old or all new, and an editor's save in between is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wekadocs_notes.writing.files.changes import FileChange, Plan
from wekadocs_notes.writing.files.disk import Disk
from wekadocs_notes.writing.files.journal import Journal
from wekadocs_notes.writing.files.places import Place
from wekadocs_notes.writing.recovery import end_interrupted
from wekadocs_notes.writing.texts.retargeting import with_targets

OLD = {"old.md": b"self [[old]]\n", "a.md": b"[[old]] a\n", "sub/b.md": b"b [[old|x]]\r\n"}
NEW = {"deep/new.md": b"self [[new]]\n", "a.md": b"[[new]] a\n", "sub/b.md": b"b [[new|x]]\r\n"}
TARGETS = {"old": "new"}


class Killed(BaseException):
    """The power is gone."""


def furnish(root: Path) -> None:
    for id, data in OLD.items():
        (root / id).parent.mkdir(parents=True, exist_ok=True)
        (root / id).write_bytes(data)


def files(root: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.md")}
    return {id: data for id, data in found.items() if not id.startswith(".")}


def plan() -> Plan:
    changes = [FileChange("deep/new.md", OLD["old.md"], NEW["deep/new.md"], TARGETS, 1)]
    changes += [FileChange(id, OLD[id], NEW[id], TARGETS, 1) for id in ("a.md", "sub/b.md")]
    return Plan(tuple(changes), ("old.md", "deep/new.md"))


def commit(root: Path) -> None:
    disk = Disk(root)
    with disk.locked(5):
        Journal(disk, with_targets).commit(plan(), lambda: None)


def dying(monkeypatch: pytest.MonkeyPatch, step: int) -> list[str]:
    """Every call that changes something on the disk is a step; at this one the process dies, before or after it."""
    done: list[str] = []

    def counted(place, name):
        real = getattr(place, name)

        def either(*arguments, **more):
            done.append(name)
            if len(done) == step // 2 and step % 2:
                raise Killed
            made = real(*arguments, **more)
            if len(done) == step // 2:
                raise Killed
            return made

        monkeypatch.setattr(place, name, either)

    for name in ("write_new", "exchange"):
        counted(Place, name)
    for name in ("link", "unlink", "replace", "mkdir"):
        counted(os, name)
    return done


def steps(root: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patched:
        done = dying(patched, 10**9)
        commit(root)
    return 2 * len(done) + 2


def test_a_death_at_every_step_leaves_all_old_or_all_new(tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    furnish(tmp_path / "whole")
    seen = []
    for step in range(2, steps(tmp_path / "whole", monkeypatch)):
        root = tmp_path / str(step)
        root.mkdir()
        furnish(root)
        with monkeypatch.context() as patched:
            dying(patched, step)
            with pytest.raises(Killed):
                commit(root)
        end_interrupted(root)
        seen.append(files(root))
        assert seen[-1] in (OLD, NEW), f"step {step}"
        assert not (root / ".wekadocs" / "journal.json").exists()
        disk = Disk(root)
        with disk.locked(5):  # as the next write begins
            assert Journal(disk, with_targets).recover() == []
        assert list((root / ".wekadocs" / "staged").iterdir()) == []
    assert OLD in seen and NEW in seen


def test_a_death_while_the_rest_is_done_leaves_it_to_the_next(tmp_path, monkeypatch):
    furnish(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Disk, "move", lambda *_: (_ for _ in ()).throw(Killed()))
        with pytest.raises(Killed):
            commit(tmp_path)
    for step in range(2, 12):
        with monkeypatch.context() as patched:
            dying(patched, step)
            try:
                end_interrupted(tmp_path)
            except Killed:
                continue
            break
    end_interrupted(tmp_path)
    assert files(tmp_path) == NEW


def test_an_editors_save_between_death_and_restart_is_kept_and_its_links_follow(tmp_path, monkeypatch):
    furnish(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Disk, "replace", lambda *_: (_ for _ in ()).throw(Killed()))
        with pytest.raises(Killed):
            commit(tmp_path)
    (tmp_path / "a.md").write_bytes(b"rewritten by hand, still [[old#x]]")
    (tmp_path / "sub" / "b.md").unlink()
    end_interrupted(tmp_path)
    assert files(tmp_path) == {"deep/new.md": NEW["deep/new.md"], "a.md": b"rewritten by hand, still [[new#x]]"}


def test_a_name_that_was_taken_meanwhile_leaves_all_old(tmp_path, monkeypatch):
    furnish(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Disk, "move", lambda *_: (_ for _ in ()).throw(Killed()))
        with pytest.raises(Killed):
            commit(tmp_path)
    (tmp_path / "deep").mkdir(exist_ok=True)
    (tmp_path / "deep" / "new.md").write_bytes(b"somebody else's")
    end_interrupted(tmp_path)
    assert files(tmp_path) == {**OLD, "deep/new.md": b"somebody else's"}


def test_a_disk_that_fails_half_way_is_put_back(tmp_path, monkeypatch):
    furnish(tmp_path)
    real = Disk.replace

    def full(self, name, id, before):
        if id == "sub/b.md":
            raise OSError(28, "No space left on device")
        return real(self, name, id, before)

    with monkeypatch.context() as patched:
        patched.setattr(Disk, "replace", full)
        with pytest.raises(Exception, match="Nothing was changed"):
            commit(tmp_path)
    assert files(tmp_path) == OLD
    assert end_interrupted(tmp_path) == []


STRANGE = [
    "",
    "{}",
    "[]",
    '{"version":1,"move":["a.md","../out.md"],"steps":[]}',
    '{"version":1,"move":null,"steps":[{}]}',
]
STRANGE += ['{"version":1,"move":null,"steps":[{"id":"a.md","before":null,"after":"x","staged":"../x","targets":{}}]}']


@pytest.mark.parametrize("text", STRANGE)
def test_a_journal_that_nobody_wrote_is_put_aside(tmp_path, text):
    furnish(tmp_path)
    (tmp_path / ".wekadocs").mkdir()
    (tmp_path / ".wekadocs" / "journal.json").write_text(text)
    end_interrupted(tmp_path)
    assert files(tmp_path) == OLD
    commit(tmp_path)
    assert files(tmp_path) == NEW
