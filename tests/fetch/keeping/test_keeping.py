"""What was had before is asked for no oftener than its server wants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from web_site import Reply

from wekadocs_fetch.keeping.freshness import fresh_until, may_be_kept


@pytest.mark.parametrize(("path", "header"), [("/etag", "if-none-match"), ("/dated", "if-modified-since")])
def test_a_page_that_did_not_change_is_not_sent_again(reading: Any, path: str, header: str) -> None:
    first, second = reading.run(path, path)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert first.body == second.body
    assert [header in headers for _, asked, headers in reading.site.asked if asked == path] == [False, True]
    assert second.fetched_at >= first.fetched_at


def test_it_is_kept_for_the_next_process(reading: Any) -> None:
    reading.page("/etag")
    assert reading.page("/etag").from_cache


def test_a_page_that_is_still_fresh_is_not_asked_for(reading: Any) -> None:
    first, second = reading.run("/max-age", "/max-age")
    assert (first.from_cache, second.from_cache) == (False, True)
    assert reading.site.paths() == ["/max-age"]
    assert reading.page("/max-age", revalidate=True).from_cache is False
    assert len(reading.site.paths()) == 2


def test_a_changed_page_is_had_anew(reading: Any) -> None:
    old = reading.page("/etag")
    reading.site.replies["/etag"] = Reply("<h1>new</h1>", headers={"Content-Type": "text/html", "ETag": '"v2"'})
    new = reading.page("/etag")
    assert (new.body, new.etag, new.from_cache) == (b"<h1>new</h1>", '"v2"', False)
    assert new.body != old.body


def test_what_is_not_to_be_stored_is_not(reading: Any) -> None:
    reading.run("/no-store", "/no-store")
    assert reading.site.paths() == ["/no-store", "/no-store"]
    assert [each for each in reading.folder.rglob("*") if each.is_file()] == []


def test_what_was_kept_is_not_given_away_once_it_is_no_more_allowed(reading: Any) -> None:
    reading.page("/max-age")
    reading.settings["allow_hosts"] = []
    assert reading.failure("/max-age").code == "URL_REFUSED"


def test_a_name_that_was_allowed_by_its_network_is_checked_again(reading: Any) -> None:
    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    reading.resolve, reading.settings["robots"] = here, False
    url = f"http://inside.example:{reading.site.port}/max-age"
    assert reading.page(url).status == 200
    reading.settings["allow_hosts"] = []
    assert reading.failure(url).code == "URL_REFUSED"


def test_half_a_kept_file_is_none(reading: Any) -> None:
    reading.page("/max-age")
    (file,) = [each for each in reading.folder.rglob("*") if each.is_file()]
    for damaged in (file.read_bytes()[:-5], b"", b"{}\n", b"\0\0"):
        Path(file).write_bytes(damaged)
        assert reading.page("/max-age").from_cache is False


def test_room_is_made_for_what_is_new(reading: Any) -> None:
    reading.settings.update(cache_bytes=40_000, robots=False)
    for number in range(70):
        kind = {"Content-Type": "text/plain", "Cache-Control": "max-age=60"}
        reading.site.replies[f"/{number}"] = Reply("x" * 2000, headers=kind)
    reading.run(*(f"/{number}" for number in range(70)))
    assert sum(each.stat().st_size for each in reading.folder.rglob("*") if each.is_file()) < 60_000


def test_without_room_nothing_is_kept(reading: Any) -> None:
    reading.settings["cache_bytes"] = 0
    assert [each.from_cache for each in reading.run("/max-age", "/max-age")] == [False, False]
    assert not reading.folder.exists()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Cache-Control": "max-age=60"}, 60),
        ({"Cache-Control": "private, MAX-AGE=60"}, 60),
        ({"Cache-Control": "max-age=60", "Age": "20"}, 40),
        ({"Cache-Control": "max-age=60, no-cache"}, None),
        ({"Cache-Control": "max-age=soon"}, None),
        ({"Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"}, 120),
        ({"Expires": "0"}, None),
        ({}, None),
    ],
)
def test_how_long_a_page_is_good(headers: dict[str, str], seconds: float | None) -> None:
    found = fresh_until(httpx.Headers(headers), 1000)
    assert found == 1000 + seconds if seconds is not None else found <= 1000


@pytest.mark.parametrize(
    ("headers", "kept"), [({}, True), ({"Cache-Control": "no-store"}, False), ({"Vary": "*"}, False)]
)
def test_what_may_be_kept(headers: dict[str, str], kept: bool) -> None:
    assert may_be_kept(httpx.Headers(headers)) is kept
