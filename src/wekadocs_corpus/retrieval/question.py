"""A question, read once and handed on: from the words it is found by to the sentences that answer it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise

from wekadocs_corpus.lexical import AskedWords, query_terms, term_id, terms_of
from wekadocs_corpus.model import Scope
from wekadocs_corpus.tuning import TUNING, AskingTuning, Tuning

_WRITTEN = re.compile(r"[^\W\d_]{4,}")
_ACRONYM = re.compile(r"(?<![\w./:@`-])[A-Z]{2,8}(?![\w/:@`-]|\.\w|\(\))")
# An amount is the asker's own: a page that tells how to leave files over a size out need not name 100MB.
_AMOUNT = re.compile(
    r"(?<![\w.])\d{1,9}(?:[.,]\d{1,9})?[ -]?(?:[kmgtp]i?b(?:it|yte)?s?(?:/s(?:ec)?)?|[kmgt]bps|bytes?|%|percent"
    r"|[mun]s|s|secs?|seconds?|min(?:ute)?s?|h|hrs?|hours?|d|days?|weeks?|months?|years?)(?!\w)",
    re.I,
)
_PLURAL = re.compile(r"(?<=\w{3})(?<!s)s$")  # the singular is what is looked for, with any ending
_MARKS = r"[*_`\"“”\[\]]{0,4}"
_ASIDE = r"(?:[ \t]*\([^()\n]{0,40}\)[*_]{0,2})?[ \t]*"
# A row or an entry that has the option, key or code among its first words.
_ROW = r"[ \t]*(?:\||[-*+][ \t]+|(?=[`*]))[^|:\n]{0,60}?(?<![\w-])-{0,2}(?:NAMES)(?![\w-])[^|:\n]{0,60}[|:]"
# What is asked for, as a glossary has it: **Lease** (of a client): the right to ...
_TERM = rf"[ \t]*(?:\|[ \t]*|[-*+][ \t]+)?{_MARKS}(?:TERM)(?:e?s)?{_MARKS}{_ASIDE}[:|—\u2013]"
_HEADING = rf"#{{1,6}}[ \t]+{_MARKS}(?:(?:the|an?)[ \t]+)?-{{0,2}}(?:BOTH)(?:e?s)?(?:\(\))?{_MARKS}[:.]?{_ASIDE}$"


@dataclass(frozen=True)
class Question:
    """What is asked within a scope. Costly or seldom needed parts are read when first asked for, and then kept.

    `unknown` counts the terms that no document has: each makes every share of the question smaller by the rarest word's
    weight. It changes no choice, only how much of the question a quote can be said to answer.
    """

    words: AskedWords
    scope: Scope
    weights: Mapping[int, float]  # of its terms, those that some document of the scope has: how much by how rare
    rewrite: bool = True  # identifiers and compounds may be found by their parts
    note: str = ""  # what was read differently from how it is written, for the caller
    written: Question | None = None  # as it was written, where it is asked differently
    # Terms that say the same as one of its own, each with that one: other forms, synonyms.
    others: Mapping[int, int] = field(default_factory=dict)
    wider: Mapping[int, float] | None = None  # the sparse vector, where there are such
    tuning: Tuning = TUNING

    @property
    def text(self) -> str:
        """As it is asked of the documents."""
        return self.words.text

    @property
    def as_written(self) -> Question:
        return self.written or self

    @property
    def searched(self) -> Mapping[int, float]:
        """The sparse vector that finds passages by words."""
        if not self.rewrite:
            return self.words.whole_terms
        return self.words.terms if self.wider is None else self.wider

    @cached_property
    def pairs(self) -> Sequence[tuple[int, int]]:
        """Terms that stand side by side in it."""
        return list(pairwise(term for term in self.words.terms if term in self.weights))

    @property
    def unknown(self) -> int:
        own = {self._own(term) for term in self.words.terms} if self.others else self.words.terms.keys()
        return len(own - self.own_weights.keys() - self.amounts)

    @cached_property
    def amounts(self) -> Set[int]:
        """Terms of sizes, times and the like: whoever answers need not say them."""
        written = {word for amount in _AMOUNT.findall(self.text) for word in re.split(r"[ %-]", amount)}
        return {term_id(part) for word, parts in self.words.told if word in written for part in parts}

    @property
    def without_amounts(self) -> str:
        return _AMOUNT.sub(" ", self.text)

    @property
    def length(self) -> int:
        """In terms."""
        return len(self.words.terms)

    @cached_property
    def own_weights(self) -> Mapping[int, float]:
        """Of its own terms, those that some document has, however it says them."""
        if not self.others:
            return self.weights
        return {self._own(term): weight for term, weight in self.weights.items()}

    def _own(self, term: int) -> int:
        return self.others.get(term, term)

    def says(self, term: int, said: Set[int]) -> bool:
        """Whether one of its terms is among those of a text, as it is or otherwise."""
        return term in said or (bool(self.others) and any(self.others.get(each) == term for each in said))

    @cached_property
    def known(self) -> float:
        """Which share of the question, by weight, any document has."""
        total = sum(self.own_weights.values())
        return total / (total + self.unknown * max(self.weights.values())) if total else 0.0

    @cached_property
    def shares(self) -> Mapping[int, float]:
        """Of each known term, by weight."""
        total = sum(self.own_weights.values())
        return {term: weight / total for term, weight in self.weights.items()} if total else {}

    @cached_property
    def unknown_words(self) -> Sequence[str]:
        """Words that no document has, as written."""
        if not self.unknown:
            return []
        written = dict.fromkeys(_WRITTEN.findall(self.text))
        known = self.own_weights.keys() | self.weights.keys()
        return [word for word in written if (terms := query_terms(word)) and not terms.keys() & known]

    @cached_property
    def entry(self) -> re.Pattern[str] | None:
        """Finds what tells what a name in it means, or what it asks the meaning of."""
        return _entry_of(self.text, self.words.names, self.tuning.asking)

    @cached_property
    def how(self) -> bool:
        """It asks how something is done."""
        return _phrases(self.tuning.asking).how.match(self.text) is not None

    @cached_property
    def amount(self) -> bool:
        """It asks for a number: a limit, a size, a time."""
        return _phrases(self.tuning.asking).amount.search(self.text) is not None

    @cached_property
    def history(self) -> bool:
        """It asks what changed, or when."""
        return _phrases(self.tuning.asking).history.search(self.text) is not None

    @cached_property
    def acronyms(self) -> Sequence[str]:
        return acronyms(self.text, self.tuning.asking)

    def is_said_by(self, title: str) -> bool:
        """Whether a title says the question, as far as any document does."""
        weights = self.weights
        said = sum(weights[term] for term in terms_of(title) & weights.keys())
        return bool(weights) and said >= self.tuning.asking.said_by_title * sum(self.own_weights.values())


class _Phrases:
    """How questions tell what they ask for, compiled."""

    def __init__(self, tuning: AskingTuning) -> None:
        self.how = re.compile(rf"[\s¿]*(?:{'|'.join(tuning.how)})\b|.*\bsteps\b", re.I)
        self.amount = re.compile(rf"\b(?:{'|'.join(tuning.amount)})\b", re.I)
        self.history = re.compile(rf"\b(?:{'|'.join(tuning.history)})\b|\d+\.\d+", re.I)
        self.meaning = re.compile(
            rf"\s*(?:{'|'.join(tuning.meaning)})\s+(?:an?\s+|the\s+)?"
            r"([^\W_][\w.+/'-]*(?:\s+[\w.+/'-]+){0,3}?)(?:\s+(?:mean|do|stand\s+for))?\s*[?.]?\s*",
            re.I,
        )


@cache
def _phrases(tuning: AskingTuning) -> _Phrases:
    return _Phrases(tuning)


def acronyms(question: str, tuning: AskingTuning) -> list[str]:
    """Capitals that stand alone; none in a question that is all capitals, where they mean nothing."""
    found = list(dict.fromkeys(_ACRONYM.findall(question)))
    return found[: tuning.most_acronyms] if any(letter.islower() for letter in question) else []


def _entry_of(question: str, names: Sequence[str], tuning: AskingTuning) -> re.Pattern[str] | None:
    """Finds a row, an entry of a list, a line or a heading that begins with one of the names, or with what it asks
    the meaning of: such a place tells what that means."""
    found = [re.escape(name) for name in names[: tuning.most_names]]
    asked = _phrases(tuning).meaning.fullmatch(question)
    term = r"\s+".join(re.escape(word) for word in _PLURAL.sub("", asked[1]).split()) if asked else ""
    if not found and not term:
        return None
    ways = [_HEADING.replace("BOTH", "|".join([*found, *([term] if term else [])]))]
    ways += [_ROW.replace("NAMES", "|".join(found))] if found else []
    ways += [_TERM.replace("TERM", term)] if term else []
    return re.compile(f"^(?:{'|'.join(ways)})", re.IGNORECASE | re.MULTILINE)
