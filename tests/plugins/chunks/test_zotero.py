"""Zotero's library on this machine, by its database and by its local API: read as it is, never written."""

import hashlib
import sqlite3
from contextlib import ExitStack

import pytest
import zotero_library
import zotero_local_api
from citing import config, done, passage, refused

from wekadocs_mcp.testing import client_for


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "Zotero"
    folder.mkdir()
    made = zotero_library.sample(folder / "zotero.sqlite")
    yield made
    made.connection.close()


@pytest.fixture
def citing(opened, library, tmp_path):
    """Of a library that this test may change."""
    return opened({"a/b": {"min_batch": 1, "zotero": {"database": str(tmp_path / "Zotero")}}})


@pytest.fixture(scope="module", params=["database", "local_api"])
def reading(request, tmp_path_factory):
    """Of one that nobody changes: both ways to it give the same answers."""
    folder = tmp_path_factory.mktemp("zotero")
    zotero_library.sample(folder / "zotero.sqlite").connection.close()
    with ExitStack() as stack:
        way = {"database": str(folder)}
        if request.param == "local_api":
            way = {"local_api": stack.enter_context(zotero_local_api.running(folder / "zotero.sqlite")).url}
        given = config({"a/b": {"min_batch": 1, "zotero": way}})
        yield stack.enter_context(client_for(given, toolsets=["citeloom"], data_dir=folder / "data"))


def items(client, **asked):
    return done(client.call("zotero_items", project="a/b", **asked))["items"]


def marks(client, **asked):
    return done(client.call("zotero_annotations", project="a/b", **asked))["annotations"]


def test_an_item_is_told_with_all_that_hangs_on_it(reading):
    (found,) = items(reading, citekeys=["evans2003"])
    assert found == {
        "key": "EVANS001",
        "citekey": "evans2003",
        "item_type": "book",
        "title": "Domain-Driven Design",
        "authors": ["Evans, Eric"],
        "year": 2003,
        "doi": "10.5555/861502",
        "url": None,
        "library": "user",
        "collections": ["Thesis"],
        "tags": ["architecture", "domain"],
        "attachments": [
            {
                "key": "PDF00001",
                "title": "PDF",
                "content_type": "application/pdf",
                "path": "storage/PDF00001/Evans - DDD.pdf",
            }
        ],
        "annotations": 4,
    }
    assert items(reading, citekeys=["EVANS001"], include_abstract=True)[0]["abstract"] == "On models."


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ({}, ["MARTIN01", "NOTE0002", "GROUP001", "EVANS001"]),  # the latest first; nothing from the bin, no feeds
        ({"query": "architecture"}, ["MARTIN01", "EVANS001"]),  # a tag counts less than a title
        ({"query": "muller facade"}, ["MARTIN01"]),
        ({"query": "rchitecture"}, []),
        ({"tags": ["architecture", "domain"]}, ["EVANS001"]),
        ({"collection": "Thesis"}, ["MARTIN01", "EVANS001"]),
        ({"collection": "Thesis / Chapter 1"}, ["MARTIN01"]),
        ({"collection": "Thes"}, []),
        ({"limit": 1}, ["MARTIN01"]),
    ],
)
def test_items_are_found_by_words_tags_and_collection(reading, asked, keys):
    assert [each["key"] for each in items(reading, **asked)] == keys


def test_annotations_come_in_the_order_of_pages_with_page_and_colour(reading):
    found = marks(reading, citekeys=["evans2003"])
    assert [each["key"] for each in found] == ["ANN00001", "ANN00002", "ANN00003", "NOTE0001"]
    mark = next(each for each in found if each["key"] == "ANN00001")
    assert (mark["kind"], mark["text"], mark["comment"]) == ("highlight", "Value objects", "Key idea")
    assert (mark["colour_name"], mark["page_label"], mark["page"], mark["citekey"]) == ("red", "xii", 12, "evans2003")
    note = next(each for each in found if each["key"] == "NOTE0001")
    assert (note["kind"], note["text"], note["page"]) == ("item_note", "First & second.\nA point", None)


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ({"colours": ["yellow"]}, {"ANN00002"}),
        ({"colours": ["#ff6666"]}, {"ANN00001"}),
        ({"kinds": ["sticky_note"]}, {"ANN00003"}),
        ({"kinds": ["item_note"]}, {"NOTE0001", "NOTE0002"}),
        ({"query": "identity entity"}, {"ANN00002"}),
        ({"query": "martin"}, {"ANN00003"}),
        ({"tags": ["todo"]}, {"ANN00003"}),
        ({"citekeys": ["martin2017"]}, set()),
    ],
)
def test_annotations_are_found_by_colour_kind_words_and_tag(reading, asked, keys):
    assert {each["key"] for each in marks(reading, **asked)} == keys


def test_collections_are_told_by_their_paths(reading):
    told = done(reading.call("zotero_collections", project="a/b"))["collections"]
    assert [(each["path"], each["items"]) for each in told] == [("Thesis", 1), ("Thesis / Chapter 1", 1)]


def test_lists_go_on_behind_a_cursor(reading):
    first = done(reading.call("zotero_annotations", project="a/b", max_tokens=200))
    assert first["count"] == 1 and first["total"] == 5
    rest = done(reading.call("zotero_annotations", project="a/b", cursor=first["next_cursor"]))
    assert rest["count"] == 4 and "next_cursor" not in rest


def test_references_are_taken_from_the_library(reading):
    item = passage(0, zotero={"doi": "https://doi.org/10.5555/861502"})
    assert done(reading.call("store_chunks", project="a/b", items=[item]))["warnings"] == []
    (found,) = done(reading.call("find_chunks", project="a/b", query="layers", filters={"tags": ["domain"]}))["items"]
    assert found["citekey"] == "evans2003"
    told = done(reading.call("format_citation", project="a/b", items=[{"citekey": "martin2017", "page": "5"}]))
    assert "Martin" in told["citations"][0]["in_text"] and "Journal of Façades" in told["citations"][0]["entry"]


def test_what_zotero_writes_while_it_runs_is_seen_and_nothing_is_written_by_us(citing, library, tmp_path):
    path = tmp_path / "Zotero" / "zotero.sqlite"
    library.connection.execute("PRAGMA journal_mode = WAL")
    library.connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # as Zotero holds it
    assert len(items(citing)) == 4
    library.item("book", "NEW00001", title="Just added", modified="2026-03-01 10:00:00")
    library.connection.commit()
    assert path.with_name("zotero.sqlite-wal").stat().st_size > 0
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    assert [each["key"] for each in items(citing, limit=1)] == ["NEW00001"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert {each.name for each in path.parent.iterdir()} <= {"zotero.sqlite", "zotero.sqlite-wal", "zotero.sqlite-shm"}


def test_citekeys_of_better_bibtex_count_where_zotero_has_none(opened, library, tmp_path):
    library.item("book", "NOKEY001", title="Without a key of its own")
    library.connection.commit()
    with sqlite3.connect(tmp_path / "Zotero" / "better-bibtex.sqlite") as beside:
        beside.execute("CREATE TABLE citationkey (itemID, itemKey, libraryID, citationKey, pinned)")
        beside.execute(
            "INSERT INTO citationkey VALUES (1, 'NOKEY001', 1, 'bbt2020', 0), (2, 'EVANS001', 1, 'other', 0)"
        )
    beside.close()
    client = opened({"a/b": {"zotero": {"database": str(tmp_path / "Zotero" / "zotero.sqlite")}}})
    assert items(client, citekeys=["bbt2020"])[0]["key"] == "NOKEY001"
    assert items(client, citekeys=["evans2003"]) and not items(client, citekeys=["other"])


def test_a_project_may_be_one_library_or_one_collection(opened, library, tmp_path):
    where = str(tmp_path / "Zotero")
    client = opened(
        {
            "a/b": {"zotero": {"database": where, "library": "Reading group"}},
            "c/d": {"zotero": {"database": where, "collection": "Thesis / Chapter 1"}},
        }
    )
    assert [each["key"] for each in items(client)] == ["GROUP001"]
    narrow = done(client.call("zotero_items", project="c/d"))["items"]
    assert [each["key"] for each in narrow] == ["MARTIN01"]
    assert done(client.call("zotero_annotations", project="c/d"))["total"] == 0


def test_no_library_and_a_broken_one_are_told(opened, tmp_path):
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    given = {"min_batch": 1, "zotero": {"database": str(tmp_path / "broken.sqlite")}}
    client = opened({"a/b": given, "c/d": {}, "e/f": {"zotero": {"database": str(tmp_path / "none")}}})
    refused(client.call("zotero_items", project="c/d"), "INVALID_ARGUMENT")
    assert "broken.sqlite" in refused(client.call("zotero_items", project="a/b"), "BACKEND_UNAVAILABLE")["message"]
    assert "no library" in refused(client.call("zotero_items", project="e/f"), "BACKEND_UNAVAILABLE")["message"]
    told = done(client.call("store_chunks", project="a/b", items=[passage(0)]))  # a warning, never an error
    assert told["chunks_written"] == 1 and "broken.sqlite" in told["warnings"][0]
