"""A Zotero that runs on this machine, asked by its local API: loopback only, by that setting only, and only asked."""

import threading

import pytest
import zotero_library
import zotero_local_api
from citing import config, done, passage, refused

from wekadocs_mcp.testing import client_for


@pytest.fixture
def library(tmp_path):
    made = zotero_library.sample(tmp_path / "zotero.sqlite")
    yield made
    made.connection.close()


@pytest.fixture
def zotero(library, tmp_path):
    with zotero_local_api.running(tmp_path / "zotero.sqlite") as running:
        yield running


@pytest.fixture
def citing(opened, zotero):
    return opened({"a/b": {"min_batch": 1, "zotero": {"local_api": zotero.url}}})


def keys(client, **asked):
    return [each["key"] for each in done(client.call("zotero_items", project="a/b", **asked))["items"]]


def test_what_is_added_edited_or_put_in_the_bin_is_seen_at_the_next_call(citing, library):
    assert keys(citing, limit=1) == ["MARTIN01"]
    number = library.item("book", "NEW00001", title="Just added", modified="2026-03-01 10:00:00")
    library.connection.commit()
    assert keys(citing, limit=1) == ["NEW00001"]
    library.tag(number, "fresh")
    library.connection.execute("UPDATE items SET dateModified = '2026-03-02 10:00:00' WHERE itemID = ?", (number,))
    library.connection.commit()
    assert keys(citing, tags=["fresh"]) == ["NEW00001"]
    library.bin(number)
    library.connection.commit()
    assert keys(citing, query="just added") == []


def test_what_has_not_changed_is_not_read_again_and_nothing_is_ever_written(citing, zotero):
    keys(citing)
    first = len(zotero.asked)
    keys(citing)
    again = [path for _, path in zotero.asked[first:]]
    assert again and not any("start=" in path for path in again)
    assert {method for method, _ in zotero.asked} == {"GET"}


def test_a_library_longer_than_one_answer_is_read_whole(citing, library):
    for number in range(1100):
        library.item("book", f"MANY{number:04d}", title=f"Book {number}")
    library.connection.commit()
    assert done(citing.call("zotero_items", project="a/b", query="book"))["total"] == 1100


def test_only_the_library_that_is_set_is_asked_for(opened, zotero):
    client = opened({"a/b": {"zotero": {"local_api": zotero.url, "library": "Reading group"}}})
    assert keys(client) == ["GROUP001"]
    assert not any("/users/0/items" in path for _, path in zotero.asked)


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ((403, "text/plain", "Local API is not enabled"), "switched off: start Zotero"),
        ((404, "text/plain", "Not found"), "not version 3"),
        ((501, "text/plain", "API version not implemented: 3"), "not version 3"),
        ((200, "text/html", "<html>"), "not version 3"),
        ((302, "text/plain", "http://127.0.0.1:9/api/users/0/items"), "redirects more than 0 times"),
        ((200, "application/json", "[1, 2]"), "not version 3"),
        ((200, "application/json", '{"a": 1}'), "not version 3"),
        ((200, "application/json", "[[["), "not version 3"),
    ],
)
def test_what_is_no_zotero_is_told_and_storing_goes_on(citing, zotero, instead, said):
    zotero.instead = instead
    assert said in refused(citing.call("zotero_items", project="a/b"), "BACKEND_UNAVAILABLE")["message"]
    told = done(citing.call("store_chunks", project="a/b", items=[passage(0)]))
    assert told["chunks_written"] == 1 and said in told["warnings"][0]


def test_a_zotero_that_does_not_run_is_told_with_the_way_out(opened, library, tmp_path):
    with zotero_local_api.running(tmp_path / "zotero.sqlite") as gone:
        url = gone.url
    client = opened({"a/b": {"zotero": {"local_api": url}}})
    told = refused(client.call("zotero_items", project="a/b"), "BACKEND_UNAVAILABLE")
    assert "does not answer" in told["message"] and "start Zotero" in told["message"] and told["retryable"]


def test_a_zotero_that_never_answers_costs_its_own_call_only(citing, zotero, monkeypatch):
    tool = citing.app.catalogue.by_contract["chunks.zotero_items"]
    monkeypatch.setitem(tool.budgets, "timeout_seconds", 0.4)
    zotero.held = threading.Event()
    refused(citing.call("zotero_items", project="a/b"), "TIMEOUT")
    zotero.held.set()
    monkeypatch.setitem(tool.budgets, "timeout_seconds", 15)
    assert len(keys(citing)) == 4


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.0.7:23119/api",
        "http://example.org/api",
        "http://127.0.0.1.example.org:23119/api",
        "http://127.0.0.1@example.org/api",
        "https://127.0.0.1:23119/api",
        "http://127.0.0.1:23119/api/users/5",
        "http://127.0.0.1:23119/",
        "file:///etc/passwd",
    ],
)
def test_only_this_machine_can_be_set(url, tmp_path):
    given = config({"a/b": {"zotero": {"local_api": url}}})
    with pytest.raises(Exception, match="local_api"), client_for(given, data_dir=tmp_path):
        pass


def test_database_and_local_api_together_are_refused(tmp_path, zotero):
    given = config({"a/b": {"zotero": {"local_api": zotero.url, "database": str(tmp_path)}}})
    with pytest.raises(Exception, match="zotero"), client_for(given, data_dir=tmp_path):
        pass
