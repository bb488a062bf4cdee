"""Shortest ways along links, and what is around a node: breadth first, a look at the edges a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .edges import Edges, Way


async def path(edges: Edges, source: str, target: str) -> list[str] | None:
    """Along the links' direction. Of several shortest ways the one whose nodes, from the end, come first by id."""
    if source == target:
        return [source]
    before: dict[str, str] = {source: ""}
    behind: dict[str, str] = {target: ""}
    front, back = [source], [target]
    while front and back:
        # The smaller side grows: a hub at one end must not make the whole vault be looked at.
        forward = len(front) <= len(back)
        if forward:
            front = await _grown(edges, front, before, "out")
        else:
            back = await _grown(edges, back, behind, "in")
        met = sorted(set(front) & behind.keys() if forward else set(back) & before.keys())
        if met:
            return _joined(met[0], before, behind)
    return None


async def _grown(edges: Edges, ids: Sequence[str], known: dict[str, str], way: Way) -> list[str]:
    found = await edges.ends(ids, way)
    new: list[str] = []
    for id in sorted(ids):
        for end in sorted(found.get(id, ())):
            if end not in known:
                known[end] = id
                new.append(end)
    return new


def _joined(middle: str, before: dict[str, str], behind: dict[str, str]) -> list[str]:
    way = [middle]
    while before[way[0]]:
        way.insert(0, before[way[0]])
    while behind[way[-1]]:
        way.append(behind[way[-1]])
    return way


class Around(NamedTuple):
    """Nodes nearest first, each with its distance; every edge between them that was followed."""

    distances: dict[str, int]
    edges: list[tuple[str, str]]
    is_cut: bool  # there were more nodes


async def around(edges: Edges, id: str, depth: int, ways: Sequence[Way], most: int) -> Around:
    distances, front, is_cut = {id: 0}, [id], False
    for distance in range(1, depth + 1):
        near: list[str] = []
        for way in ways:
            found = await edges.ends(front, way)
            near += [end for node in front for end in found.get(node, ())]
        new = [end for end in dict.fromkeys(near) if end not in distances]
        room = most - len(distances)
        is_cut = is_cut or len(new) > room
        front = new[:room]
        distances.update(dict.fromkeys(front, distance))
        if not front:
            break
    between = await edges.ends(list(distances), "out")
    return Around(distances, [(a, b) for a in distances for b in between.get(a, ()) if b in distances], is_cut)
