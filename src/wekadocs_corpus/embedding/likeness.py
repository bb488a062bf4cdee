"""How nearly texts mean what is asked, by the static model: as a whole, and word by word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from .static import LONGEST_TITLE, WORD, WORD_DIMENSION, StaticEmbedder, normalised, products


class Placed(NamedTuple):
    """A text, and what it stands under."""

    title: str
    headings: str
    text: str


class Compared(NamedTuple):
    """How nearly a text means what is asked, and for each word of the question how near the nearest of its own is."""

    placed: float  # with its title, which counts twice, and its headings
    alone: float  # its first line counts twice
    said: Sequence[float]
    above: Sequence[float]  # by its title and headings


class StaticLikeness:
    def __init__(self, static: StaticEmbedder) -> None:
        self._static = static

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        found: list[float] = (self._static.embed_passages(texts) @ self._static.embed_query(question)).tolist()
        return found

    def nearest(self, words: Sequence[str], others: Sequence[str]) -> list[float]:
        """For each word how near the nearest of the others is; 0 where there is none."""
        if not words or not others:
            return [0.0] * len(words)
        rows = self._static.embed_passages(others)
        return [float((rows @ self._static.embed_query(word)).max()) for word in words]

    def compared(self, question: str, words: Sequence[str], those: Sequence[Placed]) -> list[Compared]:
        """Each text is read once, and so is what several stand under."""
        if not those:
            return []
        above = list(dict.fromkeys(chain.from_iterable((each.title, each.headings) for each in those)))
        at = {text: len(those) + place for place, text in enumerate(above)}
        firsts = [_first_line(each.text) for each in those]
        parts = _Parts(self._static, [*(each.text for each in those), *above], firsts)
        titles, headings = (np.array([at[each[part]] for each in those], np.intp) for part in (0, 1))
        own, first = parts.sums[: len(those)], parts.sums[len(those) + len(above) :]
        asked = self._static.embed_query(question)
        placed = normalised(own + 2 * parts.sums[titles] + parts.sums[headings]) @ asked
        alone = normalised(own + first) @ asked
        near = parts.nearest(self._rows(words))
        over = np.maximum(near[:, titles], near[:, headings])
        rows = zip(placed.tolist(), alone.tolist(), near[:, : len(those)].T.tolist(), over.T.tolist(), strict=True)
        return [Compared(*row) for row in rows]

    def _rows(self, words: Sequence[str]) -> np.ndarray:
        vocabulary = self._static.learned(set(words))
        return normalised(vocabulary.rows(vocabulary.places(words))[:, :WORD_DIMENSION])


class _Parts:
    """Texts as their words' vectors."""

    def __init__(self, static: StaticEmbedder, texts: Sequence[str], more: Sequence[str]) -> None:
        """`more` are parts of texts: stop words alone are nothing there."""
        said = [WORD.findall(text) for text in (*texts, *more)]
        vocabulary = static.learned(set().union(*said))
        places = np.concatenate([np.zeros(0, np.intp), *map(vocabulary.places, filter(None, said))])
        known, at = np.unique(places, return_inverse=True)
        rows = vocabulary.rows(known)
        self._short = normalised(np.vstack([rows[:, :WORD_DIMENSION], np.zeros((1, WORD_DIMENSION), np.float32)]))
        # After each text a place with nothing in it: none is empty.
        sizes = [len(each) for each in said]
        ends = np.cumsum(sizes)
        self._at = np.insert(at, ends, len(known))
        self._starts = np.concatenate([[0], ends[:-1] + np.arange(1, len(ends))]).astype(np.intp)
        tells = np.append(vocabulary.tell(known), np.float32(0))[self._at]
        told = np.add.reduceat(tells, self._starts) > 0
        told[len(texts) :] = True
        weights = np.where(np.repeat(told, np.array(sizes) + 1), tells, 1)  # of stop words alone all count
        vectors = np.vstack([rows, np.zeros((1, rows.shape[1]), np.float32)])
        self.sums = np.add.reduceat(vectors[self._at] * weights[:, None], self._starts)

    def nearest(self, asked: np.ndarray) -> np.ndarray:
        """A row for each word asked for, with all texts."""
        if not len(asked):
            return np.zeros((0, len(self._starts)), np.float32)
        near = products(asked, self._short, np.arange(len(self._short)))
        found: np.ndarray = np.maximum(np.maximum.reduceat(near[:, self._at], self._starts, axis=1), 0)
        return found


def _first_line(text: str) -> str:
    """What counts twice: it names the text, and a sum over a long one would drown it."""
    first, rest = text.partition("\n")[::2]
    return first if rest and len(first) <= LONGEST_TITLE else ""
