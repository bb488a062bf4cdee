"""Every packing that is offered to servers is unpacked, and none of them can flood us."""

from __future__ import annotations

import gzip
import importlib
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import brotli
import pytest
from web_site import BOMB, Reply, page

from wekadocs_fetch import packing

try:
    from compression import zstd  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    from backports import zstd  # type: ignore[no-redef, unused-ignore]

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}
BODY = page("Packed", "".join(f"<p>Line {number} of it.</p>" for number in range(20_000))).data


def _packed(body: bytes, *codings: str) -> Reply:
    return Reply(body, headers={"Content-Type": "text/html; charset=utf-8", "Content-Encoding": ", ".join(codings)})


@pytest.fixture
def without_extras(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def missing(name: str) -> Any:
        raise ImportError(name)

    packing.ways.cache_clear()
    monkeypatch.setattr(packing, "import_module", missing)
    yield
    monkeypatch.undo()
    packing.ways.cache_clear()


@pytest.mark.parametrize("coding", PACK)
def test_a_page_is_unpacked_whichever_way_it_came(reading: Any, coding: str) -> None:
    reading.site.replies["/packed"] = _packed(PACK[coding](BODY), coding)
    assert reading.page("/packed").body == BODY
    offered = next(headers["accept-encoding"] for _, path, headers in reading.site.asked if path == "/packed")
    assert offered == "gzip, deflate, br, zstd"


@pytest.mark.parametrize("coding", PACK)
def test_a_bomb_of_any_kind_is_not_unpacked(reading: Any, coding: str) -> None:
    reading.site.replies["/bomb"] = _packed(PACK[coding](bytes(BOMB)), coding)
    reading.settings["max_decompressed_bytes"] = 1 << 20
    tracemalloc.start()
    found = reading.failure("/bomb")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.code, found.reason) == ("TOO_LARGE", "it has more than 1,048,576 unpacked bytes")
    assert most < BOMB / 4


@pytest.mark.parametrize("coding", PACK)
@pytest.mark.parametrize("how", ["broken", "short"])
def test_what_is_not_what_it_is_called_is_refused(reading: Any, coding: str, how: str) -> None:
    whole = PACK[coding](BODY)
    reading.site.replies["/bad"] = _packed(whole[:-9] if how == "short" else b"\xff\x00nonsense" * 9, coding)
    assert reading.failure("/bad").code == "BAD_ENCODING"


def test_packings_on_top_of_each_other_come_off_in_their_order(reading: Any) -> None:
    reading.site.replies["/twice"] = _packed(zstd.compress(brotli.compress(BODY)), "br", "zstd")
    assert reading.page("/twice").body == BODY


@pytest.mark.parametrize(("coding", "most"), [("gzip", 1000), ("zstd", 1000)])
def test_members_that_follow_each_other_are_read_up_to_a_number(reading: Any, coding: str, most: int) -> None:
    one = PACK[coding](b"<p>one</p>")
    reading.site.replies["/few"] = _packed(one * 3, coding)
    reading.site.replies["/many"] = _packed(PACK[coding](b"") * (most + 1), coding)
    assert reading.page("/few").body == b"<p>one</p>" * 3
    assert reading.failure("/many").code == "BAD_ENCODING"


def test_a_window_that_takes_too_much_memory_is_refused(reading: Any) -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.content_size_flag: 0}
    packer = zstd.ZstdCompressor(options=options)
    reading.site.replies["/wide"] = _packed(packer.compress(BODY) + packer.flush(), "zstd")
    assert reading.failure("/wide").code == "BAD_ENCODING"


@pytest.mark.usefixtures("without_extras")
def test_what_cannot_be_unpacked_here_is_not_offered(reading: Any) -> None:
    reading.site.replies["/packed"] = _packed(brotli.compress(BODY), "br")
    assert reading.failure("/packed").reason == "it is packed in a way that was not asked for"
    assert {headers["accept-encoding"] for *_, headers in reading.site.asked} == {"gzip, deflate"}


@pytest.mark.usefixtures("without_extras")
def test_a_brotli_that_cannot_be_bounded_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        class Decompressor:
            def process(self, data: bytes) -> bytes:
                return data

    monkeypatch.setattr(
        packing, "import_module", lambda name: Old if name == "brotli" else importlib.import_module("_")
    )
    assert packing.offered() == "gzip, deflate"
