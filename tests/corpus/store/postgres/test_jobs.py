"""An ingest that machines share, claim by claim: who has what, who takes over, and who may not write any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from made_documents import prepared

from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.postgres.jobs.part import JobPart
from wekadocs_corpus.store.postgres.truth import PostgresTruth
from wekadocs_corpus.store.truth.jobs import Job
from wekadocs_corpus.store.writing.rows import rows

LEASE = 3600.0
PAGES = {each.document.id: each for each in (prepared(f"{number}.md") for number in range(6))}
JOB = Job(("file:///docs",), "p", "prod", "", dict.fromkeys(PAGES, "as it is"), ())


@contextmanager
def machine(settings: dict[str, str], folder: Path) -> Iterator[PostgresTruth]:
    truth = PostgresTruth(folder, settings)
    yield truth
    truth.close()


@pytest.fixture
def machines(settings: dict[str, str], tmp_path: Path) -> Iterator[tuple[PostgresTruth, PostgresTruth]]:
    with machine(settings, tmp_path / "here") as here, machine(settings, tmp_path / "there") as there:
        yield here, there


def lapsed(settings: dict[str, str]) -> None:
    """As though none of those at work had been heard of for long."""
    with psycopg.connect(settings["url"], autocommit=True) as connection:
        connection.execute(
            f"UPDATE \"{settings['schema']}\".ingest_workers SET until = clock_timestamp() - interval '1 second'"
        )


def claimed(part: JobPart, most: int = 100) -> set[str]:
    return part.claim(JOB.marks, most)[0]


def take_in(truth: PostgresTruth, part: JobPart, ids: set[str]) -> frozenset[str]:
    return truth.write_rows(map(rows, (PAGES[each] for each in sorted(ids))), held=part).lost


def test_each_file_is_read_by_one(machines: tuple[PostgresTruth, PostgresTruth]) -> None:
    here, there = machines
    with here.jobs().join(JOB, LEASE) as mine, there.jobs().join(JOB, LEASE) as theirs:
        first, second = claimed(mine, 4), claimed(theirs)
        assert len(first) == 4
        assert first | second == set(PAGES)
        assert not first & second
        assert not take_in(here, mine, first)
        assert mine.finish() is None, "the other is still reading"
        assert theirs.claim(JOB.marks, 9) == (set(), first)
        assert not take_in(there, theirs, second)
        assert (theirs.finish(), mine.finish()) == (0, None), "one of them ends it"
        assert mine.tally().ended
    assert here.counts().documents == len(PAGES)
    assert here.jobs().rows() == []


def test_what_is_wanted_first_is_claimed_first(machines: tuple[PostgresTruth, PostgresTruth]) -> None:
    """As where one machine reads: the first page that spells a name is whose spelling is shown."""
    here, _ = machines
    with here.jobs().join(JOB, LEASE) as mine:
        for order in (sorted(PAGES), sorted(PAGES, reverse=True)):
            assert mine.claim(dict.fromkeys(order, "as it is"), 2)[0] == set(order[:2])


def test_who_lost_the_lease_cannot_write_over_who_took_over(
    machines: tuple[PostgresTruth, PostgresTruth], settings: dict[str, str]
) -> None:
    here, there = machines
    with here.jobs().join(JOB, LEASE) as mine:
        late = claimed(mine, 2)
        with there.jobs().join(replace(JOB, marks={}), LEASE) as _:
            pass  # while somebody is at work, who comes and goes takes nothing away
        assert claimed(mine) == set(PAGES) - late
        with ExitStack() as stack:
            theirs = stack.enter_context(there.jobs().join(JOB, LEASE))
            assert claimed(theirs) == set()
            with psycopg.connect(settings["url"], autocommit=True) as connection:
                connection.execute(
                    f"UPDATE \"{settings['schema']}\".ingest_workers SET until = clock_timestamp() - interval '1 s' "
                    f"WHERE number = {mine._worker}"
                )
            assert claimed(theirs, 2) == set(list(PAGES)[:2])
            newer = {each: changed(each) for each in list(PAGES)[:2]}
            there.write_rows(map(rows, newer.values()), held=theirs)
            assert take_in(here, mine, set(PAGES)) == set(newer)
    for each in PAGES:
        document = there.document(each)
        assert document is not None
        assert ("by the other" in document.text) is (each in newer)


def changed(document_id: str) -> Prepared:
    made = PAGES[document_id]
    return prepared(made.document.place.path, ["written by the other\n"])


def test_what_a_dead_one_left_is_done_anew_and_what_it_did_stays(
    machines: tuple[PostgresTruth, PostgresTruth], settings: dict[str, str]
) -> None:
    here, there = machines
    with ExitStack() as stack:
        dead = stack.enter_context(here.jobs().join(JOB, LEASE))
        did = claimed(dead, 2)
        take_in(here, dead, did)
        claimed(dead, 2)
        dead.fail({sorted(claimed(dead, 1))[0]: ("x.md", "it was cut off")})
        lapsed(settings)
        (row,) = there.jobs().rows()
        assert (row.done, row.failed, row.total, row.workers) == (2, 1, 6, ())
        left = {each: mark for each, mark in JOB.marks.items() if each not in did}
        with there.jobs().join(replace(JOB, marks=left), LEASE) as heir:
            tally = heir.tally()
            assert (tally.total, tally.done, tally.failed) == (6, 2, 0)
            assert heir.claim(left, 100)[0] == set(left)
            assert not dead.tally().is_mine
            assert claimed(dead) == set()
            take_in(there, heir, set(left))
            assert heir.finish() == 0
    assert there.counts().documents == 6


def test_what_is_gone_goes_once_and_only_when_all_is_read(machines: tuple[PostgresTruth, PostgresTruth]) -> None:
    here, there = machines
    gone, moved = prepared("gone.md"), prepared("moved.md")
    here.write_many([gone, moved])
    job = replace(JOB, gone=(gone.document.id, moved.document.id))
    with here.jobs().join(job, LEASE) as mine:
        with there.jobs().join(replace(JOB, gone=(gone.document.id,)), LEASE) as theirs:
            take_in(there, theirs, claimed(theirs, 5))
            assert mine.finish() is None
            assert there.document(gone.document.id) is not None
        assert theirs.kept == 0
        with there.jobs().join(replace(job, marks={}), LEASE) as late:
            assert late.kept == 1, "another has seen it"
        take_in(here, mine, claimed(mine))
        assert mine.finish() == 1
    assert here.document(gone.document.id) is None
    assert here.document(moved.document.id) is not None


def test_a_file_that_changed_meanwhile_is_read_again(machines: tuple[PostgresTruth, PostgresTruth]) -> None:
    here, there = machines
    (one, *_) = JOB.marks
    with here.jobs().join(JOB, LEASE) as mine:
        take_in(here, mine, claimed(mine))
        with there.jobs().join(replace(JOB, marks={one: "changed"}), LEASE) as theirs:
            assert mine.finish() is None
            assert claimed(mine) == set(), "it knows the file as it was"
            assert theirs.claim({one: "changed"}, 9)[0] == {one}
            assert not take_in(there, theirs, {one})
            assert theirs.finish() == 0


def test_a_truth_of_the_release_before_gets_the_tables(settings: dict[str, str], tmp_path: Path) -> None:
    with machine(settings, tmp_path / "before") as truth:
        truth.write(PAGES[min(PAGES)])
    with psycopg.connect(settings["url"], autocommit=True) as connection:
        connection.execute(f'SET search_path = "{settings["schema"]}"')
        connection.execute("DROP TABLE ingest_files, ingest_workers, ingests")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema'")
    with machine(settings, tmp_path / "now") as truth:
        assert truth.counts().documents == 1
        assert truth.jobs().rows() == []
        assert truth.integrity() == []
