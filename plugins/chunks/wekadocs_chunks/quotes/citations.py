"""Quotations in a text, each with the citation that follows it: [@key, p. 45], (key, pp. 45-46), \\cite[45]{key}."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = re.compile(r"\u201c([^\u201c\u201d]{3,4000})\u201d|\u00ab([^\u00ab\u00bb]{3,4000})\u00bb|\"([^\"]{3,4000})\"")
_KEY = r"(?P<{0}>[^\s\[\]{{}}(),;@]+)"
_PAGES = r"(?:pp?\.?|pages?|S\.)?\s*(?P<{0}>\d{{1,6}})(?:\s*[-\u2013\u2014]\s*(?P<{1}>\d{{1,6}}))?"
_CITED = re.compile(
    r"\[-?@" + _KEY.format("pandoc") + r"(?:,\s*" + _PAGES.format("a1", "a2") + r")?[^\]]*\]"
    r"|\\\w*cite\w*(?:\[" + _PAGES.format("b1", "b2") + r"[^\]]*\])?\{" + _KEY.format("latex") + r"[^}]*\}"
    r"|[\[(]" + _KEY.format("plain") + r",\s*" + _PAGES.format("c1", "c2") + r"[\])]"
)
_APART = 200  # characters between a quotation and its citation, at most
_LEAST_WORDS = 3  # fewer are a term in quotation marks


@dataclass(frozen=True)
class Quotation:
    quote: str
    citekey: str | None = None
    pages: tuple[int, int] | None = None
    start: int | None = None


def quotations(text: str) -> Iterator[Quotation]:
    """In their order; the citation is the next one before another quotation or the end of the paragraph."""
    found = [each for each in _QUOTED.finditer(text) if len(_inside(each).split()) >= _LEAST_WORDS]
    for number, each in enumerate(found):
        following = found[number + 1].start() if number + 1 < len(found) else len(text)
        paragraph = text.find("\n\n", each.end())
        end = min(following, each.end() + _APART, paragraph if paragraph >= 0 else len(text))
        yield _cited(_inside(each), each.start(), _CITED.search(text, each.end(), end))


def _inside(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None)


def _cited(quote: str, start: int, citation: re.Match[str] | None) -> Quotation:
    if citation is None:
        return Quotation(quote, start=start)
    given = citation.groupdict()
    first = given["a1"] or given["b1"] or given["c1"]
    last = given["a2"] or given["b2"] or given["c2"] or first
    pages = (int(first), int(last)) if first else None
    return Quotation(quote, given["pandoc"] or given["latex"] or given["plain"], pages, start)
