"""Tables and lists that are written as HTML in Markdown: what the reader of HTML makes of them."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.alignment import aligned
from wekadocs_corpus.documents.conversion.lines import Lines
from wekadocs_corpus.documents.html import read_html

from . import shortcodes

_OPENS = re.compile(r"<(table|dl|ul|ol|pre|script|style|svg|iframe)\b", re.I)
_GONE = frozenset({"script", "style", "svg", "iframe"})
_SELF = re.compile(r"\[([^\[\]]*)\]\(#[^()\s]*\)(?=[^\n]*: )")  # a term that links to itself
_MOST_LINES = 3000


def html_block(lines: Lines, at: int, bare: str, unclosed: set[str]) -> tuple[list[tuple[str, int, bool]], int] | None:
    """Its lines as Markdown (and whether they are code), and the line after it; None where it never ends."""
    found = _OPENS.match(bare)
    if not found:
        return None
    name = found[1].lower()
    end = _end(lines, at, name, unclosed)
    if not end:
        return None
    if name in _GONE:
        return [("", lines[at][1], False)], end
    own = lines[at:end]
    rest = _after(own, name)
    inside = "\n".join(words for words, _ in own)
    if rest:
        inside = inside[: len(inside) - len(rest)]
    text = read_html(shortcodes.within(inside)).text.rstrip("\n")
    if not text.strip():
        return None
    shown = (_SELF.sub(r"\1", text) if name == "dl" else text).split("\n")
    places = aligned(shown, [words for words, _ in own])
    out = [("", own[0][1], False)]
    out += [(words, own[place][1], True) for words, place in zip(shown, places, strict=True)]
    return [*out, ("", own[-1][1], False), *([(rest, own[-1][1], False)] if rest.strip() else [])], end


def commented(lines: Lines, at: int, bare: str, unclosed: set[str]) -> int:
    """The line in which a comment ends that has a fence in it, or 0: what fences hold is not looked into later."""
    closing = {"<!--": "-->", "{/*": "*/}"}.get(bare[:4] if bare[0] == "<" else bare[:3], "")
    if not closing or closing in bare or closing in unclosed:
        return 0
    fenced = False
    for end in range(at + 1, min(len(lines), at + _MOST_LINES)):
        words = lines[end][0]
        if closing in words:
            return end if fenced else 0
        fenced = fenced or words.lstrip(" \t>").startswith(("```", "~~~"))
    unclosed.add(closing)
    return 0


def _end(lines: Lines, at: int, name: str, unclosed: set[str]) -> int:
    """The line after the one in which as many are closed as were opened."""
    if name in unclosed:
        return 0
    opening, closing, depth = re.compile(rf"<{name}\b", re.I), re.compile(rf"</{name}\s*>", re.I), 0
    for end in range(at, min(len(lines), at + _MOST_LINES)):
        words = lines[end][0]
        if "<" in words:
            depth += len(opening.findall(words)) - len(closing.findall(words))
            if depth <= 0:
                return end + 1
    unclosed.add(name)
    return 0


def _after(own: Lines, name: str) -> str:
    """What stands behind the closing tag in its line."""
    last = own[-1][0]
    at = last.lower().rfind(f"</{name}")
    close = last.find(">", at) if at >= 0 else -1
    return last[close + 1 :] if close >= 0 else ""
