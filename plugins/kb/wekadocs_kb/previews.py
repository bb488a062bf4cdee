"""The best one to three sentences of a passage, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .choosing import Chooser

_SENTENCES = 3
_SENTENCE_TOKENS = 70  # about the characters of a preview: quotes join sentences up to this
_BETWEEN = " … "


def best_spans(choose: Chooser, passage: Any) -> list[tuple[int, int]]:
    """Best first. A passage found by its vector alone has none of the words: then its first real sentence."""
    from wekadocs_corpus.quotes import Source
    from wekadocs_corpus.sentences import sentences

    chosen = choose.sentences(Source(passage.text, passage.heading, passage.opening), _SENTENCES, _SENTENCE_TOKENS)
    if chosen:
        return [quote.core for quote in chosen]
    all_spans = sentences(passage.text) or [(0, len(passage.text))]
    return [next((span for span in all_spans if _says_something(passage.text[slice(*span)])), all_spans[0])]


def _says_something(text: str) -> bool:
    return not text.startswith(("#", "---"))


def preview(text: str, spans: Sequence[tuple[int, int]], most: int) -> str:
    """The best sentence, then others while they fit, in the order of the text."""
    chosen = [spans[0]]
    for span in spans[1:]:
        if sum(end - start + len(_BETWEEN) for start, end in (*chosen, span)) <= most:
            chosen.append(span)
    joined = _BETWEEN.join(" ".join(text[start:end].split()) for start, end in sorted(chosen))
    return joined if len(joined) <= most else joined[: most - 1].rstrip() + "…"
