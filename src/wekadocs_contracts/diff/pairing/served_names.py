"""Every name under which a set of contracts can be called: the bare one, each major's, and both with underscores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekadocs_contracts.diff.model import Change, ToolSide

from .matching import Pair

# As the host chooses: the highest stable major answers to the bare name, else the highest there is.
_RANK = {"stable": 2, "deprecated": 1, "beta": 1, "disabled": 0}


def bare(tools: Sequence[ToolSide]) -> dict[str, ToolSide]:
    """Which major answers to each bare name."""
    best: dict[str, ToolSide] = {}
    for side in tools:
        if side.carries and (side.name not in best or _order(side) > _order(best[side.name])):
            best[side.name] = side
    return best


def listed(tools: Sequence[ToolSide]) -> list[ToolSide]:
    """What tools/list shows of them: of several majors the one that answers to the bare name."""
    return [*bare(tools).values(), *(side for side in tools if not side.carries)]


def _order(side: ToolSide) -> tuple[int, int]:
    return _RANK.get(side.status or "stable", 0), side.major or 0


def moved(old: Sequence[ToolSide], new: Sequence[ToolSide]) -> list[Pair]:
    """Bare names that another major answers now: whoever calls them meets what that one promises."""
    before, after = bare(old), bare(new)
    shared = [(before[name], after[name]) for name in before if name in after]
    return [(mine, theirs) for mine, theirs in shared if mine.major != theirs.major]


def clashes(old: Sequence[ToolSide], new: Sequence[ToolSide]) -> Iterator[tuple[ToolSide, Change]]:
    """A spelling that means two tools now: the host refuses to start."""
    known = _shared_spellings(old)
    for spelling, sides in _shared_spellings(new).items():
        if spelling not in known:
            first, second = (f"{side.name}.v{side.major}" for side in sides[:2])
            message = f"`{spelling}` would mean both {first} and {second}: no host can serve that"
            yield sides[1], Change("", "meta", "breaking", "name-taken", "/contract", after=spelling, message=message)


def _shared_spellings(tools: Sequence[ToolSide]) -> dict[str, list[ToolSide]]:
    found: dict[str, list[ToolSide]] = {}
    bare_ones = bare(tools).values()
    for side in (each for each in tools if each.carries):
        names = [f"{side.name}.v{side.major}", *([side.name] if side in bare_ones else [])]
        for spelling in dict.fromkeys(name.replace(".", "_") for name in names):
            found.setdefault(spelling, []).append(side)
    return {spelling: sides for spelling, sides in found.items() if len(sides) > 1}
