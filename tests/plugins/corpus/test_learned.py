"""What a server has learned of a database that is far is a moment older than the database at most: whatever another
machine changes, nobody sees what they may not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
from postgres_server import dropped, postgres_server

from wekadocs_corpus.store.sql.far import recent

_PAGE = "---\ndoc_tag: {tag}\n---\n# {name}\n\nEvery zebra crosses the river at noon, say the keepers of {name}.\n"
_NAMES = {"Alba", "Bern", "Chur", "Davos", "Erlen"}
_HERDS = "".join(f"## Herd {each}\n\nHerd {each} of striped horses drinks, as many animals.\n\n" for each in range(150))
_OPEN = {"doc_tag": ["open"]}


@dataclass
class World:
    """A server that answers from PostgreSQL and Qdrant, and a folder that another machine takes in."""

    pages: Path
    served: Any
    take_in: Callable[[], None]
    hold_index: Callable[[], Any]

    def write(self, name: str, tag: str) -> None:
        (self.pages / f"{name}.md").write_text(_PAGE.format(name=name, tag=tag), "utf-8")

    def found(self, query: str = "zebra", **filters: Any) -> set[str]:
        asked = {"query": query, "top_k": 20, "page_size": 20, **({"filters": filters} if filters else {})}
        outcome = self.served.outcome("kb.search", asked)
        assert outcome.error is None, outcome.error
        return {each["title"].rpartition(" ")[2] for each in outcome.data["results"]} & _NAMES

    def is_warm(self) -> bool:
        outcome = self.served.outcome("kb.search", {"query": "zebra"})
        return outcome.error is None and not outcome.data.get("degraded")

    def learned(self) -> None:
        """It has been left alone for long enough to know all there is."""
        within(30, lambda: bool(self.found() and self.held.document_of))

    @property
    def held(self) -> recent.Held:
        held: recent.Held = self.served.state("corpus").truth._recent._held
        return held

    def soon(self, *names: str, **filters: Any) -> None:
        """An answer may be a moment old, and then all of them are as they should be."""
        within(20, lambda: self.found(**filters) == set(names))
        for query in ("zebra", "river at noon", "which keepers say so", "zebra crosses the river"):
            assert self.found(query, **filters) == set(names)


def within(seconds: float, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.05)


@pytest.fixture
def world(serve: Callable[..., Any], take_in: Callable[..., None], tmp_path: Path) -> Iterator[World]:
    database, pages = postgres_server(), tmp_path / "pages"
    truth = database.settings
    pages.mkdir()

    with ExitStack() as stack:
        stack.enter_context(dropped(database, truth["schema"]))
        fake = stack.enter_context(qdrant_fake.running())

        def hold_index() -> None:
            """From now on another machine has the turn to fill the index, and does not."""
            (name,) = [each.name for each in fake.engine.memory.get_collections().collections]
            turn = made.served.state("corpus").truth.turn(name)
            assert turn is not None
            stack.callback(turn.release)

        plugins = {
            "corpus": {"truth": truth, "qdrant": {"url": fake.url}},
            **{"scratch": dict[str, Any](), "kb": dict[str, Any](), "graph": dict[str, Any]()},
        }
        made = World(pages, None, lambda: take_in(tmp_path / "other", pages, truth=truth), hold_index)
        for name in ("Alba", "Bern", "Chur"):
            made.write(name, "open")
        made.write("Davos", "closed")
        # So much that what the front matter says is not found: of what is found all chunks are there as before.
        (pages / "herds.md").write_text(f"---\ndoc_tag: open\n---\n# Herds\n\n{_HERDS}", "utf-8")
        made.take_in()
        made.served = serve(data_dir=tmp_path / "empty", plugins=plugins)
        within(60, made.is_warm)
        yield made


@pytest.mark.parametrize("index", ["current", "held up"])
def test_what_another_machine_closes_is_shown_to_nobody_who_may_not_see_it(world: World, index: str) -> None:
    world.learned()
    assert world.found(**_OPEN) == {"Alba", "Bern", "Chur"}
    if index == "held up":
        world.hold_index()
    world.write("Bern", "closed")
    world.take_in()
    world.soon("Alba", "Chur", **_OPEN)
    world.learned()
    assert world.found(doc_tag=["open", "closed"]) == {"Alba", "Bern", "Chur", "Davos"}
    assert world.found(**_OPEN) == {"Alba", "Chur"}
    (world.pages / "Chur.md").unlink()
    world.take_in()
    world.soon("Alba", **_OPEN)
    world.learned()
    world.soon("Alba", **_OPEN)
    late = set() if index == "current" else {"Bern"}  # what an index does not know yet is not found
    assert world.found(doc_tag=["closed"]) == {"Bern", "Davos"} - late


def test_each_question_sees_what_its_own_filters_let_through(world: World) -> None:
    world.learned()
    for _ in range(2):
        assert world.found() == {"Alba", "Bern", "Chur", "Davos"}
        assert world.found(doc_tag=["closed"]) == {"Davos"}
        assert world.found(path_prefix="B") == {"Bern"}
        assert world.found(doc_tag=["closed"], path_prefix="B") == set()
        assert world.found(**_OPEN) == {"Alba", "Bern", "Chur"}


def test_a_server_that_has_not_learned_anything_answers_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "_LEARNED", 100)  # chunks: there are more
    world.write("Erlen", "open")
    world.take_in()
    world.soon("Alba", "Bern", "Chur", "Erlen", **_OPEN)
    time.sleep(1.2)  # quiet
    world.soon("Alba", "Bern", "Chur", "Erlen", **_OPEN)
    assert not world.held.document_of
    world.write("Bern", "closed")
    world.take_in()
    world.soon("Alba", "Chur", "Erlen", **_OPEN)


def test_what_is_kept_has_an_end_whatever_is_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.learned()
    within(30, lambda: bool(world.found() and world.held.complete))
    most = 60_000
    assert world.held.learned > 2 * most
    monkeypatch.setattr(recent, "_MOST_BYTES", most)
    sizes = []
    for number in range(80):
        assert world.found(updated_after=f"2001-01-01T00:{number % 60:02}:{number // 60:02}Z")
        held = world.held
        sizes.append(held.brought)
        assert len(held.allowed) + len(held.hops) <= max(0, held.brought) / 1000
        assert held.document_of and held.complete, "what was learned stays"
    assert max(sizes) < most + 20_000
    assert sizes != sorted(sizes), "it never began anew"
    anew = sum(later < before for before, later in pairwise(sizes))
    assert anew < 20, "it began anew for what it had learned"


def test_a_server_that_has_learned_all_texts_asks_for_the_hop_alone(world: World) -> None:
    within(30, lambda: bool(world.found() and world.held.complete))
    truth = world.served.state("corpus").truth
    for question in ("zebra", "herd of horses"):
        world.found(question, **_OPEN)  # which documents these filters let through is asked once
    for question in ("which zebra crosses at noon", "keepers of the herd", "river of Alba"):
        before = truth.asked
        assert world.found(question, **_OPEN)
        assert truth.asked - before <= 1
    world.write("Bern", "closed")
    world.take_in()
    world.soon("Alba", "Chur", **_OPEN)
    within(30, lambda: bool(world.found() and world.held.complete))
    world.soon("Alba", "Chur", **_OPEN)


@pytest.mark.parametrize("much", ["text", "text beside the words"])
def test_much_is_not_learned(world: World, monkeypatch: pytest.MonkeyPatch, much: str) -> None:
    within(30, lambda: bool(world.found() and world.held.complete))
    texts = sum(each.size for each in world.held.documents.values())
    monkeypatch.setattr(recent, "_WHOLE_BYTES", texts // 2 if much == "text" else texts + 10_000)
    world.write("Erlen", "open")
    world.take_in()
    world.soon("Alba", "Bern", "Chur", "Erlen", **_OPEN)
    world.learned()
    time.sleep(4.5)  # quiet
    world.soon("Alba", "Bern", "Chur", "Erlen", **_OPEN)
    time.sleep(1)
    assert world.held.document_of and not world.held.complete
