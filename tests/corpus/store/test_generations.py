"""One index on disk for all processes: read by any number of them, written whole, and made anew when it is damaged."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made_documents import prepared
from oracle import PROFILE
from serving import AREA, filled, found, local, run, texts, until_local, written

from wekadocs_corpus.model import Filters
from wekadocs_corpus.store.checking import check
from wekadocs_corpus.store.errors import Damaged
from wekadocs_corpus.store.local import following
from wekadocs_corpus.store.local.files import Writer, read_about
from wekadocs_corpus.store.local.generations import Generations, damaged, safe_name
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.local.writing import due
from wekadocs_corpus.store.local.writing.beside import Builder
from wekadocs_corpus.store.local.writing.refreshing import refresh
from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

ARRAYS = ("vectors", "chunks", "owners", "documents", "doc_tag", "paths", "terms", "ends", "places", "weights")


@pytest.fixture
def never_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a large corpus: a generation is due at once, and made where it is asked for."""
    monkeypatch.setattr(due, "SMALL", 0)
    monkeypatch.setattr(following, "Builder", Here)


class Here:
    """Builds in this process, when the follower asks for it."""

    running, failed = False, ""

    def __init__(self, truth: SqliteTruth, project: str, _profile: object) -> None:
        self._data_dir, self._project = truth.data_dir, project

    def start(self) -> None:
        truth = SqliteTruth(self._data_dir)
        self.failed = refresh(truth, self._project, PROFILE, patience=0.0)
        truth.close()

    def leave(self) -> None:
        pass


def bytes_of(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_ten_indexes_read_one_generation_and_write_nothing(truth: SqliteTruth) -> None:
    expected = filled(truth)
    folder = written(truth)
    before = bytes_of(truth.data_dir / "index")

    async def main() -> None:
        indexes = [local(truth) for _ in range(10)]
        for index in indexes:
            state = await index.state()
            assert (state.kind, state.behind, state.note) == ("local", 0, "")
            assert await texts(index, truth) == expected
            view = index._follower.view
            assert view is not None
            assert (view.size, len(view.delta)) == (30, 0), "nothing was read from the truth again"
            await index.close()

    asyncio.run(main())
    assert bytes_of(truth.data_dir / "index") == before
    assert found(truth) == [folder]


def test_a_small_corpus_needs_no_folder(truth: SqliteTruth) -> None:
    expected = filled(truth)

    async def work(index: LocalIndex) -> None:
        assert (await index.state()).kind == "local"
        assert await texts(index, truth) == expected

    run(truth, work)
    assert refresh(truth, "p", PROFILE) == ""
    assert not (truth.data_dir / "index").exists()


def test_a_process_of_its_own_builds_what_is_due(truth: SqliteTruth) -> None:
    """Beside a server, whose questions SQLite answers meanwhile and says so."""
    many = due.SMALL + 10
    truth.write(prepared("large.md", [f"text {i}" for i in range(many)], [{1: 1.0, 100 + i: 2.0} for i in range(many)]))

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(0)
        assert (state.kind, state.behind) == ("sqlite", 0)
        assert "being built" in state.note
        assert await index.search_vectors([1.0] * 8, AREA, Filters(), 5) == []
        legs = await index.search_words({150: 1.0}, AREA, Filters(), 5)
        assert [passage.text for passage in truth.chunks([leg.chunk_id for leg in legs])] == ["text 50"]
        assert (await until_local(index)).note == ""
        legs = await index.search_words({150: 1.0}, AREA, Filters(), 5)
        assert [passage.text for passage in truth.chunks([leg.chunk_id for leg in legs])] == ["text 50"]

    run(truth, work)
    assert [path.name.split("-")[:2] for path in found(truth)] == [["gen", f"{truth.sequence():012}"]]


def test_a_builder_that_fails_is_told_and_sqlite_answers(truth: SqliteTruth, never_small: None) -> None:
    expected = filled(truth)
    (truth.data_dir / "index").write_text("in the way")

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(5)
        assert (state.kind, "the index folder cannot be written" in state.note) == ("sqlite", True)
        assert await texts(index, truth) == expected
        assert len(await index.search_vectors([1.0] * 8, AREA, Filters(), 100)) == 30

    run(truth, work)


def damages(folder: Path) -> dict[str, Callable[[], None]]:
    files = sorted(path for path in folder.iterdir() if path.is_file())

    def garbage() -> None:
        dice = random.Random(1)
        for path in files:
            path.write_bytes(dice.randbytes(path.stat().st_size))

    def emptied() -> None:
        for path in files:
            os.truncate(path, 0)

    def removed() -> None:
        for path in files[1::2]:
            path.unlink()

    def shorter(name: str) -> Callable[[], None]:
        return lambda: os.truncate(folder / name, (folder / name).stat().st_size - 1)

    each = {name: shorter(name) for name in ARRAYS}
    return {"garbage": garbage, "emptied": emptied, "removed": removed, "about": shorter("about.json"), **each}


@pytest.mark.parametrize("how", ["garbage", "emptied", "removed", "about", *ARRAYS])
def test_a_damaged_generation_is_built_anew(truth: SqliteTruth, never_small: None, how: str) -> None:
    expected = filled(truth)
    folder = written(truth)
    damages(folder)[how]()

    async def work(index: LocalIndex) -> None:
        assert await texts(index, truth) == expected
        await until_local(index)
        assert await texts(index, truth) == expected

    run(truth, work)
    assert len(found(truth)) == 1
    assert found(truth) != [folder]


def test_an_array_that_breaks_while_it_is_read_is_replaced_and_the_question_answered(
    truth: SqliteTruth, never_small: None
) -> None:
    expected = filled(truth)
    folder = written(truth)
    places = np.fromfile(folder / "places", "<i4")
    (folder / "places").write_bytes((places + 1_000_000).astype("<i4").tobytes())

    async def work(index: LocalIndex) -> None:
        assert (await index.state()).kind == "local", "it looks well"
        assert await texts(index, truth) == expected
        await until_local(index)
        assert await texts(index, truth) == expected

    run(truth, work)
    assert found(truth) != [folder]


def test_doctor_finds_a_bit_that_no_size_shows_and_mends_it(truth: SqliteTruth, never_small: None) -> None:
    filled(truth)
    folder = written(truth)

    async def work(index: LocalIndex) -> None:
        assert (await check(index))[0][:3] == ("ok", "", "local index")
        await index.close()
        data = bytearray((folder / "vectors").read_bytes())
        data[17] ^= 1
        (folder / "vectors").write_bytes(data)
        again = local(truth)
        assert (await check(again))[0][2] == "the index was damaged (vectors): mended, it is made anew"
        await until_local(again)
        assert (await check(again))[0][:3] == ("ok", "", "local index")
        await again.close()

    run(truth, work)
    assert found(truth) != [folder]


def test_a_generation_of_another_truth_is_not_believed(truth: SqliteTruth, data: Path) -> None:
    filled(truth)
    written(truth)
    truth.close()
    for path in data.glob("corpus.db*"):
        path.unlink()
    other = SqliteTruth(data)
    other.write(prepared("new.md", ["new"], [{1: 1.0}]))

    async def work(index: LocalIndex) -> None:
        await until_local(index)
        assert await texts(index, other) == ["new"]

    run(other, work)
    other.close()


def test_a_generation_that_is_ahead_of_a_restored_truth_is_not_believed(truth: SqliteTruth, data: Path) -> None:
    truth.write(prepared("old.md", ["old"], [{1: 1.0}]))
    truth.close()
    shutil.copy(data / "corpus.db", data / "backup")
    newer = SqliteTruth(data)
    filled(newer)
    written(newer)
    newer.close()
    shutil.copy(data / "backup", data / "corpus.db")
    restored = SqliteTruth(data)

    async def work(index: LocalIndex) -> None:
        await until_local(index)
        assert await texts(index, restored) == ["old"]

    run(restored, work)
    restored.close()


def test_a_crash_while_building_leaves_the_old_generation(
    truth: SqliteTruth, never_small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(truth)
    folder = written(truth)
    (folder.parent / "building-0badcafe").mkdir()  # of a process that was killed
    (folder.parent / "building-0badcafe" / "vectors").write_bytes(b"half")
    truth.write(prepared("more.md", ["more"], [{1: 1.0}]))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "finish", full)
        assert "No space left on device" in refresh(truth, "p", PROFILE)
    assert found(truth) == [folder], "what was half built is gone, the old one stays"
    assert refresh(truth, "p", PROFILE) == ""
    assert len(found(truth)) == 1
    assert found(truth) != [folder]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("moment", ["building-*", "building-*/vectors", "building-*/run-0.keys.npy", "gen-*"])
def test_a_builder_that_is_killed_leaves_the_old_generation_or_the_new_one(truth: SqliteTruth, moment: str) -> None:
    many = due.SMALL + 10
    truth.write(prepared("large.md", [f"text {i}" for i in range(many)], [{1: 1.0, 100 + i: 2.0} for i in range(many)]))
    builder = Builder(truth, "p", PROFILE)
    builder.start()
    process, folder = builder._process, Generations(truth.data_dir, "p", PROFILE).folder
    assert process is not None
    while process.poll() is None and not list(folder.glob(moment)):
        pass
    process.kill()
    process.communicate()
    newest = Generations(truth.data_dir, "p", PROFILE).newest(truth.id, truth.sequence())
    assert newest is None or not damaged(newest)
    assert refresh(truth, "p", PROFILE) == ""
    assert [path.name.partition("-")[0] for path in found(truth)] == ["gen"]


def test_a_reader_goes_on_while_a_new_generation_takes_the_place_of_its_own(truth: SqliteTruth) -> None:
    expected = filled(truth)
    written(truth)

    async def work(index: LocalIndex) -> None:
        truth.write(prepared("more.md", ["more"], [{1: 1.0}]))
        assert (await index.catch_up(5)).behind == 0
        written(truth)  # the files that this index has mapped are deleted
        assert await texts(index, truth) == sorted([*expected, "more"])
        await index.catch_up(5)
        view = index._follower.view
        assert view is not None
        assert (view.size, len(view.delta)) == (31, 0), "it reads the new one"
        assert await texts(index, truth) == sorted([*expected, "more"])

    run(truth, work)


@pytest.mark.parametrize("on_disk", [False, True])
def test_when_all_is_deleted_nothing_is_found_and_nothing_is_missing(truth: SqliteTruth, *, on_disk: bool) -> None:
    filled(truth)
    if on_disk:
        written(truth)
    truth.delete([prepared(f"{i}.md").document.id for i in range(30)])

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(5)
        assert (state.kind, state.behind) == ("local", 0)
        assert await texts(index, truth) == []
        if on_disk:
            written(truth)
            assert (await index.catch_up(5)).behind == 0
            assert await texts(index, truth) == []

    run(truth, work)


def test_only_one_builds_at_a_time_and_nobody_builds_twice(truth: SqliteTruth, never_small: None) -> None:
    filled(truth)
    with Generations(truth.data_dir, "p", PROFILE).building() as folder:
        assert folder is not None
        assert refresh(truth, "p", PROFILE, patience=0.0) == "another process is building the index"
    assert refresh(truth, "p", PROFILE) == ""
    before = found(truth)
    assert refresh(truth, "p", PROFILE) == ""
    assert found(truth) == before


def test_copies_of_earlier_releases_go_unless_they_are_used(truth: SqliteTruth) -> None:
    filled(truth)
    folder = Generations(truth.data_dir, "p", PROFILE).folder
    for name in ("slot-0", "slot-1"):
        (folder / name / "shard").mkdir(parents=True)
        (folder / f"{name}.lock").touch()
    used = FileLock.take(folder / "slot-1.lock")
    assert used is not None
    written(truth)
    used.release()
    assert [path.name for path in found(truth) if path.is_dir()][1:] == ["slot-1"]


def test_what_another_layout_wrote_is_not_read(truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(truth)
    monkeypatch.setattr("wekadocs_corpus.store.local.files.LAYOUT", 0)
    folder = written(truth)
    monkeypatch.undo()
    with pytest.raises(Damaged, match="another layout"):
        read_about(folder)
    assert Generations(truth.data_dir, "p", PROFILE).newest(truth.id, truth.sequence()) is None


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
