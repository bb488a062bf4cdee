"""Which tool of one side is which of the other: by name and major, then by what a deployment may have renamed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wekadocs_contracts.diff.model import ToolSide

Pair = tuple[ToolSide, ToolSide]


def match(
    old: Sequence[ToolSide], new: Sequence[ToolSide], live: bool
) -> tuple[list[Pair], list[ToolSide], list[ToolSide]]:
    """Pairs, what is only old, what is only new. `live`: one side shows names as a deployment serves them."""
    steps: list[Callable[[ToolSide, ToolSide], bool]] = [
        lambda mine, theirs: mine.name == theirs.name and mine.major == theirs.major,
    ]
    if live:
        steps += [
            lambda mine, theirs: mine.hash is not None and mine.hash == theirs.hash,
            lambda mine, theirs: _served(mine) == theirs.name or mine.name == _served(theirs),
        ]
    # Of contracts each major is a promise of its own; who calls the bare name is looked after apart.
    steps.append(lambda mine, theirs: mine.name == theirs.name and not (mine.carries and theirs.carries))
    if live:
        steps.append(lambda mine, theirs: _folded(mine) == _folded(theirs))
    pairs: list[Pair] = []
    left, right = sorted(old, key=_rank), sorted(new, key=_rank)
    for fits in steps:
        for mine in list(left):
            theirs = next((each for each in right if fits(mine, each)), None)
            if theirs is not None:
                pairs.append((mine, theirs))
                left.remove(mine)
                right.remove(theirs)
    return pairs, left, right


def _rank(side: ToolSide) -> tuple[str, int, int]:
    """The major that the bare name serves comes first."""
    return (side.name, -{"stable": 2, "disabled": 0}.get(side.status or "stable", 1), -(side.major or 0))


def _served(side: ToolSide) -> str:
    return f"{side.name}.v{side.major}"


def _folded(side: ToolSide) -> str:
    return side.name.replace(".", "_")
