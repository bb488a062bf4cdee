"""A server that shares its stores with others goes to them few times for a question, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
import qdrant_fake
from distance import Distance, dependent, trips
from postgres_server import dropped, postgres_server

from wekadocs_corpus.store.sql.far import recent

MOST_TRIPS = {"small": 3, "large": 4}  # to PostgreSQL, Qdrant and Valkey together; a small corpus is learned
NOBODY_WAITS = (b"ROLLBACK", b"SELECT 1\0")  # the end of what was read; whether anybody wrote meanwhile
FIRST = "how do I mount a filesystem"
NEW = (
    "strata mount",
    "what does error E1042 mean",
    "snapshot retention days",
    "how to rotate the keys of a cluster",
    "--read-only",
    "what changed in release 4.2",
    "quota",
    "which port does the cluster use for clients",
    "upload a large object and resume when it fails",
    "who may delete a bucket that is locked",
)


class Far:
    """A server whose stores are a moment away, and what it sends them."""

    def __init__(self, served: Any, ways: list[Distance], most: int) -> None:
        self.served, self._ways, self.most = served, ways, most

    def trips_of(self, tool: str, arguments: dict[str, Any]) -> int:
        for way in self._ways:
            way.sent.clear()
        self.answer = self.served.ask(tool, arguments)
        time.sleep(0.05)  # what nobody waits for arrives too
        return dependent([trip for way in self._ways for trip in trips(way.sent, NOBODY_WAITS)])

    def fewest_trips_of(self, tool: str, field: str, question: str, **more: Any) -> int:
        """Of the question, or of another new one: a busy machine now and then sends one after the other what goes at
        once, or is late to learn the words."""
        for word in ("", "cluster", "snapshot", "policy", "client", "network"):
            found = self.trips_of(tool, {field: f"{question} {word}".strip(), **more})
            if found <= self.most:
                break
        return found


@pytest.fixture(scope="module", params=list(MOST_TRIPS))
def far(
    request: pytest.FixtureRequest,
    serve: Callable[..., Any],
    take_in: Callable[..., None],
    valkey: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Far]:
    server = postgres_server()
    settings = server.settings
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        if request.param == "large":
            patch.setattr(recent, "_LEARNED", 0)
        stack.enter_context(dropped(server, settings["schema"]))
        take_in(tmp_path_factory.mktemp("cache"), truth=settings)
        fake = stack.enter_context(qdrant_fake.running())
        ways = [stack.enter_context(_away(url)) for url in (settings["url"], fake.url, valkey.url)]
        urls = [_by(way, url) for way, url in zip(ways, (settings["url"], fake.url, valkey.url), strict=True)]
        corpus = {"truth": {**settings, "url": urls[0]}, "qdrant": {"url": urls[1]}}
        plugins = {"corpus": corpus, "scratch": {"valkey": {"url": urls[2]}}, "kb": {}, "graph": {}}
        served = serve(data_dir=tmp_path_factory.mktemp("empty"), plugins=plugins)
        _warm(served)
        if request.param == "small":
            _learned(served)
        yield Far(served, ways, MOST_TRIPS[request.param])


def _away(url: str) -> Distance:
    parts = urlsplit(url)
    return Distance(parts.hostname or "127.0.0.1", parts.port or 0, 0.0005)


def _by(way: Distance, url: str) -> str:
    parts = urlsplit(url)
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return parts._replace(netloc=f"{user}127.0.0.1:{way.port}").geturl()


def _warm(served: Any) -> None:
    """It has answered, also what nobody can, its index is filled, and the corpus has been left alone for long enough to
    know all of its words."""
    end = time.monotonic() + 60
    while True:
        outcome = served.outcome("kb.search", {"query": FIRST})
        if outcome.error is None and not outcome.data.get("degraded"):
            break
        assert time.monotonic() < end, outcome.error or outcome.data
        time.sleep(0.3)
    for question in ("mount a filesystem again", "mount a filesistem by brouzzing"):
        time.sleep(1.2)
        found = served.ask("kb.search", {"query": question})["results"]
        served.ask("kb.retrieve_evidence", {"question": question})
    served.ask("kb.extract_evidence", {"question": FIRST, "passage_ids": [each["passage_id"] for each in found]})


def _learned(served: Any) -> None:
    end = time.monotonic() + 60
    while not served.state("corpus").truth._recent._held.complete:
        served.ask("kb.search", {"query": FIRST})
        assert time.monotonic() < end, "it has not learned its documents"
        time.sleep(0.1)


@pytest.mark.parametrize("question", NEW[::2])
def test_a_new_search_makes_few_round_trips(far: Far, question: str) -> None:
    assert 2 <= far.fewest_trips_of("kb.search", "query", question) <= far.most
    assert far.answer["results"]


@pytest.mark.parametrize("question", NEW[1::2])
def test_evidence_for_a_new_question_takes_as_few(far: Far, question: str) -> None:
    assert 2 <= far.fewest_trips_of("kb.retrieve_evidence", "question", question) <= far.most


def test_evidence_of_passages_that_were_handed_out_takes_as_few(far: Far) -> None:
    found = far.served.ask("kb.search", {"query": "how do clients reconnect"})["results"]
    ids = [each["passage_id"] for each in found]
    assert len(ids) >= 3
    question = "what happens when a client reconnects"
    assert 1 <= far.fewest_trips_of("kb.extract_evidence", "question", question, passage_ids=ids) <= far.most


def test_the_graph_around_a_section_takes_as_few(far: Far) -> None:
    """Of one place or another: a busy machine now and then asks one after the other what goes at once."""
    for question in ("how is data protected", "how is a disk replaced", "who may log in"):
        rows = far.served.ask("kb.search", {"query": question, "top_k": 3})["results"]
        found = far.trips_of("graph.expand", {"node_ids": [row["section_id"] for row in rows]})
        if found <= MOST_TRIPS["large"]:
            break
    assert 1 <= found <= MOST_TRIPS["large"]


def test_what_was_asked_before_is_not_read_again(far: Far) -> None:
    truth = far.served.state("corpus").truth
    far.served.ask("kb.search", {"query": "what is a tier"})
    asked = truth.asked
    far.served.ask("kb.search", {"query": "what is a tier"})
    assert truth.asked == asked
