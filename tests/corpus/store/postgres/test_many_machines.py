"""Several machines on one PostgreSQL: nothing is lost, nothing is missed, what is remembered is true."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_documents import prepared

from wekadocs_corpus.model import Prepared
from wekadocs_corpus.store.postgres.remembered import Remembered
from wekadocs_corpus.store.postgres.session import Session
from wekadocs_corpus.store.postgres.truth import PostgresTruth

SAMPLE = Path(__file__).parents[4] / "docs" / "sample" / "docs"
Open = Callable[[], PostgresTruth]


@pytest.fixture
def opened(settings: dict[str, str], tmp_path: Path) -> Iterator[Open]:
    made: list[PostgresTruth] = []

    def opening() -> PostgresTruth:
        made.append(PostgresTruth(tmp_path / f"machine-{len(made)}", settings))
        return made[-1]

    yield opening
    for each in made:
        each.close()


def test_they_are_one_truth(opened: Open) -> None:
    here, there = opened(), opened()
    assert here.id == there.id
    here.write(prepared())
    assert there.counts().documents == 1
    assert there.sequence() == here.sequence() > 0


def test_what_one_remembers_is_forgotten_when_another_writes(opened: Open) -> None:
    here, there = opened(), opened()
    for number in range(3):
        before = there.sequence()
        here.write(prepared(f"{number}.md"))
        late = time.monotonic() + 20  # an answer may be a moment old, see remembered.py
        while there.sequence() == before and time.monotonic() < late:
            time.sleep(0.001)
        assert there.sequence() > before
        assert len(there.document_ids("p")) == number + 1


def test_what_is_asked_again_costs_no_way_to_the_server(opened: Open) -> None:
    truth = opened()
    truth.write(prepared())
    ids = truth.document_ids("p")
    truth.texts(ids)
    asked = truth.asked
    assert [truth.texts(ids) == truth.texts(ids) for _ in range(10)] == [True] * 10
    assert truth.asked == asked


def test_a_number_is_never_seen_before_those_below_it(opened: Open) -> None:
    """The second writer has to wait for the first, so that whoever follows the numbers misses nothing."""
    first, second, follower = opened(), opened(), opened()
    begun, done = threading.Event(), threading.Event()

    def write_second() -> None:
        begun.set()
        second.write(prepared("second.md"))
        done.set()

    writer = threading.Thread(target=write_second)
    with first.writing() as connection:
        put = "INSERT OR REPLACE INTO changes (document_id, project, deleted) VALUES ('x', 'p', 1)"
        connection.execute(put)
        writer.start()
        begun.wait(20)
        assert not done.wait(0.2)
        assert follower.sequence() == 0
    writer.join(60)
    numbers = [change.sequence for change in follower.changes_after(0)]
    assert len(numbers) == 2
    assert numbers == sorted(numbers)


def test_a_machine_that_froze_while_it_wrote_does_not_keep_the_others_out_for_ever(opened: Open) -> None:
    with opened().writing() as connection:
        (limit,) = connection.execute("SELECT current_setting('idle_in_transaction_session_timeout')").fetchone()
    assert limit == "2min"
    with opened().reading() as connection:
        (limit,) = connection.execute("SELECT current_setting('idle_in_transaction_session_timeout')").fetchone()
    assert limit == "0"


def test_what_one_does_at_a_time_is_taken_over_when_it_goes(opened: Open) -> None:
    here, there = opened(), opened()
    turn = here.turn("filling")
    assert turn is not None
    assert there.turn("filling") is None
    turn.release()
    taken = there.turn("filling")
    assert taken is not None
    taken.release()


def test_two_ingests_at_once_lose_nothing(opened: Open, settings: dict[str, str], tmp_path: Path) -> None:
    pages = sorted(path for path in SAMPLE.rglob("*.md"))
    for place, path in enumerate(pages):
        target = tmp_path / f"half-{place % 2}" / path.relative_to(SAMPLE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    config = tmp_path / "tools.yaml"
    config.write_text(f"plugins: {{corpus: {{truth: {{schema: {settings['schema']}}}}}}}\n")
    program = Path(sys.executable).parent / "wekadocs-mcp"
    environment = {**os.environ, "DATABASE_URL": settings["url"]}
    running = [
        subprocess.Popen(
            [program, "--config", config, "--data", tmp_path / f"data-{half}", "ingest", tmp_path / f"half-{half}"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for half in (0, 1)
    ]
    said = [each.communicate(timeout=240)[0] for each in running]
    assert [each.returncode for each in running] == [0, 0], said
    truth = opened()
    assert truth.counts().documents == len(pages)
    assert truth.integrity() == []
    assert sum(chunks for _, chunks in truth.tally("project").values()) == truth.counts().chunks
    assert len(truth.changes_after(0)) == len(pages)


@pytest.mark.parametrize("told", ["to the later first", "to the earlier first"])
def test_two_questions_that_a_change_came_between_do_not_mix_what_they_keep(opened: Open, told: str) -> None:
    here, there = opened(), opened()
    there.write(_tagged("open"))
    with there.reading() as connection:
        (chunk,) = connection.execute("SELECT id FROM chunks").fetchone()
    _soon(lambda: here.sequence() == there.sequence())
    here._connections.notices.forget()
    with here.reading() as earlier, here.reading() as later:
        earlier.execute("SELECT 1")
        there.write(_tagged("closed"))
        later.execute("SELECT 2")
        asked = [later, earlier] if told == "to the later first" else [earlier, later]
        for connection in asked:
            here._recent.held(connection)
        tags = [here._recent.passages(each, [chunk])[0].doc_tag for each in (earlier, later)]
        assert tags == ["open", "closed"]
    _soon(lambda: here.chunks([chunk])[0].doc_tag == "closed")


def test_a_server_whose_learning_takes_too_long_goes_on_without(opened: Open) -> None:
    def endless(session: Session) -> None:
        session.execute("SET LOCAL statement_timeout = 10")
        session.execute("SELECT pg_sleep(30)")

    truth = opened()
    truth._connections._more = (endless,)
    truth._connections._learn(Remembered(), 1)
    assert truth.counts().documents == 0


def _tagged(tag: str) -> Prepared:
    made: Prepared = prepared("x.md", ("One.\n",), doc_tag=tag)
    return made


def _soon(holds: Callable[[], bool]) -> None:
    late = time.monotonic() + 10  # an answer may be a moment old, see remembered.py
    while not holds():
        assert time.monotonic() < late, "it never was so"
        time.sleep(0.05)
