"""Pages taken in ahead, looked after, listed and read: on a site of their own, as its own rules allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser import missing
from web_site import Reply, WebSite, page, redirect

from wekadocs_contracts.problems import StartError
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration

from ..conftest import Served


class Web:
    """A server with the plugin, and the site it reads."""

    def __init__(self, served: Served, site: WebSite) -> None:
        self.served, self.site = served, site

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.served.ask(f"web.{tool}", arguments)

    def text(self, tool: str, **arguments: Any) -> str:
        return str(self.served.outcome(f"web.{tool}", arguments).content[0]["text"])

    def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.served.refused(f"web.{tool}", arguments)

    def url(self, path: str) -> str:
        return self.site.url(path)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Web]]:
    apps: list[Served] = []
    with WebSite() as site:

        def open_one(**settings: Any) -> Web:
            said = {"allow_hosts": [site.place], "retries": 0, **settings}
            plugins = {"corpus": {}, "web": {"enabled": True, **said}}
            scope = {"project_id": "demo", "environment": "prod"}
            config = configuration.from_dict({"plugins": plugins, "scope": scope}, tmp_path / "data")
            apps.append(Served(App.build(config)))
            return Web(apps[-1], site)

        yield open_one
        for each in apps:
            each.run(each.app.lifespans.close)


@pytest.fixture
def web(opened: Callable[..., Web]) -> Web:
    return opened()


def test_nothing_indexed_is_told_in_the_seeds_words(web: Web) -> None:
    assert web.text("status") == (
        "[CORPUS STATUS]\nDocuments indexed: 0\nTotal chunks: 0\nTotal tokens: 0\n\nIndexed URLs:\n(none)"
    )
    assert web.text("status", include_urls=False).endswith("Total tokens: 0")
    assert web.text("status", source_url="https://a.example/x") == (
        "[CORPUS STATUS]\nURL not indexed: https://a.example/x"
    )


def test_a_page_is_one_document_by_all_of_its_names(web: Web) -> None:
    web.site.replies["/old"] = redirect("/canonical#part", 301)
    web("ingest", url=web.url("/old"))
    web("ingest", url=web.url("/canonical#other"))
    assert web("status")["documents"] == 1
    for name in ("/old", "/canonical", "/canonical#x", "/canonical?really"):
        found = web("status", source_url=web.url(name))
        assert [each["url"] for each in found["urls"]] == [web.url("/canonical?really")]
    assert f"({found['chunks']} chunks" in web.text("status", source_url=web.url("/old"))


def test_a_page_does_not_speak_for_another_site(web: Web) -> None:
    for link in ("https://bank.example/rates", "/"):
        web.site.replies["/liar"] = page(
            "Rates", "<h1>Rates</h1><p>All is free.</p>", f'<link rel=canonical href="{link}">'
        )
        web("ingest", url=web.url("/liar"))
        assert [each["url"] for each in web("status")["urls"]] == [web.url("/liar")]


@pytest.mark.parametrize(
    ("older", "newest"),
    [
        ("/docs/14/limits.html", "/docs/current/limits.html"),
        ("/en/v3.2/limits/", "/en/stable/limits/"),
        ("/1.x/limits", "/limits"),
        ("/reference/7.17/limits.html", "/reference/8.0-rc1/limits.html"),
    ],
)
def test_another_version_of_a_page_is_another_page(web: Web, older: str, newest: str) -> None:
    """Manuals call their newest version canonical on every page of the older ones."""
    head = f'<link rel=canonical href="{newest}">'
    web.site.replies |= {
        older: page("Limits", "<h1>Limits</h1><p>At most 14 connections.</p>", head),
        newest: page("Limits", "<h1>Limits</h1><p>At most 17 connections.</p>", head),
    }
    for path, said in ((older, "At most 14"), (newest, "At most 17"), (older, "At most 14")):
        answer = web("answer", url=web.url(path), query="How many connections?", expansion_budget=0)
        assert [each["url"] for each in answer["sources"]] == [web.url(path)]
        assert said in answer["evidence"][0]["text"]


def test_a_section_is_found_by_llms_txt_and_sitemap_and_goes_on_where_it_stopped(web: Web) -> None:
    first = web("ingest", url=web.url("/docs/page-0.html"), what="section", max_pages=12, corpus="docs")
    assert first["found_by"][:2] == ["llms.txt", "sitemap"]
    assert (first["indexed"], first["waiting"], first["complete"]) == (12, 188, False)
    assert [each["url"][-11:] for each in first["pages"][:6]] == [f"page-{n}.html" for n in (0, 1, 2, 3, 4, 9)]
    second = web("ingest", url=web.url("/docs/page-0.html"), what="section", max_pages=8, corpus="docs")
    assert (second["found_by"][0], second["indexed"], second["waiting"]) == ("an earlier call", 8, 180)
    assert not {each["url"] for each in first["pages"]} & {each["url"] for each in second["pages"]}
    assert [(each["name"], each["pages"], each["waiting"]) for each in web("status")["corpora"]] == [("docs", 20, 180)]


def test_links_are_followed_within_the_section_and_no_further(web: Web) -> None:
    for path in ("/llms.txt", "/sitemap.xml"):
        web.site.replies[path] = Reply(status=404)
    links = '<a href="b.html">b</a><a href="/elsewhere/">no</a><a href="http://10.0.0.1/">no</a><a href="c.png">no</a>'
    web.site.replies["/s/a.html"] = page("A", f"<h1>A</h1><p>First page.</p>{links}")
    web.site.replies["/s/b.html"] = page("B", '<h1>B</h1><p>Second page.</p><a href="c.html">c</a>')
    web.site.replies["/s/c.html"] = page("C", '<h1>C</h1><p>Third page.</p><a href="d.html">d</a>')
    done = web("ingest", url=web.url("/s/a.html"), what="section", max_depth=2)
    assert [each["title"] for each in done["pages"]] == ["A", "B", "C"]
    assert (done["found_by"], done["complete"], done["failed"]) == (["links"], True, [])


def test_a_trap_without_end_is_left(web: Web) -> None:
    for path in ("/llms.txt", "/sitemap.xml"):
        web.site.replies[path] = Reply(status=404)
    done = web("ingest", url=web.url("/trap?n=0"), what="section", max_pages=100, max_depth=5)
    assert done["complete"]
    assert len([each for each in web.site.paths() if each.startswith("/trap")]) <= 7


@pytest.mark.parametrize("packed", [False, True])
def test_a_sitemap_stands_for_its_pages(web: Web, packed: bool) -> None:
    if packed:
        import gzip

        data = gzip.compress(web.site.reply("/sitemap.xml", {}, {}).data)
        web.site.replies["/map.xml.gz"] = Reply(data, headers={"Content-Type": "application/x-gzip"})
    done = web("ingest", url=web.url("/map.xml.gz" if packed else "/sitemap.xml"), max_pages=9)
    assert done["found_by"] == ["sitemap"]
    assert (done["indexed"], done["waiting"]) == (9, 191)


def test_an_index_of_sitemaps_is_followed(web: Web) -> None:
    maps = f"<sitemapindex><sitemap><loc>{web.url('/sitemap.xml')}</loc></sitemap></sitemapindex>"
    web.site.replies["/index.xml"] = Reply(maps, headers={"Content-Type": "text/xml"})
    assert web("ingest", url=web.url("/index.xml"), max_pages=3)["indexed"] == 3


def test_what_robots_do_not_read_is_not_taken_in(web: Web) -> None:
    found = web.refused("ingest", url=web.url("/private/secret.html"))
    assert found["code"] == "FETCH_FAILED"
    assert "robots.txt does not allow it" in found["message"]
    assert "/private/secret.html" not in web.site.paths()


def test_one_failing_page_does_not_fail_the_rest(web: Web) -> None:
    text = "".join(f"- [x]({path})\n" for path in ("/docs/page-1.html", "/nope", "/bomb", "/script-only", "/notes.md"))
    web.site.replies["/some/llms.txt"] = Reply(f"# Some\n\n{text}", headers={"Content-Type": "text/plain"})
    done = web("ingest", url=web.url("/some/llms.txt"))
    assert sorted(each["url"] for each in done["pages"]) == [web.url("/docs/page-1.html"), web.url("/notes.md")]
    reasons = {each["url"].rpartition("/")[2]: each["reason"] for each in done["failed"]}
    assert reasons["nope"] == "its server answers 404"
    assert "unpacked bytes" in reasons["bomb"]
    assert "JavaScript" in reasons["script-only"]


def test_refresh_tells_what_changed_what_is_gone_and_what_is_as_it_was(web: Web) -> None:
    web.site.replies["/a"] = page("A", "<h1>A</h1><p>First words.</p>")
    web.site.replies["/b"] = page("B", "<h1>B</h1><p>Other words.</p>")
    for path in ("/a", "/b", "/etag"):
        web("ingest", url=web.url(path))
    web.site.replies["/a"] = page("A", "<h1>A</h1><p>Second words.</p>")
    web.site.replies["/b"] = Reply(status=410)
    told = web("refresh")
    assert (told["changed"], told["gone"], told["unchanged"]) == ([web.url("/a")], [web.url("/b")], 1)
    assert told["complete"]
    assert "Second words." in web("read", url=web.url("/a"))["text"]
    assert web("status", source_url=web.url("/b"))["documents"] == 0
    assert "URL not indexed" in web.refused("refresh", url=web.url("/b"))["message"]


def test_a_page_that_cannot_be_asked_stays(web: Web) -> None:
    web("ingest", url=web.url("/etag"))
    web.site.replies["/etag"] = Reply(status=500)
    told = web("refresh", url=web.url("/etag"))
    assert told["failed"] == [{"url": web.url("/etag"), "reason": "its server answers 500"}]
    assert web("status")["documents"] == 1


def test_a_long_page_is_read_part_by_part_and_nothing_is_lost(web: Web) -> None:
    body = "".join(f"<h2>Part {n}</h2><p>{f'Words of part {n}. ' * 30}</p>" for n in range(60))
    web.site.replies["/long"] = page("Long", f"<h1>Long</h1>{body}")
    parts, at = [], 0
    while at is not None:
        found = web("read", url=web.url("/long"), start_char=at, max_tokens=800)
        assert (found["start"], found["end"] - found["start"]) == (at, len(found["text"]))
        parts.append(found["text"])
        at = found["next_start"]
    whole = web.served.run(lambda: read_resource(web, found["resource"]))
    assert len(parts) > 5
    assert "".join(parts) == whole
    assert "Words of part 59." in whole


async def read_resource(web: Web, uri: str) -> str:
    ((resource, plugin),) = [each for each in web.served.app.resources if each[0].uri.startswith("wekadocs://web/")]
    from wekadocs_mcp.calls.call import Caller

    assert uri == "wekadocs://web/" + quote(web.url("/long"), safe="")
    return await web.served.app.dispatcher.run(resource.read, plugin, Caller(), {"url": web.url("/long")})


def test_a_page_that_is_not_indexed_is_taken_in_to_be_read(web: Web) -> None:
    assert "In Markdown." in web("read", url=web.url("/notes.md"))["text"]
    assert "42 is enough" in web("read", url=web.url("/paper.pdf"))["text"]
    assert web("status")["documents"] == 2
    assert web.refused("read", url=web.url("/notes.md"), start_char=10_000)["code"] == "INVALID_ARGUMENT"
    assert web.refused("read", url="http://127.0.0.1:1/")["code"] == "URL_REFUSED"


@pytest.mark.browser
def test_a_page_that_needs_its_scripts_is_taken_in_where_there_is_a_browser(opened: Callable[..., Web]) -> None:
    if why := missing("chromium"):
        pytest.skip(why)
    web = opened(browser="chromium", browser_arguments=["--no-sandbox"])
    script = "document.getElementById('root').innerHTML = '<h1>Shown</h1><p>' + 'Made of '.repeat(20) + 'scripts.</p>'"
    noscript = "<noscript>You need to enable JavaScript to run this app.</noscript>"
    web.site.replies["/app"] = page("App", f'<div id="root"></div>{noscript}<script>{script}</script>')
    assert "Made of scripts." in web("read", url=web.url("/app"))["text"]


def test_doctor_tells_what_keeps_pages_from_being_fetched(
    opened: Callable[..., Web], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert checked(opened()) == ["ok 0 pages"]
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert [each.split()[0] for each in checked(opened(browser="no-such-browser"))] == ["warning", "warning"]
    assert checked(opened(trust_proxy=True)) == ["ok 0 pages"]


def checked(web: Web) -> list[str]:
    app = web.served.app
    plugin = app.plugins["web"]

    async def look() -> list[str]:
        found = await plugin.health_checks["fetching"](await app.lifespans.state(plugin))
        return [f"{each.state} {each.note}" for each in found]

    return web.served.run(look)


def test_urls_come_in_pages(web: Web) -> None:
    web("ingest", url=web.url("/docs/page-0.html"), what="section", max_pages=7)
    seen, cursor = [], None
    while True:
        got = web("status", page_size=3, **({"cursor": cursor} if cursor else {}))
        seen += [each["url"] for each in got["urls"]]
        cursor = got.get("next_cursor")
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7
    assert seen == sorted(seen)


def test_another_process_goes_on_with_the_crawl(opened: Callable[..., Web]) -> None:
    first = opened()
    first("ingest", url=first.url("/sitemap.xml"), max_pages=5)
    second = opened()
    done = second("ingest", url=second.url("/sitemap.xml"), max_pages=5)
    assert (done["found_by"], done["indexed"], done["waiting"]) == (["an earlier call"], 5, 190)
    again = second("ingest", url=second.url("/sitemap.xml"), max_pages=3, restart=True)
    assert again["waiting"] == 197


@pytest.mark.parametrize("entry", ["http://x/", "host:port", "a b", "[::1", "user@host"])
def test_a_setting_that_means_nothing_is_refused_at_start(opened: Callable[..., Web], entry: str) -> None:
    with pytest.raises(StartError, match="allow_hosts"):
        opened(allow_hosts=[entry])


@pytest.mark.parametrize("entry", ["10.0.0.0/99", "256.1.1.1"])
def test_an_address_that_is_none_is_named_in_the_log(
    opened: Callable[..., Web], caplog: pytest.LogCaptureFixture, entry: str
) -> None:
    web = opened(allow_hosts=[entry])
    assert web.refused("status")["code"] == "BACKEND_UNAVAILABLE"
    assert f"allow_hosts: {entry} is no host, host:port or network" in caplog.text


@pytest.mark.parametrize(
    "said", ["<loc>" + " " * 20_000, "<loc>x" + " \n" * 20_000 + "]", "<loc><![CDATA[" * 20_000, "[a](x" * 20_000]
)
def test_a_list_that_is_written_to_cost_time_is_read_in_a_moment(said: str) -> None:
    """With a pattern that goes back over it, this does not end."""
    from wekadocs_corpus_plugin.web.links import of_list, of_sitemap
    from wekadocs_web.crawling.sitemaps import read_llms_txt, read_sitemap

    real = (
        "<urlset><url><loc>\n <![CDATA[ http://e.org/a?b=1&amp;c ]]> </loc></url><loc> http://e.org/b\n</loc></urlset>"
    )
    assert read_sitemap(said + real).urls[-2:] == ("http://e.org/a?b=1&c", "http://e.org/b")
    assert of_sitemap(said + real, "http://e.org/")[-2:] == ["http://e.org/a?b=1&c", "http://e.org/b"]
    assert list(read_llms_txt(said + " [b](http://e.org/c)"))[-1] == "http://e.org/c"
    assert of_list(said + " [b](http://e.org/c)", "http://e.org/")[-1] == "http://e.org/c"


def test_a_page_that_is_written_to_cost_time_names_its_links_in_a_moment() -> None:
    from wekadocs_corpus_plugin.web.links import of_page

    page = "<a " * 20_000 + "<a class=x href = 'b.html'>b</a>"
    assert of_page(page, "http://e.org/") == ["http://e.org/b.html"]
