"""The index that a site publishes for its own search, asked which pages say most of what is looked for."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from wekadocs_corpus import terms_of

_MOST_BYTES = 12 << 20
_MOST_ENTRIES, _LOOKED_AT, _MOST_FOUND = 20_000, 200, 20
_LONGEST = 4000  # letters of an entry
_MOST_WORDS = 40  # of a question
_TAG = re.compile(r"<[^<>]{0,500}>")
_WORD = re.compile(r"\w{3,40}")


@dataclass(frozen=True)
class Entry:
    """A page, or a section of one, and which of the words it has."""

    url: str
    title: str
    has: frozenset[int]
    long: float = 1.0  # beside others of its index


@dataclass(frozen=True)
class Hit:
    url: str
    title: str
    said: float  # share of what is looked for, its rarer words counting more


def found_in(text: str, address: str, own_pages: Iterable[str], words: Mapping[int, float], question: str) -> list[Hit]:
    """The best page first; none of an index that nobody can read. `own_pages`: as links of the site are written."""
    try:
        said = json.loads(_bare(text)) if len(text) <= _MOST_BYTES else {}
        entries, count = _entries(said, address, frozenset(own_pages), words, question)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return []
    site = urljoin(address, "/")
    return _ranked([each for each in entries if each.url.startswith(site)], count, words)


def _bare(text: str) -> str:
    start = text.lstrip("\ufeff \n")
    return start[start.find("(") + 1 : start.rfind(")")] if start.startswith("Search.setIndex(") else start


def _entries(
    said: Any, address: str, own: frozenset[str], words: Mapping[int, float], question: str
) -> tuple[list[Entry], int]:
    if "docnames" in said:
        return _of_sphinx(said, address, own, words, question)
    if "doc_urls" in said:
        stored = said["index"]["documentStore"]["docs"]
        rows = [(said["doc_urls"][int(at)], each["title"], each["body"]) for at, each in stored.items()]
        return _of_texts(rows, address, words, question)
    rows = [(each["location"], each["title"], each["text"]) for each in said["docs"][:_MOST_ENTRIES]]
    return _of_texts(rows, urljoin(address, "../"), words, question)


def _of_texts(
    rows: Sequence[tuple[str, str, str]], base: str, words: Mapping[int, float], question: str
) -> tuple[list[Entry], int]:
    """Only those with most of the words' beginnings are looked at closely."""
    starts = _beginnings(question)
    small = [f"{title} {text[:_LONGEST]}".lower() for _, title, text in rows]
    rare = {start: math.log(1 + len(rows) / (1 + sum(start in text for text in small))) for start in starts}
    worth = [sum(rare[start] for start in starts if start in text) for text in small]
    first = sorted(range(len(rows)), key=lambda at: -worth[at])[:_LOOKED_AT]
    usual = sum(map(len, small)) / max(1, len(small))
    return [_entry(rows[at], base, words, usual) for at in first if worth[at]], len(rows)


def _entry(row: tuple[str, str, str], base: str, words: Mapping[int, float], usual: float) -> Entry:
    place, title, text = row
    said = _TAG.sub(" ", f"{title}\n{text[:_LONGEST]}")
    url, name = urljoin(base, place.partition("#")[0]), _TAG.sub("", title)[:200]
    return Entry(url, name, terms_of(said) & words.keys(), len(said) / usual)


def _of_sphinx(
    said: Any, address: str, own: frozenset[str], words: Mapping[int, float], question: str
) -> tuple[list[Entry], int]:
    names, titles = said["docnames"][:_MOST_ENTRIES], said["titles"]
    has: list[set[int]] = [set() for _ in names]
    sizes = [1] * len(names)
    starts = tuple(_beginnings(question))
    for kept in ("terms", "titleterms"):
        for term, places in said.get(kept, {}).items():
            pages = [places] if isinstance(places, int) else places
            meant = terms_of(term) & words.keys() if term.startswith(starts) else frozenset[int]()
            for page in pages:
                sizes[page] += 1
                has[page] |= meant
    usual = sum(sizes) / max(1, len(sizes))
    folders = sum(urljoin(address, f"{name}/") in own for name in names)
    ending = "/" if folders > sum(urljoin(address, f"{name}.html") in own for name in names) else ".html"
    return [
        Entry(urljoin(address, _placed(name, ending)), _TAG.sub("", title)[:200], frozenset(had), size / usual)
        for name, title, had, size in zip(names, titles, has, sizes, strict=True)
    ], len(names)


def _placed(name: str, ending: str) -> str:
    return name.removesuffix("index") if ending == "/" and f"/{name}".endswith("/index") else f"{name}{ending}"


def _beginnings(question: str) -> list[str]:
    """Of its words, the longest, as far as their forms have in common."""
    words = sorted(set(_WORD.findall(question.lower())), key=lambda word: (-len(word), word))
    return sorted({word[: max(3, len(word) - 3)] for word in words[:_MOST_WORDS]})


def _ranked(entries: Sequence[Entry], count: int, words: Mapping[int, float]) -> list[Hit]:
    """Each page once. What many entries have tells little; what is long has many words by chance."""
    having = {term: sum(term in each.has for each in entries) for term in words}
    worth = {term: share * math.log(1 + count / (1 + having[term])) for term, share in words.items()}
    total = sum(worth.values()) or 1.0
    found: dict[str, Hit] = {}
    for each in entries:
        said = sum(worth[term] for term in each.has) / total / max(1.0, 0.5 + 0.5 * each.long)
        if said > found.get(each.url, Hit("", "", 0.0)).said:
            found[each.url] = Hit(each.url, each.title, said)
    return sorted(found.values(), key=lambda hit: -hit.said)[:_MOST_FOUND]
