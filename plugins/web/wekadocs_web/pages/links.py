"""Where a page leads: each link with its words and the sentence around it, those of menus after those of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .addresses import absolute, page_of
from .references import in_their_place, outside_code

MOST = 2000  # of one page
FRAME = "\N{TWO JOINED SQUARES}"  # instead of a link's words: the page shows this one within itself, as menus are
INDEX = "\N{LEFT-POINTING MAGNIFYING GLASS}"  # the same for the index of its site's own search
_LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]\\]|\\.|!\[[^\[\]]{0,300}\]\([^()\s]{0,2000}\)){1,500})\]\((https?://[^\s()]{1,2000})\)"
)
_RELATIVE = re.compile(
    r"\]\(<?(?!https?://)([^\s()<>#:]{1,2000}(?:#[^\s()<>]{0,500})?)>?(?:[ \t]+[\"'][^\n\"']{0,300}[\"'])?\)"
)
IMAGE = re.compile(
    r"!\[([^\[\]]{0,400})\]\((https?://[^\s()]{1,2000})\)(?:\]\([^()\s]{1,2000}\))?(?:\n\*([^\n]{1,1000})\*)?"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"”\u2019)\]*]*\s+(?=[A-Z\[*`“\"(\u00c0-\uffff])|\n{2,}|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])\s|\|)"
)
_SPACE = re.compile(r"\s+")
_MARKS = re.compile(r"[*`|]+|^\s*(?:[-+]|\d{1,9}[.)])\s+|\\(?=[\[\]])")
_LONGEST = 400  # letters of a sentence that are kept


class Link(NamedTuple):
    """`sentence` is empty for a link of a menu."""

    target: str
    text: str
    sentence: str


def links_of(text: str, own: str, menus: Iterable[tuple[str, str]] = ()) -> tuple[Link, ...]:
    """Each page that is linked to once, with the words that say most about it; never the page itself."""
    found: dict[str, Link] = {}
    for target, words, sentence in _in_text(text):
        page = page_of(target)
        if page != page_of(own) and len(found) < MOST:
            known = found.get(page)
            if known is None or len(words) > len(known.text):
                found[page] = Link(
                    page, words, sentence if known is None else f"{known.sentence} {sentence}"[:_LONGEST]
                )
    for target, words in menus:
        if target != page_of(own) and len(found) < MOST:
            found.setdefault(target, Link(target, words, ""))
    return tuple(found.values())


def with_whole_addresses(markdown: str, own: str) -> str:
    """Links as they lead on: Markdown names its neighbours by their files."""

    def lead_on(text: str) -> str:
        return _RELATIVE.sub(lambda found: f"]({absolute(own, found[1]) or found[1]})", text)

    return outside_code(in_their_place(markdown), lead_on)


def bare(markdown: str) -> str:
    """What a reader of a sentence sees: links and pictures by their words, no marks."""
    words = IMAGE.sub(lambda found: found[1], _LINK.sub(lambda found: found[1], markdown))
    return _SPACE.sub(" ", _MARKS.sub("", words)).strip()


def _in_text(text: str) -> Iterator[tuple[str, str, str]]:
    start = 0
    while start < len(text):
        ended = _SENTENCE_END.search(text, start)
        end = ended.start() if ended else len(text)
        sentence = text[start:end]
        if "](http" in sentence:
            said = bare(sentence)[:_LONGEST]
            for link in _LINK.finditer(sentence):
                yield link[2], bare(link[1])[:300], said
        start = ended.end() if ended and ended.end() > start else end + 1
