"""By a proxy of the environment: tunnels to sites over TLS, what the proxy refuses, what is no proxy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tls_site import BODY, TlsSite, authority
from tunnel import Tunnel

NAME = "docs.example"
PAGE = f"https://{NAME}/guide"


@pytest.fixture
def safe(tmp_path: Path, reading: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[TlsSite]:
    """A site over TLS that only a proxy can lead to, of an authority that the environment names."""
    both, alone = authority(tmp_path, NAME)
    monkeypatch.setenv("SSL_CERT_FILE", str(alone))
    reading.settings.update(trust_proxy=True, robots=False, allow_hosts=[])
    with TlsSite(both) as running:
        yield running


def test_a_site_over_tls_is_reached_by_a_tunnel(
    reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch, connected: Callable[[], list[Any]]
) -> None:
    with Tunnel({f"{NAME}:443": safe.place}, password="ada:secret") as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://ada:secret@{tunnel.place}")
        before = len(connected())
        first, second = reading.run(PAGE, f"https://{NAME}/other")
        ours = [place for place in connected()[before:] if f"{place[0]}:{place[1]}" != safe.place]
    assert (first.body, second.body) == (BODY, BODY)
    assert safe.asked == ["/guide", "/other"] and safe.spoken == ["h2"]
    assert tunnel.asked == [f"CONNECT {NAME}:443 HTTP/1.1"]
    assert {f"{host}:{port}" for host, port, *_ in ours} == {tunnel.place}


def test_what_the_proxy_is_told_is_not_told_to_the_site(
    reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tunnel({f"{NAME}:443": safe.place}) as tunnel:
        monkeypatch.setenv("ALL_PROXY", f"http://ada:secret@{tunnel.place}")
        reading.page("https://user:word@docs.example/guide")
    assert "user:word" not in "".join((*tunnel.asked, *tunnel.told))
    assert "User-Agent" not in tunnel.told[0] and "/guide" not in tunnel.told[0]


def test_a_site_that_is_another_is_not_read_by_a_tunnel_either(
    reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tunnel({"else.example:443": safe.place}) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{tunnel.place}")
        assert reading.failure("https://else.example/").code == "TLS_FAILED"
    assert safe.asked == []


@pytest.mark.parametrize("password", ["", "ada:other"])
def test_what_the_proxy_refuses_is_told_as_that(
    reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    with Tunnel({}, password) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://ada:secret@{tunnel.place}")
        found = reading.failure(PAGE)
    assert (found.code, found.reason) == ("CONNECTION_FAILED", "the proxy refuses it")
    assert "secret" not in str(found)


def test_a_proxy_that_is_down_is_told_as_that(reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    assert reading.failure(PAGE).reason == "the proxy that the environment names takes no connection"


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "ftp://127.0.0.1:1", "http://", "http://[::1"])
def test_a_proxy_that_is_none_is_told_and_nothing_is_asked(
    reading: Any, monkeypatch: pytest.MonkeyPatch, connected: Callable[[], list[Any]], proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    reading.settings["trust_proxy"] = True
    assert reading.failure(PAGE).code == "PROXY_NOT_USABLE"
    assert connected() == []


def test_what_is_private_gets_no_tunnel(
    reading: Any, safe: TlsSite, monkeypatch: pytest.MonkeyPatch, connected: Callable[[], list[Any]]
) -> None:
    with Tunnel({"10.0.0.1:443": safe.place}) as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{tunnel.place}")
        before = len(connected())
        assert reading.failure("https://10.0.0.1/").code == "URL_REFUSED"
        assert connected()[before:] == [] and tunnel.asked == []


def test_a_page_that_came_by_a_proxy_is_kept_while_it_is_trusted(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", reading.site.place)
    reading.settings.update(trust_proxy=True, robots=False)
    first, second = reading.run("http://example.com/max-age", "http://example.com/max-age")
    assert (first.from_cache, second.from_cache) == (False, True)
    reading.settings["trust_proxy"] = False
    assert reading.failure("http://example.com/max-age").code == "PROXY_NOT_TRUSTED"


def test_certificates_of_the_environment_that_are_none_say_so(
    reading: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    found = reading.failure("/plain.txt")
    assert (found.code, "SSL_CERT_FILE" in found.reason) == ("TLS_FAILED", True)
