"""As much evidence as an answer may cost: tokens of the text that a model reads, bytes of the structure beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import tokens
from wekadocs_kit import Kept
from wekadocs_mcp import json_size

from .citations import quoted

if TYPE_CHECKING:
    from wekadocs_corpus import Quote
    from wekadocs_mcp import Call

Quoting = Callable[[int | None], Sequence["Quote"]]  # tokens that they may have, where it is less than was asked for
Keep = Callable[[Sequence["Quote"]], Mapping[int, Kept]]
_LESS = 0.9  # of the tokens


def quotes_within(call: Call[object], answer: dict[str, Any], quoting: Quoting, keep: Keep) -> dict[str, Any]:
    """The answer with as much as it has tokens and bytes for."""
    most, quotes = call.limits["answer_tokens"], quoting(None)
    entries = keep(quotes)
    answer["quotes"] = _rows(quotes, entries)
    while quotes and (why := _too_much(call, answer, most)):
        quotes = quoting(_less(quotes, _size(answer["quotes"])))
        answer.update(partial=True, limit_reason=why, quotes=_rows(quotes, entries))
    if not answer["partial"] and any(quote.cut for quote in quotes):
        answer.update(partial=True, limit_reason="token_cap")
    return answer


def _less(quotes: Sequence[Quote], size: int) -> int:
    """Room for one piece less, so that no more is left out than must be; what is cut anyway has no pieces."""
    return int(_LESS * size) if any(quote.cut for quote in quotes) else size - 1


def _size(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(tokens.count(row["quote"]) + tokens.count(row.get("header", "")) for row in rows)


def _rows(quotes: Sequence[Quote], entries: Mapping[int, Kept]) -> list[dict[str, Any]]:
    return [quoted(entries[quote.source], quote) for quote in quotes]


def _too_much(call: Call[object], answer: Mapping[str, Any], most: int) -> str:
    """Why less must be said, if it must."""
    if json_size(answer) > call.budget.limit:
        return "byte_cap"
    return "token_cap" if tokens.count(call.text(answer)) > most else ""
