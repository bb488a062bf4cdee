"""Quotations in a text, each with the citation that follows it: [@key, p. 45], @key [p. 45], (key, pp. 45-46),
\\cite[45]{key}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = re.compile(r"\u201c([^\u201c\u201d]{3,4000})\u201d|\u00ab([^\u00ab\u00bb]{3,4000})\u00bb|\"([^\"]{3,4000})\"")
_KEY = r"(?P<{0}>[^\s\[\]{{}}(),;@]+)"
_PAGE = r"(?:\d{{1,6}}|[ivxlcdm]{{1,15}})(?!\w)"
_PAGES = r"(?:pp?\.?|pages?|S\.)?\s*(?P<{0}>" + _PAGE + r")(?:\s*[-\u2013\u2014]+\s*(?P<{1}>" + _PAGE + r"))?"
_CITED = re.compile(
    r"\[[^\[\]@]*@" + _KEY.format("pandoc") + r"(?:,\s*" + _PAGES.format("a1", "a2") + r")?[^\]]*\]"
    r"|\\\w*cite\w*(?:\[[^\]]*\](?=\[))?(?:\[" + _PAGES.format("b1", "b2") + r"[^\]]*\])?"
    r"\{" + _KEY.format("latex") + r"[^}]*\}"
    r"|[\[(]" + _KEY.format("plain") + r",\s*" + _PAGES.format("c1", "c2") + r"[\])]"
    r"|(?<!\w)@" + _KEY.format("spoken") + r"\s*\[" + _PAGES.format("d1", "d2") + r"[^\]]*\]"
)
_KEYS, _FIRST, _LAST = ("pandoc", "latex", "plain", "spoken"), ("a1", "b1", "c1", "d1"), ("a2", "b2", "c2", "d2")
_APART = 200  # characters between a quotation and its citation, at most
_LEAST_WORDS = 3  # fewer are a term in quotation marks


@dataclass(frozen=True)
class Quotation:
    """`pages` where both are numbers; `labels` as they were written."""

    quote: str
    citekey: str | None = None
    pages: tuple[int, int] | None = None
    start: int | None = None
    labels: tuple[str, str] | None = None


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
    key, first, last = (next((given[name] for name in names if given[name]), None) for names in (_KEYS, _FIRST, _LAST))
    labels = (first, last or first) if first else None
    pages = (int(labels[0]), int(labels[1])) if labels and all(map(str.isdecimal, labels)) else None
    return Quotation(quote, key, pages, start, labels)
