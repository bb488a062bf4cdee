"""robots.txt by RFC 9309."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from web_site import Reply, WebSite, redirect

from wekadocs_fetch.robots.rules import Rules, read


def allows(text: str, path: str, product: str = "wekadocs-mcp") -> bool:
    return read(text, product).allow(path)


OURS = "User-agent: wekadocs-mcp\nDisallow: /ours\n\nUser-agent: *\nDisallow: /all\n"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow:\n", "/a", True),
        ("User-agent: *\nDisallow: /\n", "/a", False),
        ("User-agent: *\nDisallow: /\n", "/robots.txt", True),
        (OURS, "/ours/a", False),
        (OURS, "/all", True),
        ("user-AGENT: Wekadocs-MCP/1.0\ndisallow: /x", "/x", False),
        ("User-agent: other\nDisallow: /\n", "/a", True),
        ("User-agent: wekadocs\nDisallow: /\n", "/a", True),
        ("User-agent: other\nUser-agent: *\nDisallow: /a\n", "/a", False),
        ("User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n", "/b", False),
        ("User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n", "/a", False),
        ("User-agent: *\nDisallow: /p\nAllow: /page\n", "/page/1", True),
        ("User-agent: *\nAllow: /page\nDisallow: /p\n", "/page/1", True),
        ("User-agent: *\nDisallow: /page\nAllow: /page\n", "/page", True),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/", True),
        ("User-agent: *\nAllow: /$\nDisallow: /\n", "/a", False),
        ("User-agent: *\nDisallow: /*.php$\n", "/a/b.php", False),
        ("User-agent: *\nDisallow: /*.php$\n", "/a/b.php?x", True),
        ("User-agent: *\nDisallow: /*.php\n", "/a/b.php?x", False),
        ("User-agent: *\nDisallow: /fish*.php\n", "/Fish.php", True),
        ("User-agent: *\nDisallow: /a*b*c$\n", "/axbxcxc", False),
        ("User-agent: *\nDisallow: /a*b*c$\n", "/ac", True),
        ("User-agent: *\nDisallow: *secret\n", "/x/secret", False),
        ("User-agent: *\nDisallow: /a b\n", "/a%20b", False),
        ("User-agent: *\nDisallow: /%7Eada\n", "/~ada", False),
        ("User-agent: *\nDisallow: /\u00fc\n", "/%C3%BC", False),
        ("User-agent: *\nDisallow: /a%2fb\n", "/a/b", True),
        ("User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", False),
        ("User-agent: *\nDisallow: /a # not all\n", "/a", False),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("Disallow: /a\nUser-agent: *\n", "/a", True),
        ("User-agent: *\nSitemap: /s.xml\nDisallow: /a\n", "/a", False),
        ("User-agent: *\nCrawl-delay: 5\nUser-agent: other\nDisallow: /a\n", "/a", True),
        ("<html>not found</html>", "/a", True),
    ],
)
def test_what_a_file_allows(text: str, path: str, allowed: bool) -> None:
    assert allows(text, path) is allowed


def test_delay_and_sitemaps_are_read() -> None:
    found = read("User-agent: *\nCrawl-delay: 2.5\nSitemap: https://a.example/s.xml\n", "x")
    assert (found.delay, found.sitemaps) == (2.5, ("https://a.example/s.xml",))


def test_no_pattern_takes_long() -> None:
    text = "User-agent: *\n" + f"Disallow: /{'*a' * 500}$\n" * 20
    began = time.process_time()
    assert read(text, "x").allow("/" + "a" * 3000 + "b")
    assert time.process_time() - began < 5  # a backtracking matcher would never end


@given(some.text(max_size=200), some.text(max_size=50))
def test_whatever_it_says_it_can_be_read(text: str, path: str) -> None:
    assert read(text, "x").allow(f"/{path}") in (True, False)
    assert Rules().allow(path)


def test_a_page_that_is_not_for_robots_is_not_asked_for(reading: Any) -> None:
    found = reading.failure("/private/secret.html")
    assert (found.code, found.reason) == ("ROBOTS_DISALLOWED", "its site's robots.txt does not allow it")
    assert reading.site.paths() == []
    assert reading.page("/private/open.html").status == 200


def test_a_redirect_to_what_is_not_for_robots_is_not_followed(reading: Any) -> None:
    assert reading.failure("/to?url=/private/secret.html").code == "ROBOTS_DISALLOWED"
    assert len(reading.site.paths()) == 1


def test_it_is_asked_for_once(reading: Any) -> None:
    reading.run("/plain.txt", "/notes.md", "/docs/page-1.html")
    assert [path for _, path, _ in reading.site.asked].count("/robots.txt") == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_where_there_is_none_everything_is_allowed(reading: Any, status: int) -> None:
    reading.site.robots = Reply(status=status)
    assert reading.page("/private/secret.html").status == 200


@pytest.mark.parametrize("status", [429, 500, 503])
def test_where_it_cannot_be_had_nothing_is_asked(reading: Any, status: int) -> None:
    reading.site.robots = Reply(status=status)
    found = reading.failure("/plain.txt")
    assert (found.code, found.passing) == ("ROBOTS_UNREACHABLE", True)
    assert str(status) in found.reason
    assert reading.site.paths() == []


def test_where_it_does_not_come_nothing_is_asked(reading: Any) -> None:
    reading.site.replies["/robots.txt"] = redirect("/silent")
    reading.settings["idle_seconds"] = 0.3
    assert reading.failure("/plain.txt").code == "TIMEOUT"
    assert reading.site.paths("/silent") == []


def test_it_may_stand_elsewhere(reading: Any) -> None:
    with WebSite() as other:
        other.robots = Reply("User-agent: *\nDisallow: /plain.txt\n")
        reading.settings["allow_hosts"].append(other.place)
        reading.site.robots = redirect(other.url("/robots.txt"))
        assert reading.failure("/plain.txt").code == "ROBOTS_DISALLOWED"


@pytest.mark.parametrize("place", ["http://10.0.0.1/robots.txt", "/robots.txt", "file:///etc/passwd"])
def test_one_that_leads_inside_or_in_a_circle_counts_as_none(reading: Any, place: str) -> None:
    reading.site.robots = redirect(place)
    assert reading.page("/plain.txt").status == 200


def test_only_its_first_half_megabyte_is_read(reading: Any) -> None:
    reading.settings["max_bytes"] = 2048
    rules = "User-agent: *\nDisallow: /plain.txt\n"
    reading.site.robots = Reply(rules + "# more\n" * 200_000 + "Disallow: /notes.md\n")
    blocked, free = reading.run("/plain.txt", "/notes.md")
    assert getattr(blocked, "code", "") == "ROBOTS_DISALLOWED"
    assert free.status == 200


def test_it_can_be_left_aside(reading: Any) -> None:
    reading.settings["robots"] = False
    assert reading.page("/private/secret.html").status == 200
    assert [path for _, path, _ in reading.site.asked] == ["/private/secret.html"]


def test_our_own_name_is_what_user_agent_says(reading: Any) -> None:
    reading.settings["user_agent"] = "reader/2.0 (test)"
    reading.site.robots = Reply("User-agent: reader\nDisallow: /plain.txt\n")
    assert reading.failure("/plain.txt").code == "ROBOTS_DISALLOWED"
    assert {headers["user-agent"] for _, _, headers in reading.site.asked} == {"reader/2.0 (test)"}
