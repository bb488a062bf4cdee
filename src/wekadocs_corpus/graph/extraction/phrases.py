"""Names in prose: capitalised phrases, and what is quoted or emphasised; candidates for another document's title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .names import concept_key, says_something, words

# Python's patterns know no class of capitals; these are all that have a small form below U+2000.
_CAPITAL = "".join(re.escape(chr(code)) for code in range(0x2000) if chr(code).isupper())
_WORD = rf"(?:[{_CAPITAL}]\w{{0,40}}(?:['’&.+-]\w{{1,40}}){{0,3}}|\d{{1,4}}\w{{0,3}})"  # noqa: RUF001
_LINK_WORDS = "of|the|and|de|for|in|la|von|van|du|del|to|on|with"
_GAP = r"(?: |\n|-| & |' |(?<=\b\w)\. )"  # the last: initials
# The first character stands before its look-behind, so that the engine can leap to it. A year may come first.
_FIRST = rf"[{_CAPITAL}\d](?<!\w.)(?:(?<=[{_CAPITAL}])\w{{0,40}}(?:['’&.+-]\w{{1,40}}){{0,3}}|\d{{3}}(?= [{_CAPITAL}]))"  # noqa: RUF001
_RUN = re.compile(rf"{_FIRST}(?:{_GAP}(?:(?:{_LINK_WORDS}){_GAP}){{0,2}}{_WORD}){{0,11}}")
_TOKEN = re.compile(r"\w[\w'’&.+-]*")  # noqa: RUF001
_POSSESSIVE = re.compile(r"['’]s?$")  # noqa: RUF001
_MARKED = re.compile(r"[*“\"](?:(?<=\*)\*([^*\n\0]{3,80})\*\*|(?<!\*)([^“”\"\n\0]{3,80})[”\"])")
_CONNECTORS = frozenset(_LINK_WORDS.split("|"))
# Words that begin sentences: capitalised there, names nowhere.
_OPENERS = words(
    """a about above according additionally after all also although an and another any are as at because before
    besides between both but by can check choose click contact copy currently do does during each either enter even
    every existing few find finally first follow following for from further furthermore given has have he her here
    high his how however i if in instead is it its just last later like made make many may more most moreover much must
    my named never no not note now of often on once one only open optional or originally other others our over please
    press run save second see select set several she should similarly since so some specify still such than that the
    their them then there therefore these they this those though three through thus to today two type under unless
    unlike until up upon use used using usually verify very was we were what when where whether which while who whose
    why will with within without you your january february march april may june july august september october november
    december monday tuesday wednesday thursday friday saturday sunday"""
)
_LONGEST_PART = 6


def phrases(prose: str) -> Iterator[tuple[str, int, int]]:
    """Concept key, start and end of each name; parts of a longer phrase follow it."""
    previous, before, listed = 0, -9, False
    for match in _RUN.finditer(prose):
        start, end = match.span()
        run = match[0]
        if run.isalpha() and not run.isupper() and _opens_a_sentence(prose, start):
            continue  # any word is capitalised there
        for key, first, last in _names(run):
            yield key, start + first, start + last
        # "Laie, Hawaii" is one name; "Laie, Hilo, Kona" is a list.
        joined = before == start - 2 and prose.startswith(", ", before)
        if joined and not listed:
            yield from _pair(prose, previous, start, end)
        previous, before, listed = start, end, joined
    for match in _MARKED.finditer(prose):
        span = match.span(1) if match[1] else match.span(2)
        key = concept_key(prose[slice(*span)])
        if _worth(key):
            yield key, *span


def _opens_a_sentence(prose: str, start: int) -> bool:
    if start > 1 and prose[start - 1] == " " and prose[start - 2].isalnum():
        return False  # by far the most
    before = prose[max(0, start - 4) : start].rstrip(" ")
    if before.endswith("\n"):  # a line may break within a sentence
        before = before[:-1].rstrip(" ") or "."
    return not before or before[-1] in ".!?:;*-+#>|=\n\0"


def _pair(prose: str, first: int, second: int, end: int) -> Iterator[tuple[str, int, int]]:
    key = concept_key(_POSSESSIVE.sub("", prose[first:end]))
    if key.count(" ") < _LONGEST_PART and second - first < 60 and _worth(key):
        yield key, first, end


@lru_cache(maxsize=8192)
def _names(run: str) -> tuple[tuple[str, int, int], ...]:
    """A whole run, its parts of two words and more, and single words that stand between connectors."""
    if run.isalnum():
        key = run.casefold()
        return () if key in _OPENERS or not _worth(key) else ((key, 0, len(run)),)
    tokens = [(token[0], token.start(), token.end()) for token in _TOKEN.finditer(run)]
    found: dict[str, tuple[int, int]] = {}
    for first in range(len(tokens)):
        for last in range(min(first + _LONGEST_PART, len(tokens)) - 1, first - 1, -1):
            if _is_name(tokens, first, last):
                start, end = tokens[first][1], tokens[last][2]
                name = _POSSESSIVE.sub("", run[start:end])
                key = concept_key(name)
                if key not in found and _worth(key):
                    found[key] = (start, start + len(name))
    return tuple((key, start, end) for key, (start, end) in found.items())


def _is_name(tokens: list[tuple[str, int, int]], first: int, last: int) -> bool:
    opening, closing = tokens[first][0], tokens[last][0]
    if opening in _CONNECTORS or closing in _CONNECTORS:
        return False
    if first < last:
        whole = opening in ("The", "A", "An") or (last - first > 1 and tokens[first + 1][0] not in _CONNECTORS)
        return whole or opening.lower() not in _OPENERS
    alone_before = first == 0 or tokens[first - 1][0] in _CONNECTORS or tokens[first - 1][0].lower() in _OPENERS
    alone_after = last == len(tokens) - 1 or tokens[last + 1][0] in _CONNECTORS
    return alone_before and alone_after and opening[0].isupper() and opening.lower() not in _OPENERS


@lru_cache(maxsize=8192)
def _worth(key: str) -> bool:
    return len(key) > 3 and says_something(key)
