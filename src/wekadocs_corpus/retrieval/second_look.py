"""The second look at one question's best candidates: their texts, read once, and how close they are to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .page_kinds import is_historic, is_listing

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Passage

    from .closeness import Closeness
    from .question import Question

_HISTORY, _LISTING = 0.6, 0.6  # what is closeness 1: a row that begins with the name that is asked for


class SecondLook:
    """Reads where it is asked: what it reads is mostly in memory, and a change of thread would cost more."""

    def __init__(self, truth: Truth, closeness: Closeness | None, question: Question) -> None:
        self._truth, self._closeness, self._question = truth, closeness, question
        self._read: dict[str, Passage] = {}

    def closeness(self, chunk_ids: Sequence[str]) -> list[float]:
        """What has been deleted meanwhile is not close."""
        if self._closeness is None:
            return [0.0] * len(chunk_ids)
        found = self.passages(chunk_ids)
        texts = [(each.title, each.text) for each in found]
        close = self._closeness.of(self._question, partial(self._truth.weighted_within, self._question.scope), texts)
        less = self._less()
        close = [value - less(each) for value, each in zip(close, found, strict=True)]
        by_id = dict(zip((each.id for each in found), close, strict=True))
        return [by_id.get(each, 0.0) for each in chunk_ids]

    def _less(self) -> Callable[[Passage], float]:
        """What a passage loses because it names things and explains none."""
        history = 0.0 if self._question.history else _HISTORY
        return lambda each: history * is_historic(each.path) + _LISTING * is_listing(each.text)

    def passages(self, chunk_ids: Sequence[str]) -> list[Passage]:
        """In the order of the ids; what has been deleted meanwhile is left out."""
        new = [each for each in chunk_ids if each not in self._read]
        if new:
            self._read.update((each.id, each) for each in self._truth.chunks(new))
        return [self._read[each] for each in chunk_ids if each in self._read]
