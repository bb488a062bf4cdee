"""As much evidence as an answer may cost: first as many quotes as fit, then each of them reads on with what is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens

from .extract_evidence import quoted

if TYPE_CHECKING:
    from wekadocs_corpus.quotes import Quote

Longer = Callable[["Quote", Sequence["Quote"]], "Quote"]  # a quote beside the others → the same, reading on


def within(
    call: Any, answer: dict[str, Any], chosen: Sequence[Quote], entries: Sequence[Any], longer: Longer
) -> dict[str, Any]:
    """The answer with the quotes that it has tokens and bytes for; the first is always there."""
    rows = [quoted(entry, quote) for entry, quote in zip(entries, chosen, strict=True)]
    spent = _tokens(answer) + 10  # what is said of a cut
    taken: list[int] = []
    for place in _each_passage_first(chosen):
        cost = _tokens(rows[place]) + 1
        fits = spent + cost <= call.limits["answer_tokens"]
        if taken and not (fits and call.budget.fits(rows[place])):
            answer.update(partial=True, limit_reason="byte_cap" if fits else "token_cap")
            continue  # a shorter one may still fit
        spent += cost
        taken.append(place)
    kept = [(entries[place], chosen[place]) for place in sorted(taken)]
    answer["quotes"] = _read_on(call, kept, call.limits["answer_tokens"] - spent, longer)
    return answer


def _read_on(call: Any, kept: Sequence[tuple[Any, Quote]], left: int, longer: Longer) -> list[dict[str, Any]]:
    """Best first, while there are tokens left."""
    quotes = [quote for _, quote in kept]
    for place, (entry, quote) in enumerate(kept):
        further = longer(quote, [*quotes[:place], *quotes[place + 1 :]])
        more = entry.text[quote.span[1] : further.span[1]]
        cost = _tokens(more)
        if more and cost <= left and call.budget.fits(more):
            left -= cost
            quotes[place] = further
    return [quoted(entry, quote) for (entry, _), quote in zip(kept, quotes, strict=True)]


def _each_passage_first(chosen: Sequence[Quote]) -> list[int]:
    """Where not all fit, another passage's first quote goes before a passage's second."""
    sources = [quote.source for quote in chosen]
    return sorted(range(len(chosen)), key=lambda place: sources[place] in sources[:place])


def _tokens(value: Any) -> int:
    """What a model is charged for it as JSON."""
    return tokens.count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
