"""A URL as it is asked for, taken apart once and written one way: what we check is what we connect to.

Two URLs that are written the same by `document_url` are one document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from wekadocs_text import one_line

from .fetched import FetchFailed
from .guard.spellings import BadHost, OddSpelling, as_address, plain_host

_MOST = 4096
_PORTS = {"http": 80, "https": 443}
# Spaces and control letters inside are how one reader is led to another host than the next.
_ODD = re.compile(r"[\x00-\x20\x7f\\]")
_PLACE = re.compile(r"[^/?#]*")
_EDGES = "".join(map(chr, range(0x21)))
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_KEPT = "!$&'()*+,;=:@/%-._~"


@dataclass(frozen=True)
class WebUrl:
    """Without user, password and fragment."""

    scheme: str
    host: str  # in small ASCII letters; an address as addresses are written, IPv6 without brackets
    port: int
    path: str
    query: str | None = None

    @classmethod
    def of(cls, url: str, base: WebUrl | None = None) -> WebUrl:
        """FetchFailed where it is none of ours."""
        text = url.strip(_EDGES)
        if len(text) > _MOST:
            raise FetchFailed(text[:80] + "…", "URL_INVALID", f"the URL is longer than {_MOST} characters")
        if _ODD.search(text):
            raise FetchFailed(_shown(text), "URL_INVALID", "the URL has spaces, control letters or backslashes in it")
        return cls._parsed(text, base)

    @classmethod
    def _parsed(cls, text: str, base: WebUrl | None) -> WebUrl:
        try:
            text = urljoin(str(base), text) if base else text
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise FetchFailed(_shown(text), "URL_INVALID", "the URL cannot be read") from None
        if parts.scheme not in _PORTS:
            what = f"{parts.scheme}: is not fetched" if parts.scheme else "the URL has no scheme"
            raise FetchFailed(_shown(text), "URL_INVALID", f"{what}; only http:// and https:// are")
        try:
            host = plain_host(_host(parts))
        except BadHost as error:
            code = "URL_REFUSED" if isinstance(error, OddSpelling) else "URL_INVALID"
            raise FetchFailed(_shown(text), code, str(error)) from None
        if port == 0:
            raise FetchFailed(_shown(text), "URL_INVALID", "there is no port 0")
        query = _written(parts.query, "?") if "?" in text.partition("#")[0] else None
        return cls(parts.scheme, host, port or _PORTS[parts.scheme], _path(parts.path), query or None)

    @property
    def origin(self) -> str:
        """Scheme, host and port: whose robots.txt counts."""
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.bracketed_host}{port}"

    @property
    def bracketed_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def target(self) -> str:
        """Path and query, as they are asked for."""
        return self.path if self.query is None else f"{self.path}?{self.query}"

    @cached_property
    def address(self) -> IPv4Address | IPv6Address | None:
        """Where the host is an address and no name."""
        return as_address(self.host)

    def join(self, reference: str) -> WebUrl:
        return WebUrl.of(reference, self)

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"


def document_url(url: str) -> str:
    """What a document is called: `page#x` and `page`, `HTTP://Host:80/a/../b` and `http://host/b` are one."""
    return str(WebUrl.of(url))


def shown_url(url: str) -> str:
    """As somebody wrote it, for messages: in one line, without user and password."""
    scheme, slashes, rest = url.partition("//")
    place = _PLACE.match(rest)
    end = place.end() if place else 0
    return one_line(scheme + slashes + rest[:end].rpartition("@")[2] + rest[end:])


def _host(parts: SplitResult) -> str:
    """As it is written, user and port aside; `hostname` would lower and cut what we want to look at."""
    place = parts.netloc.rpartition("@")[2]
    if place.startswith("["):
        inside, closed, after = place[1:].partition("]")
        if not closed or (after and not after.startswith(":")):
            raise BadHost("the brackets of its host do not match")
        return f"[{inside}]"
    return place.partition(":")[0]


def _path(path: str) -> str:
    """Dots gone, escapes written one way."""
    parts: list[str] = []
    steps = _written(path or "/", "").split("/")[1:]
    for place, step in enumerate(steps):
        if step in (".", ".."):
            if step == ".." and parts:
                parts.pop()
            if place == len(steps) - 1:
                parts.append("")
        else:
            parts.append(step)
    return "/" + "/".join(parts)


def _written(text: str, more: str) -> str:
    """Percent escapes in capitals, none for letters that need none, all for those that do."""
    once = _ESCAPE.sub(_escape, text)
    return quote(once, safe=_KEPT + more)


def _escape(match: re.Match[str]) -> str:
    letter = chr(int(match[1], 16))
    return letter if letter in _UNRESERVED else f"%{match[1].upper()}"


def _shown(text: str) -> str:
    """The same, short, with its letters instead of their escapes."""
    return one_line(unquote(shown_url(text)))[:200]
