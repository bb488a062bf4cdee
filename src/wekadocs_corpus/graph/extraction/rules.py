"""Entity rules a user adds in YAML: dictionaries and patterns with a label; strict, and never slow.

entities:
  - {label: Product, names: [WEKA Home, SnapTool]}
  - {label: Error, pattern: 'WEKA-[0-9]{4}'}
ignore: [Note Well]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from re import _constants as sre  # type: ignore[attr-defined]  # the only view on a parsed pattern there is
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from wekadocs_corpus.errors import CorpusError

from .code import Mention
from .names import concept_key

_LABEL = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")
_RESERVED = frozenset({"Document", "Section", "Chunk", "Step", "Procedure", "Concept"})
_MOST_NAMES, _MOST_RULES, _LONGEST_MATCH, _MOST_WAYS = 20_000, 200, 200, 10_000


class BadRules(CorpusError):
    """The rules cannot be used; the message names the place, the value and the way out."""


@dataclass(frozen=True)
class EntityRules:
    """Rules ready to use; picklable, so that worker processes get them."""

    patterns: tuple[tuple[str, re.Pattern[str]], ...] = ()
    names: Mapping[str, tuple[str, str]] | None = None  # case folded words → label, name as listed
    longest_name: int = 0  # in words
    ignored: frozenset[str] = frozenset()  # concept keys

    def mentions(self, text: str) -> Iterator[Mention]:
        for label, pattern in self.patterns:
            for match in pattern.finditer(text):
                if match[0].strip():
                    yield Mention(label, match[0], match.start(), match.end())
        if self.names:
            yield from self._listed(text, self.names)

    def _listed(self, text: str, names: Mapping[str, tuple[str, str]]) -> Iterator[Mention]:
        words = [(match[0].casefold(), match.start(), match.end()) for match in re.finditer(r"\w+", text)]
        skip = 0
        for first in range(len(words)):
            for last in range(min(first + self.longest_name, len(words)), max(first, skip), -1):
                found = names.get(" ".join(word for word, _, _ in words[first:last])) if first >= skip else None
                if found:
                    yield Mention(found[0], found[1], words[first][1], words[last - 1][2])
                    skip = last
                    break


def read_rules(data: object, source: str = "entity rules") -> EntityRules:
    """Rules from parsed YAML."""
    root = _mapping(data, source, {"entities", "ignore"})
    patterns: list[tuple[str, re.Pattern[str]]] = []
    names: dict[str, tuple[str, str]] = {}
    for place, rule in _listed(root, "entities", source, _MOST_RULES):
        label = _label(_mapping(rule, place, {"label", "pattern", "names"}), place)
        if ("pattern" in rule) == ("names" in rule):
            raise BadRules(f"{place}: give either `pattern` or `names`")
        if "pattern" in rule:
            patterns.append((label, _pattern(rule["pattern"], f"{place}.pattern")))
        for where, name in _listed(rule, "names", place, _MOST_NAMES):
            names[_words(name, where)] = (label, str(name).strip())
    ignored = frozenset(concept_key(_text(name, where)) for where, name in _listed(root, "ignore", source, _MOST_NAMES))
    return EntityRules(tuple(patterns), names or None, max((len(key.split()) for key in names), default=0), ignored)


def _mapping(data: object, place: str, allowed: set[str]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadRules(f"{place}: a mapping is needed, not {type(data).__name__}")
    unknown = sorted(str(key) for key in data if key not in allowed)
    if unknown:
        raise BadRules(f"{place}: unknown key `{unknown[0]}`; known: {', '.join(sorted(allowed))}")
    return data


def _listed(data: Mapping[str, object], key: str, place: str, most: int) -> Iterator[tuple[str, Any]]:
    values = data.get(key, [])
    if not isinstance(values, list):
        raise BadRules(f"{place}.{key}: a list is needed, not {type(values).__name__}")
    if len(values) > most:
        raise BadRules(f"{place}.{key}: {len(values)} entries; at most {most}")
    for number, value in enumerate(values):
        yield f"{place}.{key}[{number}]", value


def _label(rule: Mapping[str, object], place: str) -> str:
    label = rule.get("label")
    if not isinstance(label, str) or not _LABEL.fullmatch(label):
        raise BadRules(f"{place}.label: {label!r} is no label; write a word like Product (letters, capital first)")
    if label in _RESERVED:
        raise BadRules(f"{place}.label: {label} is made by the graph itself; choose another word")
    return label


def _text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise BadRules(f"{place}: a text of 1 to 200 characters is needed")
    return value


def _words(value: object, place: str) -> str:
    words = re.findall(r"\w+", _text(value, place).casefold())
    if not words or len(words) > 12:
        raise BadRules(f"{place}: a name has 1 to 12 words")
    return " ".join(words)


def _pattern(value: object, place: str) -> re.Pattern[str]:
    text = _text(value, place)
    try:
        parsed = sre_parser.parse(text)
        ways = _ways(parsed, place)
    except re.error as error:
        raise BadRules(f"{place}: not a regular expression: {error}") from None
    if parsed.getwidth()[1] > _LONGEST_MATCH or ways > _MOST_WAYS:
        raise BadRules(f"{place}: may be slow on hostile text; bound every repeat, e.g. [a-z]{{1,20}} for [a-z]+")
    return re.compile(text)


def _ways(parsed: Any, place: str, depth: int = 0) -> int:
    """How many ways a match from one position can be tried, at most; what has no bound is refused."""
    ways = 1
    for operation, argument in parsed:
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, inner = argument
            inside = _ways(inner, place, depth + 1)
            if high is sre.MAXREPEAT or (inside > 1 and high > 1):
                raise BadRules(f"{place}: unbounded or nested repeat; write e.g. [a-z]{{1,20}} for [a-z]+")
            ways *= (high - low + 1) * inside
        elif operation is sre.BRANCH:
            ways *= sum(_ways(branch, place, depth + 1) for branch in argument[1])
        elif operation is sre.SUBPATTERN:
            ways *= _ways(argument[-1], place, depth + 1)
        elif operation not in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY, sre.AT):
            raise BadRules(f"{place}: look-around and references are not supported")
        if ways > _MOST_WAYS or depth > 10:
            raise BadRules(f"{place}: too many ways to match; use fewer or shorter repeats")
    return ways
