"""How closely passages speak to a question, beyond the words they share with it.

Four things, each between 0 and 1, added up:
- together: how near the question's words stand to each other, pair by pair, one over the distance;
- alike: for each word of the question the word of the passage that means most nearly the same, by the static model;
- titled: the share of the title's words that are asked for, times the share of the question that the title has;
- defined: whether a row of a table or an entry of a list begins with a name that is asked for.
A word counts by its rarity. The more of the question is exact names, the less `alike` counts: a name means itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wekadocs_corpus.embedding.static import CAMEL, LONGEST_WORD, WORD, WORD_DIMENSION, products
from wekadocs_corpus.lexical import term_id
from wekadocs_corpus.lexical.analyser import analyse, fold
from wekadocs_corpus.tuning import TUNING, ClosenessTuning
from wekadocs_corpus.tuning.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from .question import Question

Embed = Callable[[Sequence[str]], np.ndarray]
Asked = dict[int, int]  # a word of the question as a term → its place in the vocabulary
Text = tuple[str, str]  # title, body

MOST_WORDS = 100_000  # that are remembered
MOST_PASSAGES = 8192  # the same
_LETTERS = bytes(code if chr(code).isalnum() else 32 for code in range(128)).ljust(256)
_CASES = bytes(97 * chr(code).islower() + 65 * chr(code).isupper() for code in range(128)).ljust(256)
# Common in English texts, and no letters: without them most of these are ASCII.
_MARKS = ("\u2019", "\u2018", "\u201c", "\u201d", "\u2013", "\u2014", "\u2026", "\u2022", "\u00a0")


class Closeness:
    """Remembers words and passages, so that the second look at one is quick. For one thread at a time."""

    def __init__(self, embed: Embed, tuning: ClosenessTuning = TUNING.closeness) -> None:
        self._embed, self._tuning = embed, tuning
        self._places: _Places
        self._rows: np.ndarray
        self._terms: np.ndarray
        self._read: dict[str, np.ndarray]
        self._forget()

    def asked_words(self, question: str) -> Asked:
        """The first of its words in order, those that tell; good until the next question is asked about."""
        if len(self._places) > MOST_WORDS or len(self._read) > MOST_PASSAGES:
            self._forget()
        places = self._numbers([question])[0].tolist()[1:]
        telling = [place for place in places if place not in self._stops] or places
        terms = {int(self._terms[place]): place for place in reversed(telling)}
        return dict(list(reversed(terms.items()))[: self._tuning.most_asked])

    def of(self, question: Question, asked: Asked, rarity: Mapping[int, float], texts: Sequence[Text]) -> list[float]:
        """For each of the texts, in their order; `rarity` is that of the words asked for."""
        if not asked or not texts:
            return [0.0] * len(texts)
        both = self._numbers([*(title for title, _ in texts), *(body for _, body in texts)])
        titles, bodies = both[: len(texts)], both[len(texts) :]
        total = sum(rarity.values()) or 1.0
        share = {term: rarity.get(term, 0.0) / total for term in asked}
        alike, together = self._compared(asked, np.array(list(share.values())), titles, bodies)
        close = together + (1.0 - question.words.exactness) * alike
        titled = {title: self._titled(share, words) for (title, _), words in zip(texts, titles, strict=True)}
        entry = question.entry
        return [
            each + titled[title] + (entry is not None and entry.search(body) is not None)
            for each, (title, body) in zip(close.tolist(), texts, strict=True)
        ]

    def _compared(
        self, asked: Asked, shares: np.ndarray, titles: Sequence[np.ndarray], bodies: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        flat, sizes = np.concatenate([*titles, *bodies]), [len(each) for each in (*titles, *bodies)]
        words, at = _distinct(flat, len(self._places))
        same = np.array(list(asked), np.uint32)[:, None] == self._terms[words]
        unlike = self._tuning.unlike
        likeness = np.clip((self._products(words, list(asked.values())) - unlike) / (1 - unlike), 0, 1)
        likeness[same] = 1.0
        starts = np.cumsum([0, *sizes[:-1]])
        best = np.maximum.reduceat(likeness.take(at, axis=1), starts, axis=1)
        alike = shares @ np.maximum(best[:, : len(titles)], best[:, len(titles) :])
        number = np.where(same.any(axis=0), same.argmax(axis=0), -1)[at[starts[len(titles)] :]]
        place = np.flatnonzero(number >= 0)
        owner = np.repeat(np.arange(len(bodies)), sizes[len(titles) :])
        return alike, _together(shares, place, number[place], owner[place], len(bodies), self._tuning.nearest)

    def _products(self, words: np.ndarray, asked: list[int]) -> np.ndarray:
        """A row for each word asked for."""
        return products(self._rows[asked], self._rows, words)

    def _titled(self, share: Mapping[int, float], title: np.ndarray) -> float:
        words = title.tolist()[1:]
        terms = self._terms[[word for word in words if word not in self._stops] or words].tolist()
        named = [term for term in terms if term in share]
        return sum(share[term] for term in set(named)) * len(named) / len(terms) if named else 0.0

    def _numbers(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Each text's words as places in the vocabulary, after a first one that is no word: none is empty."""
        try:
            for text in texts:
                if text not in self._read:
                    words = ["", *_words(text, self._tuning.longest)]
                    self._read[text] = np.fromiter(map(self._places.__getitem__, words), np.int32, len(words))
            if self._places.new:
                self._learn(self._places.taken())
        except BaseException:
            self._forget()  # words with a place and nothing learned would count as like nothing from now on
            raise
        return [self._read[text] for text in texts]

    def _learn(self, words: list[str]) -> None:
        until = len(self._places)
        while until > len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
            self._terms = np.concatenate([self._terms, np.zeros_like(self._terms)])
        self._rows[until - len(words) : until] = self._embed([word[:LONGEST_WORD] for word in words])
        self._terms[until - len(words) : until] = [term_id(analyse(word)[0]) for word in words]
        stops = [self._places[word] for word in words if word in STOP_WORDS]
        self._rows[stops] = 0.0
        self._stops.update(stops)

    def _forget(self) -> None:
        self._places, self._stops = _Places({"": 0}), set[int]()
        self._rows = np.zeros((8192, WORD_DIMENSION), np.float32)
        self._terms = np.zeros(8192, np.uint32)
        self._read = {}


class _Places(dict[str, int]):
    """Word → its place; a new one gets the next, and is to be learned."""

    def __init__(self, known: Mapping[str, int]) -> None:
        super().__init__(known)
        self.new: list[str] = []

    def __missing__(self, word: str) -> int:
        place = self[word] = len(self)
        self.new.append(word)
        return place

    def taken(self) -> list[str]:
        new, self.new = self.new, []
        return new


def _words(text: str, most: int) -> list[str]:
    raw = text.encode("utf-8", "surrogatepass")
    if b"aA" in raw.translate(_CASES):  # or looking for it takes most of the time
        text = CAMEL.sub(" ", text)
    if not text.isascii():
        for mark in _MARKS:
            text = text.replace(mark, " ")
    if text.isascii():
        return text.lower().encode().translate(_LETTERS).decode().split()[:most]
    return WORD.findall(fold(text).lower())[:most]


def _distinct(places: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Each place once, and for each of the given ones where it stands among these."""
    there = np.zeros(most, bool)
    there[places] = True
    once = np.flatnonzero(there)
    number = np.empty(most, np.int32)
    number[once] = np.arange(len(once))
    return once, number[places]


def _together(
    shares: np.ndarray, place: np.ndarray, word: np.ndarray, owner: np.ndarray, texts: int, nearest: int
) -> np.ndarray:
    """Of words that follow each other in the question, how near they come to each other in each text."""
    one, step = np.nonzero(_neighbours(word, owner, nearest))
    other = one + step + 1
    near = np.zeros((texts, len(shares)))
    np.maximum.at(near, (owner[one], np.minimum(word[one], word[other])), 1.0 / (place[other] - place[one]))
    worth = np.minimum(shares[:-1], shares[1:])
    return np.asarray(near[:, :-1] @ worth / (worth.sum() or 1.0))


def _neighbours(word: np.ndarray, owner: np.ndarray, nearest: int) -> np.ndarray:
    """For each place, which of the next few has a word that is next to its own in the question, in the same text."""
    count = len(word)
    following = np.minimum(np.arange(count)[:, None] + np.arange(1, nearest + 1), count)
    words, owners = np.append(word, -9), np.append(owner, -1)
    beside = np.abs(words[following] - word[:, None]) == 1
    return np.asarray(beside & (owners[following] == owner[:, None]))
