"""What an answer has room for: of listed notes links are the first to go, then notes; what is left out is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .shown import MOST_LINKS, with_links

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..state import OpenVault

Row = dict[str, Any]
Show = Callable[[int], Mapping[str, Any]]  # the whole answer with so many of its things


async def listing(
    call: Call[Any], vault: OpenVault, rows: Sequence[Row], show: Callable[[list[Row]], Row], *own: str
) -> Answer:
    """`show`: the answer with these notes. `own`: warnings of this answer itself."""
    return await asyncio.to_thread(_listing, call, vault, rows, show, own)


def _listing(
    call: Call[Any], vault: OpenVault, rows: Sequence[Row], show: Callable[[list[Row]], Row], own: Sequence[str]
) -> Answer:
    def with_most_links(most: int) -> Row:
        return show([with_links(row, most) for row in rows])

    def first(count: int) -> Row:
        return show([with_links(row, 0) for row in rows[:count]])

    told = [*own, *vault.kept.warned.take()]
    if _holds(call, with_most_links(0), told):
        return _most(call, told, MOST_LINKS, with_most_links, least=0)
    left_out = f"No room for all {len(rows)} notes found: ask for fewer, or for those below a path or with a tag"
    return _most(call, [left_out, *told], len(rows), first, least=1)


def as_many(call: Call[Any], vault: OpenVault, count: int, show: Show) -> Answer:
    """With as many of `count` things as there is room for beside the warnings; `partial` where those are not all."""

    def first(some: int) -> Row:
        return {**show(some), **({"partial": True} if some < count else {})}

    return _most(call, vault.kept.warned.take(), count, first, least=0)


def _most(call: Call[Any], told: Sequence[str], count: int, show: Show, least: int) -> Answer:
    from wekadocs_mcp import Answer

    taken = call.budget.most(count, lambda some: {**show(some), "_warnings": told}, least)
    return Answer(show(taken), warnings=told)


def _holds(call: Call[Any], data: Mapping[str, Any], told: Sequence[str]) -> bool:
    return call.budget.holds({**data, "_warnings": told})
