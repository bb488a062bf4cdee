"""Pages that a site lists itself: sitemaps (XML, packed or as plain text) and llms.txt."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

_MOST_BYTES = 50 << 20  # by sitemaps.org
_LOC = re.compile(r"<(?:\w{1,20}:)?loc>([^<\]]{0,5000}(?:<!\[CDATA\[[^<\]]{1,5000})?)", re.I)
_INDEX = re.compile(r"<(?:\w+:)?sitemapindex\b", re.I)
_SET = re.compile(r"<(?:\w+:)?urlset\b", re.I)
_LINK = re.compile(r"\[[^\]\n]{0,500}\]\(\s{0,9}<?([^\s)>]{1,4000}+)")
_OPTIONAL = re.compile(r"^##\s+optional\s*$", re.I | re.M)
KINDS = frozenset({"application/xml", "text/xml", "text/plain", "application/gzip", "application/x-gzip"})


@dataclass(frozen=True)
class Listed:
    """What a list has: pages, or further lists."""

    urls: tuple[str, ...]
    of_lists: bool = False


def is_sitemap(text: str) -> bool:
    return bool(_SET.search(text[:4096]) or _INDEX.search(text[:4096]))


def read_sitemap(text: str) -> Listed:
    said = (each[1].rpartition("<![CDATA[")[2].strip() for each in _LOC.finditer(text))
    urls = tuple(dict.fromkeys(unescape(each) for each in said if each))
    return Listed(urls, of_lists=bool(_INDEX.search(text[:4096])))


def unpacked(body: bytes) -> bytes:
    """`sitemap.xml.gz`, up to what a sitemap may have."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _MOST_BYTES)
    except (zlib.error, gzip.BadGzipFile):
        return b""


def read_llms_txt(text: str) -> Iterator[str]:
    """Its links, those that it calls optional last (https://llmstxt.org)."""
    needed, *optional = _OPTIONAL.split(text, maxsplit=1)
    for part in (needed, *optional):
        yield from (each[1] for each in _LINK.finditer(part))


def is_llms_txt(path: str) -> bool:
    return path.rpartition("/")[2].lower() in ("llms.txt", "llms-full.txt")
