"""The best one to three sentences of a passage, in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.chooser import Chooser
    from wekadocs_corpus.store.truth.rows import Passage

_SENTENCES = 3
_SENTENCE_TOKENS = 70  # about the characters of a preview: quotes join sentences up to this
_BETWEEN = " … "


def best_spans(choose: Chooser, passage: Passage) -> list[tuple[int, int]]:
    """Best first. A passage found by its vector alone has none of the words: then its first real sentence."""
    from wekadocs_corpus.evidence.quotes import QuoteSource
    from wekadocs_corpus.evidence.sentences import sentences

    chosen = choose.sentences(QuoteSource(passage.text, passage.heading, passage.opening), _SENTENCES, _SENTENCE_TOKENS)
    if chosen:
        return [quote.core for quote in chosen]
    all_spans = sentences(passage.text) or [(0, len(passage.text))]
    return [next((span for span in all_spans if _says_something(passage.text[slice(*span)])), all_spans[0])]


def _says_something(text: str) -> bool:
    return not text.startswith(("#", "---"))


def preview(text: str, spans: Sequence[tuple[int, int]], most: int) -> str:
    """The best sentences, three at most, while they fit, in the order of the text."""
    chosen: list[tuple[int, int]] = []
    for span in _single(text, spans):
        if not chosen or sum(end - start + len(_BETWEEN) for start, end in (*chosen, span)) <= most:
            chosen.append(span)
    joined = "".join(_written(text, sorted(chosen)))
    return joined if len(joined) <= most else joined[: most - 1].rstrip() + "…"


def _single(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences of what was chosen, best first: some of it are several that adjoin."""
    from wekadocs_corpus.evidence.units import spans_of

    inside = [each for start, end in spans for each in spans_of(text) if start <= each[0] and each[1] <= end]
    return (inside or list(spans))[:_SENTENCES]


def _written(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Each in one line, with a mark where something is left out."""
    for place, (start, end) in enumerate(spans):
        if place:
            yield _BETWEEN if text[spans[place - 1][1] : start].strip() else " "
        yield " ".join(text[start:end].split())
