"""One page: redirects, letters, packings, floods, waits, tries, turns."""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from web_site import BOMB, Reply, WebSite, page, redirect

from wekadocs_fetch import Fetched, FetchFailed


def test_a_page_comes_with_what_tells_about_it(reading: Any) -> None:
    found = reading.page("/etag#part")
    base = reading.site.base
    assert (found.url, found.final_url, found.status) == (f"{base}/etag", f"{base}/etag", 200)
    assert (found.media_type, found.charset, found.etag, found.from_cache) == ("text/html", "utf-8", '"v1"', False)
    assert "It has not changed." in found.text


def test_redirects_are_followed_and_told(reading: Any) -> None:
    found = reading.page("/chain/3")
    base = reading.site.base
    assert found.final_url == f"{base}/chain/0"
    assert found.redirects == tuple(f"{base}/chain/{left}" for left in (3, 2, 1))
    assert found.names == tuple(f"{base}/chain/{left}" for left in (3, 2, 1, 0))


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/chain/6", "it redirects more than 5 times"), ("/loop/a", "its redirects lead in a circle")],
)
def test_redirects_have_an_end(reading: Any, path: str, reason: str) -> None:
    found = reading.failure(path)
    assert (found.code, found.reason) == ("TOO_MANY_REDIRECTS", reason)
    assert len(reading.site.paths()) <= 6


def test_a_redirect_without_a_place_says_so(reading: Any) -> None:
    assert reading.failure("/nowhere").reason == "it redirects to nowhere"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/latin", "Größenänderung für Käse: 5 €"),
        ("/says-latin-is-utf-8", "Größenänderung für Käse: 5 €"),
        ("/says-utf-8-is-latin", "Größenänderung für Käse: 5 €"),
        ("/meta-charset", "吾輩は猫である"),
        ("/untold-russian", "Широкая электрификация"),
        ("/utf-16", "Größenänderung für Käse: 5 €"),
    ],
)
def test_letters_are_read_as_they_were_written(reading: Any, path: str, words: str) -> None:
    found = reading.page(path)
    assert words in found.text
    assert "\ufffd" not in found.text and "\ufeff" not in found.text


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "text/html"])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("Größe — café. ".encode() * 20 + b"caf\xe9", "Größe — café."),
        ("Prix de cet été à Besançon é".encode()[:-1], "cet été à Besançon"),
        ("Le café crème coûte trois euros à Besançon.".encode("cp1252"), "café crème coûte"),
        ("Zażółć gęślą jaźń, proszę państwa.".encode("iso8859-2"), "gęślą jaźń"),
    ],
    ids=["one letter broken", "cut off", "French", "Polish"],
)
def test_letters_that_are_not_what_is_said_of_them_spoil_no_others(
    reading: Any, site: WebSite, body: bytes, words: str, kind: str
) -> None:
    site.replies["/odd"] = Reply(b"<p>" + body, headers={"Content-Type": kind})
    assert words in reading.page("/odd").text


@pytest.mark.parametrize("said", ["unicode_escape", "raw_unicode_escape", "utf-7", "idna"])
def test_a_charset_that_no_page_is_in_is_not_believed(reading: Any, site: WebSite, said: str) -> None:
    body = "<p>Gr\u00f6\u00dfe \\u0041 und \\x42".encode("cp1252")
    site.replies["/odd"] = Reply(body, headers={"Content-Type": f"text/html; charset={said}"})
    assert "\\u0041 und \\x42" in reading.page("/odd").text


@pytest.mark.parametrize("host", ["xn--a.example", "xn--i-7iq.example", "xn--.example", "sub.xn--a.example"])
def test_a_name_that_only_some_readers_can_decode_is_a_name_like_others(reading: Any, host: str) -> None:
    assert reading.failure(f"http://{host}/").code in ("HOST_NOT_FOUND", "URL_INVALID")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/gzip-members", b"<h1>one</h1><h1>two</h1>"),
        ("/deflate", b"<h1>deflated</h1>"),
        ("/deflate-raw", b"<h1>deflated</h1>"),
    ],
)
def test_packed_pages_are_unpacked(reading: Any, path: str, body: bytes) -> None:
    assert reading.page(path).body == body


@pytest.mark.parametrize("path", ["/gzip-broken", "/gzip-short", "/compress"])
def test_what_cannot_be_unpacked_is_refused(reading: Any, path: str) -> None:
    assert reading.failure(path).code == "BAD_ENCODING"


@pytest.mark.parametrize("path", ["/bomb", "/bomb-in-bomb"])
def test_a_bomb_is_not_unpacked(reading: Any, path: str) -> None:
    reading.settings["max_decompressed_bytes"] = 1 << 20
    tracemalloc.start()
    found = reading.failure(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.code, found.reason) == ("TOO_LARGE", "it has more than 1,048,576 unpacked bytes")
    assert most < BOMB / 4


def test_a_page_without_an_end_is_left(reading: Any) -> None:
    reading.settings["max_bytes"] = 1 << 18
    assert reading.failure("/huge").reason == "it has more than 262,144 bytes"


def test_a_page_that_says_it_is_too_large_is_not_read(reading: Any) -> None:
    reading.settings["max_bytes"] = 1024
    reading.site.replies["/large"] = Reply(b"x" * 2000, headers={"Content-Type": "text/plain"})
    assert reading.failure("/large").code == "TOO_LARGE"


@pytest.mark.parametrize("path", ["/image.png", "/program.bin"])
def test_what_nobody_reads_is_refused(reading: Any, path: str) -> None:
    assert reading.failure(path).code == "MEDIA_TYPE_REFUSED"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/untyped.html", "text/html"),
        ("/untyped.pdf", "application/pdf"),
        ("/paper.pdf", "application/pdf"),
        ("/notes.md", "text/markdown"),
        ("/plain.txt", "text/plain"),
        ("/feed.xml", "application/rss+xml"),
    ],
)
def test_kinds_of_pages_that_are_read(reading: Any, path: str, kind: str) -> None:
    found = reading.page(path)
    assert found.media_type == kind
    assert (found.charset is None) == (kind == "application/pdf")


def test_the_server_can_say_which_url_is_the_real_one(reading: Any) -> None:
    assert reading.page("/linked-canonical").canonical == f"{reading.site.base}/the/real/one"


@pytest.mark.parametrize("path", ["/slow", "/silent"])
def test_a_page_that_does_not_come_is_given_up(reading: Any, path: str) -> None:
    reading.settings["timeout_seconds"] = 0.3
    found = reading.failure(path)
    assert (found.code, found.passing) == ("TIMEOUT", True)


def test_a_deadline_goes_before_the_settings(reading: Any) -> None:
    assert reading.failure("/silent", deadline=time.monotonic() + 0.2).code == "TIMEOUT"


@pytest.mark.parametrize("path", ["/slow", "/silent", "/huge"])
def test_cancelled_it_stops_at_once_and_hangs_up(reading: Any, path: str) -> None:
    async def main() -> bool:
        async with reading.fetcher() as fetcher:
            task = asyncio.create_task(fetcher.fetch(reading.site.url(path)))
            await asyncio.to_thread(_asked, reading.site)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=5)
            return task.cancelled() and bool(done)

    reading.settings["max_bytes"] = 1 << 30
    assert asyncio.run(main())


def _asked(site: WebSite) -> None:
    while not site.paths():
        time.sleep(0.01)


def test_what_may_pass_is_tried_again(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = _no_waiting(monkeypatch)
    answers = [Reply(status=503), Reply(status=429, headers={"Retry-After": "7"}), page("Here", "<h1>Here</h1>")]
    reading.site.replies["/shy"] = lambda *_: answers.pop(0)
    reading.settings["retries"] = 2
    assert "Here" in reading.page("/shy").text
    assert 0.3 < waits[0] < 0.7
    assert waits[1] == 7


def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def told(seconds: float, *_: object) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr("wekadocs_fetch.asking.asyncio.sleep", told)
    return waits


def test_who_asks_for_a_long_pause_is_left_alone(reading: Any) -> None:
    reading.site.replies["/busy"] = Reply(status=503, headers={"Retry-After": "3600"})
    reading.settings["retries"] = 5
    found = reading.failure("/busy")
    assert (found.code, found.passing, found.retry_after) == ("HTTP_503", True, 3600)
    assert reading.site.paths() == ["/busy"]


@pytest.mark.parametrize("path", ["/nope", "/teapot"])
def test_a_refusal_is_not_tried_again(reading: Any, path: str) -> None:
    reading.settings["retries"] = 3
    assert reading.failure(path).code in ("HTTP_404", "HTTP_418")
    assert reading.site.paths() == [path]


def test_half_a_page_is_none(reading: Any) -> None:
    found = reading.failure("/half")
    assert (found.code, found.reason) == ("CONNECTION_FAILED", "the connection broke before the answer was whole")


def test_a_host_that_is_not_there_says_so(reading: Any) -> None:
    with WebSite() as gone:
        place = gone.place
    reading.settings["allow_hosts"] = [place]
    found = reading.failure(f"http://{place}/")
    assert (found.code, found.reason) == ("CONNECTION_FAILED", "127.0.0.1 takes no connection")


def test_a_host_is_asked_a_few_things_at_a_time(reading: Any) -> None:
    reading.settings.update(connections_per_host=3, robots=False)
    found = _at_once(reading, [f"/docs/page-{number}.html" for number in range(60)])
    assert all(isinstance(each, Fetched) for each in found)
    assert reading.site.most_at_once <= 3


def _at_once(reading: Any, paths: list[str]) -> list[Fetched]:
    async def main() -> list[Fetched]:
        async with reading.fetcher() as fetcher:
            return await asyncio.gather(*(fetcher.fetch(reading.site.url(path)) for path in paths))

    return asyncio.run(main())


@pytest.mark.parametrize("asked_by", ["settings", "robots.txt"])
def test_between_two_requests_there_is_a_pause(reading: Any, monkeypatch: pytest.MonkeyPatch, asked_by: str) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def told(seconds: float, *_: object) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr("wekadocs_fetch.turns.asyncio.sleep", told)
    if asked_by == "settings":
        reading.settings["delay_seconds"] = 20
    else:
        reading.site.robots = Reply("User-agent: *\nCrawl-delay: 20\n")
    reading.run("/plain.txt", "/notes.md", "/etag")
    assert 15 < max(waits) <= 60


def test_no_cookie_is_kept(reading: Any) -> None:
    reading.site.replies["/bites"] = Reply("x", headers={"Content-Type": "text/plain", "Set-Cookie": "id=1; Path=/"})
    reading.run("/bites", "/plain.txt")
    assert all("cookie" not in headers for _, _, headers in reading.site.asked)


def test_a_proxy_must_be_trusted_before_anything_is_asked_by_it(
    reading: Any, monkeypatch: pytest.MonkeyPatch, connected: Callable[[], list[Any]]
) -> None:
    monkeypatch.setenv("HTTP_PROXY", reading.site.base)
    found = reading.failure("http://example.com/plain.txt")
    assert found.code == "PROXY_NOT_TRUSTED"
    assert "trust_proxy: true" in found.reason
    assert connected() == []


def test_by_a_trusted_proxy_a_page_is_asked_for_by_name(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", reading.site.place)
    reading.settings["trust_proxy"] = True
    assert reading.page("http://example.com/plain.txt").body == b"Plain words.\n"
    assert {headers["host"] for _, _, headers in reading.site.asked} == {"example.com"}


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://0x0a.1/", "http://inside.example/", "http://169.254.169.254/latest/"]
)
def test_a_proxy_is_not_asked_for_what_is_private(
    reading: Any, monkeypatch: pytest.MonkeyPatch, connected: Callable[[], list[Any]], url: str
) -> None:
    async def inside(host: str, port: int) -> list[str]:
        return ["10.0.0.7"]

    monkeypatch.setenv("HTTP_PROXY", reading.site.base)
    reading.settings["trust_proxy"] = True
    reading.resolve = inside
    assert reading.failure(url).code == "URL_REFUSED"
    assert connected() == []


def test_no_proxy_and_this_machine_itself_are_asked_directly(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert reading.page("/plain.txt").status == 200
    monkeypatch.setenv("NO_PROXY", "inside.example")
    reading.settings["allow_hosts"] = ["inside.example"]

    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    reading.resolve = here
    assert reading.page(f"http://inside.example:{reading.site.port}/plain.txt").status == 200


def test_a_file_of_certificates_that_is_none_says_so(reading: Any, tmp_path: Any) -> None:
    reading.settings["ca_file"] = str(tmp_path / "none.pem")
    found = reading.failure("/plain.txt")
    assert found.code == "TLS_FAILED"
    assert "ca_file" in found.reason


def test_a_failure_names_the_url_and_no_foreign_words(reading: Any) -> None:
    reading.site.replies["/odd"] = redirect("http://[")
    found = reading.failure("/odd")
    assert isinstance(found, FetchFailed)
    assert str(found) == f"{found.url}: {found.reason}"
    assert "Traceback" not in str(found)


@pytest.mark.parametrize(
    "head",
    [
        '<meta http-equiv="refresh" content="0;URL=/chain/0"/>',
        "<META content='0; url=&quot;/chain/0&quot;' HTTP-EQUIV=Refresh>",
        "<meta http-equiv=refresh content=0,/chain/0>",
    ],
)
def test_a_page_that_only_sends_its_readers_on_is_a_redirect(reading: Any, head: str) -> None:
    reading.site.replies["/moved"] = page("Moved", "<p>It moved.</p>", head)
    found = reading.page("/moved")
    base = reading.site.base
    assert (found.final_url, found.redirects) == (f"{base}/chain/0", (f"{base}/moved",))


@pytest.mark.parametrize(
    "head",
    [
        '<meta http-equiv="refresh" content="300; url=/chain/0">',
        '<meta http-equiv="refresh" content="30">',
        '<meta http-equiv="refresh" content="0; url=#top">',
        '<meta http-equiv="refresh" content="0; url=javascript:alert(1)">',
        '<noscript><meta http-equiv="refresh" content="0; url=/chain/0"></noscript>',
        '<!-- <meta http-equiv="refresh" content="0; url=/chain/0"> -->',
        "<script>'<meta http-equiv=refresh content=0;url=/chain/0>'</script>",
    ],
)
def test_a_page_that_is_to_be_read_first_is_read(reading: Any, head: str) -> None:
    reading.site.replies["/stays"] = page("Stays", "<p>It stays.</p>", head)
    assert reading.page("/stays").final_url == f"{reading.site.base}/stays"


def test_a_page_sends_nobody_to_what_is_private(reading: Any, connected: Callable[[], list[Any]]) -> None:
    head = '<meta http-equiv="refresh" content="0; url=http://169.254.169.254/latest/">'
    reading.site.replies["/moved"] = page("Moved", "<p>It moved.</p>", head)
    assert reading.failure("/moved").code == "URL_REFUSED"
    assert {str(place[0]) for place in connected()} == {"127.0.0.1"}
