"""Nothing private is reached, however it is written, and whatever leads there: seen at the socket."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from wekadocs_fetch import FetchFailed, Policy, WebUrl, document_url
from wekadocs_fetch.guard.ranges import closed
from wekadocs_fetch.guard.spellings import as_address

PRIVATE = [
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://127.255.255.254/",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://0X7F.0.0.0x1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://2130706433/",
    "http://127.0.0.1./",
    "http://127.0.0.1.:80/",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://127\u30020\u30020\u30021/",
    "http://\u2460\u2461\u2466.0.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0.1.2.3/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://100.100.100.200/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/v2/credentials",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:c0a8:101::1]/",
    "http://[2001::1]/",
    "http://[2001:0:53aa:64c:0:0:80ff:fffe]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://user:password@127.0.0.1/",
    "http://example.com@127.0.0.1/",
    "http://example.com:80@127.0.0.1:80/",
    "http:///127.0.0.1/",
    "http:127.0.0.1",
    "https://127.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://localhost:6379/",
]
NONE_OF_OURS = [
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://127.0.0.1:6379/_INFO",
    "dict://127.0.0.1:11211/stat",
    "data:text/html,hello",
    "javascript:alert(1)",
    "ws://127.0.0.1/",
    "unix:/var/run/docker.sock",
    "//127.0.0.1/",
    "127.0.0.1",
    "",
    "http://",
    "http:///",
    "http://[::1/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::ffff:127.0.0.1%25lo]/",
    "http://[127.0.0.1]/",
    "http://127.0.0.1.5/",
    "http://1.2.3.4.5/",
    "http://256.0.0.1/",
    "http://0x100000000/",
    "http://08.0.0.1/",
    "http://127.0.0." + "9" * 400 + "/",
    "http://" + "9" * 5000 + "/",
    "http://example.com:0/",
    "http://example.com:99999/",
    "http://example.com:abc/",
    "http://exa mple.com/",
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1\\.example.com/",
    "http://example.com\t/",
    "http://example.com/\r\nHost: 127.0.0.1",
    "http://ex\0ample.com/",
    "http://a..b/",
    "http://-a.example/",
    "http://" + "a" * 64 + ".example/",
    "http://" + "a." * 130 + "example/",
    "http://xn--/",
    "http://\u202eexample.com/",
    "http://example.com/" + "a" * 5000,
    "http://%zz/",
    "http://%ff%fe/",
]


@pytest.mark.parametrize("url", PRIVATE + NONE_OF_OURS)
def test_no_request_leaves_for_a_url_that_leads_inside(
    reading: Any, connected: Callable[[], list[Any]], url: str
) -> None:
    found = reading.failure(f" {url} " if url.startswith("/") else url)
    assert found.code in ("URL_REFUSED", "URL_INVALID", "HOST_NOT_FOUND")
    assert connected() == []
    assert reading.site.asked == []
    assert found.reason and "Error" not in found.reason


@pytest.mark.parametrize("url", [*PRIVATE[:40], "file:///etc/passwd", "http://[::1]/", "gopher://x/", "//127.0.0.2/"])
@pytest.mark.parametrize("status", [301, 307])
def test_a_redirect_is_checked_like_any_other_url(
    reading: Any, connected: Callable[[], list[Any]], url: str, status: int
) -> None:
    reading.site.replies["/out"] = lambda *_: __import__("web_site").redirect(url, status)
    found = reading.failure("/out")
    assert found.code in ("URL_REFUSED", "URL_INVALID")
    assert {tuple(place[:2]) for place in connected()} == {("127.0.0.1", reading.site.port)}
    assert reading.site.paths() == ["/out"]


def test_a_user_and_a_password_are_never_sent(reading: Any) -> None:
    place = reading.site.place
    page = reading.page(f"http://ada:secret@{place}/plain.txt")
    assert page.url == f"http://{place}/plain.txt"
    assert all("authorization" not in headers and "secret" not in str(headers) for _, _, headers in reading.site.asked)


def test_a_password_is_not_repeated_in_a_failure(reading: Any) -> None:
    for url in ("http://ada:secret@10.0.0.1/", "ftp://ada:secret@example.com/x", "http://ada:secret@[::1/"):
        found = reading.failure(url)
        assert "secret" not in str(found) + found.url


class Names:
    """A name server that changes its mind."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def test_a_name_is_resolved_once_and_asked_at_that_address(reading: Any, connected: Callable[[], list[Any]]) -> None:
    """A second look would get another answer: that is what rebinding is."""
    reading.resolve = names = Names(["127.0.0.1"], ["127.0.0.9"])
    reading.settings["robots"] = False
    reading.page(f"http://rebound.example:{reading.site.port}/plain.txt")
    assert names.asked == ["rebound.example"]
    assert [place[0] for place in connected()] == ["127.0.0.1"]
    assert reading.site.asked[0][2]["host"] == f"rebound.example:{reading.site.port}"


def test_a_name_that_now_leads_elsewhere_is_checked_anew(reading: Any, connected: Callable[[], list[Any]]) -> None:
    reading.resolve = Names(["127.0.0.1"], ["127.0.0.9"])
    reading.settings["robots"] = False
    url = f"http://rebound.example:{reading.site.port}/plain.txt"
    reading.page(url)
    assert reading.failure(url).code == "URL_REFUSED"
    assert [place[0] for place in connected()] == ["127.0.0.1"]


@pytest.mark.parametrize("address", ["10.0.0.1", "::1", "fe80::1%2", "::ffff:169.254.169.254", "nonsense"])
def test_one_private_address_among_others_refuses_a_name(
    reading: Any, connected: Callable[[], list[Any]], address: str
) -> None:
    reading.resolve = Names(["127.0.0.1", address])
    assert reading.failure(f"http://mixed.example:{reading.site.port}/plain.txt").code == "URL_REFUSED"
    assert connected() == []


@pytest.mark.parametrize("error", [socket.gaierror(socket.EAI_NONAME, "unknown"), UnicodeError("label too long")])
def test_a_name_nobody_knows_says_so(reading: Any, error: Exception) -> None:
    async def fails(host: str, port: int) -> list[str]:
        raise error

    reading.resolve = fails
    found = reading.failure("http://nobody.example/")
    assert (found.code, found.reason) == ("HOST_NOT_FOUND", "no address is known for nobody.example")


@pytest.mark.parametrize(
    "entry", ["127.0.0.1", "127.0.0.1:{port}", "127.0.0.0/8", "127.0.0.1/32", "localhost", "LocalHost.:{port}"]
)
def test_what_is_allowed_by_host_port_network_or_name_is_reached(reading: Any, entry: str) -> None:
    reading.settings["allow_hosts"] = [entry.format(port=reading.site.port)]
    host = "localhost" if "ocal" in entry else "127.0.0.1"
    assert reading.page(f"http://{host}:{reading.site.port}/plain.txt").body == b"Plain words.\n"


@pytest.mark.parametrize("entry", ["127.0.0.1:1", "127.0.0.2", "10.0.0.0/8", "localhost", "::1", "[::1]:80", "::/0"])
def test_what_is_allowed_elsewhere_is_not_allowed_here(
    reading: Any, connected: Callable[[], list[Any]], entry: str
) -> None:
    reading.settings["allow_hosts"] = [entry]
    assert reading.failure("/plain.txt").code == "URL_REFUSED"
    assert connected() == []


def test_no_network_opens_a_metadata_service() -> None:
    wide = Policy(["0.0.0.0/0", "::/0"])
    wide.check_url(WebUrl.of("http://10.0.0.1/"))
    with pytest.raises(FetchFailed):
        wide.check_url(WebUrl.of("http://169.254.169.254/"))
    Policy(["169.254.169.254"]).check_url(WebUrl.of("http://169.254.169.254/"))


@pytest.mark.parametrize("entry", ["http://x/", "a b", "10.0.0.0/99", "host:port", "host:0", "host:70000", "[::1"])
def test_an_entry_that_means_nothing_is_refused(entry: str) -> None:
    with pytest.raises(ValueError):
        Policy([entry])


@pytest.mark.parametrize("port", [22, 25, 53, 110, 6379, 11211])
def test_ports_of_other_services_are_not_asked(port: int) -> None:
    with pytest.raises(FetchFailed, match="another service"):
        Policy().check_url(WebUrl.of(f"http://example.com:{port}/"))


def test_domains_can_be_denied_or_be_the_only_ones() -> None:
    policy = Policy(["10.0.0.1"], ["example.org", "*.example.net"], ["bad.example.org"])
    for url in ("https://example.org/", "https://docs.example.org/", "http://a.example.net/", "http://10.0.0.1/"):
        policy.check_url(WebUrl.of(url))
    for url in (
        "https://example.com/",
        "https://bad.example.org/",
        "https://x.bad.example.org/",
        "http://notexample.org/",
    ):
        with pytest.raises(FetchFailed, match="domains"):
            policy.check_url(WebUrl.of(url))


def test_a_host_in_another_script_is_denied_by_the_name_that_dns_has() -> None:
    policy = Policy((), (), ["b\u00fccher.example"])
    for url in ("http://b\u00fccher.example/", "http://B\u00dcCHER.example./", "http://xn--bcher-kva.example/"):
        with pytest.raises(FetchFailed, match="deny_domains"):
            policy.check_url(WebUrl.of(url))


@given(some.ip_addresses())
def test_an_address_that_python_calls_private_is_closed(address: Any) -> None:
    if not address.is_global or address.is_multicast:
        mapped = getattr(address, "ipv4_mapped", None)
        nat64 = str(address).startswith("64:ff9b::")
        assert closed(address) is not None or (mapped and mapped.is_global) or nat64


@given(some.ip_addresses(v=4))
def test_an_address_in_another_spelling_is_refused_with_the_plain_one(address: Any) -> None:
    """Public or not: who is connected to must not depend on how a host is read."""
    plain, number = str(address), int(address)
    first, second, third, last = (int(part) for part in plain.split("."))
    wide = plain.translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)})
    spellings = {
        str(number), hex(number), hex(number).upper(), f"0{number:o}", f"{first}.{number & 0xFFFFFF}",
        f"{first}.{second}.{number & 0xFFFF}", f"{first}.{second}.{third}.{last:#x}", f"{first:#o}".replace("o", "")
        + f".{second}.{third}.{last}", f"{first:#x}.{number & 0xFFFFFF}", f"0{first:o}.{second:#x}.{number & 0xFFFF}",
        f"{plain}.", wide, plain.replace(".", "\u3002"), plain.replace(".", "%2e"), f"%{ord(plain[0]):x}{plain[1:]}",
        ".".join(hex(int(part)) for part in plain.split(".")), f"{first}.{second}.{third}.{last:#x}.",
    }  # fmt: skip
    for host in spellings - {plain}:
        with pytest.raises(FetchFailed) as found:
            WebUrl.of(f"http://{host}:8080/page")
        assert found.value.code == "URL_REFUSED" and f"{address} in another spelling" in found.value.reason, host
    assert WebUrl.of(f"http://{plain}:8080/page").host == plain
    for host in (f"[::ffff:{address}]", f"[64:ff9b::{number >> 16:x}:{number & 0xFFFF:x}]"):
        unwrapped = as_address(WebUrl.of(f"http://{host}/").host)
        assert unwrapped is not None and (closed(unwrapped) is None) == (closed(address) is None)


@pytest.mark.parametrize("host", ["1.1", "0x1.1", "16777217", "8.8.2056", "010.8.8.8", "1.0.0.1.", "\uff11.\uff11"])
def test_a_public_address_in_another_spelling_is_never_connected_to(
    reading: Any, connected: Callable[[], list[Any]], host: str
) -> None:
    found = reading.failure(f"http://{host}/")
    assert (found.code, connected()) == ("URL_REFUSED", [])
    assert "in another spelling" in found.reason


def test_a_setting_in_another_spelling_says_which_address_it_is() -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.1 in another spelling"):
        Policy(["0x7f.1:8080"])


@given(some.text(max_size=40))
def test_whatever_is_written_is_a_url_or_refused_in_our_words(text: str) -> None:
    for url in (text, f"http://{text}", f"http://example.com/{text}", f"http://[{text}]/"):
        try:
            once = document_url(url)
        except FetchFailed:
            continue
        assert document_url(once) == once
        assert once.isascii() and "@" not in once.split("/")[2] and "#" not in once
