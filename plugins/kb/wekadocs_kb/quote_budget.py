"""As much evidence as an answer may cost: first as many quotes as fit, then they read on with what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_kit import Kept
from wekadocs_mcp import json_size

from .citations import quoted

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote
    from wekadocs_mcp import Call

Longer = Callable[[Sequence["Quote"], int], Sequence["Quote"]]  # quotes, tokens more → the same, reading on
_SPARE = 20  # tokens: those of the parts are not quite those of the whole


def quotes_within(
    call: Call[object], answer: dict[str, Any], chosen: Sequence[Quote], entries: Mapping[int, Kept], longer: Longer
) -> dict[str, Any]:
    """The answer with the quotes that it has tokens and bytes for; the first whatever its tokens."""
    most = call.limits["answer_tokens"] - _SPARE
    kept, answer["quotes"] = list(chosen), _rows(chosen, entries)
    while kept and (why := _too_much(call, answer, most)):
        answer.update(partial=True, limit_reason=why)
        del kept[_each_passage_first(kept)[-1]]
        answer["quotes"] = _rows(kept, entries)
    further = longer(kept, most - _read(call, answer))
    whole = {**answer, "quotes": _rows(further, entries)}
    if _too_much(call, whole, most + _SPARE):
        whole = {**answer, "partial": True, "limit_reason": "byte_cap"}
    if not whole["partial"] and any(quote.cut for quote in further):
        whole.update(partial=True, limit_reason="token_cap")
    return whole


def _rows(quotes: Sequence[Quote], entries: Mapping[int, Kept]) -> list[dict[str, Any]]:
    return [quoted(entries[quote.source], quote) for quote in quotes]


def _read(call: Call[object], answer: Mapping[str, object]) -> int:
    """Tokens of the text that a model reads."""
    return tokens.count(call.text(answer))


def _too_much(call: Call[object], answer: Mapping[str, Any], most: int) -> str:
    """Why less must be said, if it must; one quote alone is never too many tokens."""
    if json_size(answer) > call.budget.limit:
        return "byte_cap"
    return "token_cap" if len(answer["quotes"]) > 1 and _read(call, answer) > most else ""


def _each_passage_first(chosen: Sequence[Quote]) -> list[int]:
    """Where not all fit, another passage's first quote goes before a passage's second."""
    sources = [quote.source for quote in chosen]
    return sorted(range(len(chosen)), key=lambda place: sources[place] in sources[:place])
