"""A corpus from a file to PostgreSQL and back: the same to the last byte, stopped and gone on with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_documents import prepared
from postgres_server import dropped, postgres_server

from wekadocs_corpus import CorpusError, move
from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.fields import Field
from wekadocs_corpus.moving import documents
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.truth.collections import KEYWORD, NewChunk
from wekadocs_corpus.store.truth.rows import Binding

sys.path.insert(0, str(Path(__file__).parents[1] / "graph"))
import graph_documents
from graph_world import GATEWAY, INSTALL, NETWORK


@pytest.fixture
def shared() -> Iterator[dict[str, str]]:
    """Settings of a PostgreSQL truth that nobody else has."""
    server = postgres_server()
    settings = server.settings
    with dropped(server, settings["schema"]):
        yield settings


@pytest.fixture
def source(data: Path) -> Iterator[SqliteTruth]:
    truth = SqliteTruth(data)
    for path, text in (("docs/install.md", INSTALL), ("docs/network.md", NETWORK), ("docs/gateway.md", GATEWAY)):
        graph_documents.write(truth, graph_documents.document(path, text, other_tags=("b", "a")))
    truth.bind("p", Binding("test-8", 8))
    truth.declare("fielded", [Field("year", "integer"), Field("kind", "keyword")])
    truth.bind("fielded", Binding("test-8", 8))
    truth.write(prepared("own.md", project="fielded", chunk_fields=[(("year", 1999), ("kind", "note")), ()]))
    with truth.collection_tables().change(5) as change:
        made = change.claim("books", "books", "m", 2, [("author", KEYWORD)])
        change.put(made.number, [_chunk("one"), _chunk("two")])
    yield truth
    truth.close()


def _chunk(id: str) -> NewChunk:
    terms = prepared().terms[0]
    return NewChunk(id, "doc", f"text of {id}", None, {"page": 3, "author": "é"}, (("author", "é"),), bytes(8), terms)


def _to(source: SqliteTruth, shared: dict[str, str]) -> Any:
    settings = {"truth": {**shared, "url": ""}}
    return move(source.data_dir, settings, shared["url"])


def test_a_corpus_goes_to_postgres_and_back_and_is_the_same(
    source: SqliteTruth, shared: dict[str, str], tmp_path: Path
) -> None:
    there = _to(source, shared)
    assert (there.documents, there.copied, there.compared, there.collections) == (4, 4, 4, 2)
    back = move(tmp_path / "cache", {"truth": shared}, str(tmp_path / "back"))
    assert (back.documents, back.chunks, back.collections) == (there.documents, there.chunks, 2)
    returned = SqliteTruth(tmp_path / "back")
    ids = sorted(each for project in ("p", "fielded") for each in source.document_ids(project))
    assert returned.whole(ids) == source.whole(ids)
    assert returned.bindings() == source.bindings()
    assert returned.fields("fielded") == source.fields("fielded")
    with source.reading() as here, returned.reading() as other:
        for table in ("edges", "links", "name_places", "page_names", "field_values", "word_counts", "embeddings"):
            count = f"SELECT COUNT(*) FROM {table}"
            assert here.execute(count).fetchone() == other.execute(count).fetchone(), table
    returned.close()


def test_a_stopped_copy_goes_on_where_it_was_and_takes_what_changed_meanwhile(
    source: SqliteTruth, shared: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_AT_ONCE", 2)
    target = open_truth(source.data_dir, {"truth": shared})

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        documents.copy(source, target, stop)
    assert target.counts().documents == 2
    target.close()
    source.delete([graph_documents.document("docs/install.md", INSTALL).id])
    graph_documents.write(source, graph_documents.document("docs/new.md", "# New\n\nSee `WEKA_HOME`.\n"))
    with source.collection_tables().change(5) as change:
        made = change.collection("books")
        assert made is not None
        change.delete(made.number, [], ["one"])
        change.put(made.number, [replace(_chunk("two"), text="another text")])
    done = _to(source, shared)
    assert (done.documents, done.collections) == (4, 1)
    assert done.copied < 7  # not from the beginning
    assert _to(source, shared).copied == 0


def test_a_target_with_documents_of_its_own_is_left_alone(source: SqliteTruth, tmp_path: Path) -> None:
    other = SqliteTruth(tmp_path / "other")
    other.write(prepared("mine.md"))
    with pytest.raises(CorpusError, match="a corpus of its own"):
        move(source.data_dir, {}, str(tmp_path / "other"))
    assert other.counts().documents == 1
    other.close()


@pytest.mark.parametrize(
    ("to", "told"),
    [("mysql://somewhere/x", "begins with postgresql://"), ("{data}", "names the corpus that is to be copied")],
)
def test_a_place_that_cannot_be_meant_is_refused(source: SqliteTruth, to: str, told: str) -> None:
    with pytest.raises(CorpusError, match=told):
        move(source.data_dir, {}, to.format(data=source.data_dir))


def test_a_dry_run_counts_and_makes_nothing(source: SqliteTruth, tmp_path: Path) -> None:
    done = move(source.data_dir, {}, str(tmp_path / "none"), dry=True)
    assert (done.documents, done.copied) == (4, 0)
    assert not (tmp_path / "none").exists()
