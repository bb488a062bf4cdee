"""Over TLS: whom we trust, by which protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tls_site import BODY, TlsSite, authority


@pytest.mark.parametrize("protocols", [("h2", "http/1.1"), ("http/1.1",)])
def test_http_2_is_spoken_where_the_server_has_it(reading: Any, tmp_path: Path, protocols: tuple[str, ...]) -> None:
    both, alone = authority(tmp_path)
    with TlsSite(both, protocols) as safe:
        reading.settings.update(ca_file=str(alone), allow_hosts=[safe.place], robots=False)
        assert reading.page(f"https://{safe.place}/a").body == BODY
        assert safe.spoken == [protocols[0]]


def test_many_pages_of_one_host_share_a_connection(reading: Any, tmp_path: Path) -> None:
    both, alone = authority(tmp_path)

    async def main(place: str) -> None:
        async with reading.fetcher() as fetcher:
            await fetcher.fetch(f"https://{place}/first")
            await asyncio.gather(*(fetcher.fetch(f"https://{place}/{number}") for number in range(20)))

    with TlsSite(both) as safe:
        reading.settings.update(ca_file=str(alone), allow_hosts=[safe.place], robots=False)
        asyncio.run(main(safe.place))
        assert (safe.spoken, len(safe.asked)) == (["h2"], 21)


def test_an_authority_may_come_from_the_environment(
    reading: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, alone = authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(alone))
    with TlsSite(both) as safe:
        reading.settings.update(allow_hosts=[safe.place])
        assert reading.page(f"https://{safe.place}/a").status == 200


@pytest.mark.parametrize("name", ["127.0.0.1", "other.example"])
def test_whoever_is_not_trusted_or_is_another_is_not_read(reading: Any, tmp_path: Path, name: str) -> None:
    both, alone = authority(tmp_path, name)
    with TlsSite(both) as safe:
        trusted = {"ca_file": str(alone)} if name == "other.example" else {}
        reading.settings.update(allow_hosts=[safe.place], **trusted)
        found = reading.failure(f"https://{safe.place}/a")
        assert (found.code, found.reason) == ("TLS_FAILED", "its certificate is not one that is trusted here")
        assert safe.asked == []
