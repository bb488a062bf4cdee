"""What kind of thing an answer is, and whether anybody here reads such."""

from __future__ import annotations

from collections.abc import Collection

import httpx

_UNTOLD = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/x-download", "unknown/unknown"}
)
_LOOKED_AT = 1024
HTML = frozenset({"text/html", "application/xhtml+xml"})
READ = HTML | frozenset(
    {
        "text/plain",
        "text/markdown",
        "text/x-markdown",
        "text/x-rst",
        "text/asciidoc",
        "application/pdf",
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
        "application/rdf+xml",
        "application/xml",
        "text/xml",
    }
)


def told(response: httpx.Response) -> tuple[str, str | None]:
    """Type and charset as the server says them."""
    kind, *parameters = response.headers.get("Content-Type", "").split(";")
    said = dict(part.strip().lower().partition("=")[::2] for part in parameters)
    return kind.strip().lower(), said.get("charset", "").strip("\"' ") or None


def refused(kind: str, wanted: Collection[str]) -> bool:
    """Before the bytes are there: what the server does not say is looked at."""
    return kind not in _UNTOLD and kind not in wanted


def of(kind: str, body: bytes) -> str:
    """The type, looked up in the bytes where the server says none."""
    if kind not in _UNTOLD:
        return kind
    start = body[:_LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    small = start[:200].lower()
    if small.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--")):
        return "text/html"
    if small.startswith(b"<?xml"):
        return "application/xhtml+xml" if b"<html" in start.lower() else "application/xml"
    return "application/octet-stream" if b"\0" in body[:_LOOKED_AT] else "text/plain"


def is_text(kind: str) -> bool:
    return kind.startswith("text/") or kind.endswith(("+xml", "/xml", "json"))
