"""A note as a search takes it in: its title with aliases and tags, then its text in pieces that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..vault import Note
from ..vault.code import Code

if TYPE_CHECKING:
    from wekadocs_corpus import Embedder, NewChunk

_LONGEST = 1200  # characters of a piece
_MOST = 2000  # pieces of a note
_LONGEST_ABOUT = 4000  # characters of title, aliases and tags
_MOST_ABOVE = 500  # characters of the headings that a piece stands under
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+([^\n]*)$", re.M)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
# What no reader of the note sees: comments of HTML, and of Obsidian in a line or a block.
_COMMENT = re.compile(r"<!--|^%%[ \t]*\r?$.*?^%%[ \t]*\r?$|%%[^\n]*?%%", re.S | re.M)
_OPENING, _CLOSING = "<!--", "-->"
_NO_LINE_END = re.compile(r"[^\n]")
_LINK = re.compile(r"\[\[([^\[\]\n|]*)(?:\|([^\[\]\n]*))?\]\]")


class Passage(NamedTuple):
    text: str  # what is searched
    start: int  # of the note's content; -1 for what the file says of itself
    end: int


def passages(note: Note) -> list[Passage]:
    about = " ".join((note.title, *note.aliases, *note.tags))
    return [Passage(about[:_LONGEST_ABOUT], -1, -1), *_pieces(note.content)][:_MOST]


def prepared(notes: Sequence[Note], embedder: Embedder) -> list[NewChunk]:
    """For the collection; `payload` says where in its note each piece stands."""
    from wekadocs_corpus import NewChunk, embedded, words_of

    found = [(note.id, number, each) for note in notes for number, each in enumerate(passages(note))]
    texts = [each.text for _, _, each in found]
    made = zip(found, embedded(embedder, texts), words_of(texts), strict=True)
    return [
        NewChunk(f"{id}\n{number}", id, each.text, None, {"start": each.start, "end": each.end}, (), vector, terms)
        for (id, number, each), vector, terms in made
    ]


def _pieces(content: str) -> Iterator[Passage]:
    """Sections cut where they are too long, each below the headings it stands under."""
    above: dict[int, str] = {}
    code = Code(content)
    content = _shown(content, code)
    heads = [head for head in _HEADING.finditer(content) if not code.has(head.start())]
    starts = [0, *(head.start() for head in heads)]
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(content)
        if place:
            head = heads[place - 1]
            above = {level: title for level, title in above.items() if level < len(head[1])}
            over = " ".join(above.values())[:_MOST_ABOVE]
            above[len(head[1])] = _plain(head[2].rstrip(" \t#"))
        else:
            over = ""
        yield from _cut(content, start, end, over)


def _shown(content: str, code: Code) -> str:
    """Blank where it is a comment, so that places stay."""
    if _OPENING not in content and "%%" not in content:
        return content
    parts, end = [], 0
    for start, after in _comments(content):
        if not code.has(start):
            parts += [content[end:start], _NO_LINE_END.sub(" ", content[start:after])]
            end = after
    return "".join([*parts, content[end:]])


def _comments(content: str) -> Iterator[tuple[int, int]]:
    last = content.rfind(_CLOSING)  # behind it none is closed, and none is looked for
    place = 0
    while found := _COMMENT.search(content, place):
        place = found.end()
        if found[0] != _OPENING:
            yield found.span()
        elif place <= last:
            place = content.find(_CLOSING, place) + len(_CLOSING)
            yield found.start(), place


def _cut(content: str, start: int, end: int, over: str) -> Iterator[Passage]:
    for begin, after in _spans(content, start, end):
        text = _plain(content[begin:after]).strip()
        if text:
            yield Passage(f"{over}\n{text}" if over else text, begin, after)


def _spans(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """As many paragraphs as fit; a longer one is cut between words."""
    while end - start > _LONGEST:
        limit = start + _LONGEST
        gaps = [gap.end() for gap in _PARAGRAPH.finditer(content, start + 1, limit)]
        cut = gaps[-1] if gaps and gaps[-1] > start + _LONGEST // 4 else _between_words(content, start, limit)
        yield start, cut
        start = cut
    yield start, end


def _between_words(content: str, start: int, limit: int) -> int:
    for mark in (". ", "\n", " "):
        at = content.rfind(mark, start + _LONGEST // 2, limit)
        if at >= 0:
            return at + len(mark)
    return limit


def _plain(text: str) -> str:
    """Links as they are read."""
    return _LINK.sub(lambda link: link[2] or link[1], text) if "[[" in text else text
