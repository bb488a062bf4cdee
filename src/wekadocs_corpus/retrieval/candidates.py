"""From hits to what can be quoted: a page found by its front matter is told by what stands in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.rows import Passage

    from .fusion import Hit

_HEAD = "front_matter"


@dataclass(frozen=True)
class Candidate:
    """A hit with the passage it names."""

    hit: Hit
    passage: Passage


def wider(k: int, per_document: int) -> tuple[int, int]:
    """How many hits, and how many of a document, `telling` needs to choose k from."""
    return 2 * k, per_document + 1


def telling(
    found: Sequence[Candidate], k: int, per_document: int, chunks_of: Callable[[str], Sequence[Passage]]
) -> tuple[Candidate, ...]:
    """The first k; in the place of front matter the best other passage of its document, or the first."""
    taken: dict[str, list[str]] = {}
    kept: list[Candidate] = []
    for candidate in found:
        document = candidate.hit.document_id
        used = taken.setdefault(document, [])
        if len(kept) == k or len(used) == per_document:
            continue
        chosen = _body(candidate, found, used, chunks_of) if candidate.passage.kind == _HEAD else candidate
        if chosen.passage.id not in used:
            used.append(chosen.passage.id)
            kept.append(chosen)
    return tuple(kept)


def repeated(found: Sequence[Candidate], chosen: Sequence[Candidate]) -> int:
    """How many were left out because their document has its share already."""
    documents = {each.hit.document_id for each in chosen}
    return sum(each.hit.document_id in documents for each in found) - len(chosen)


def opened(
    chosen: Sequence[Candidate], named: Callable[[str], bool], opening: Callable[[str, str], Passage | None]
) -> tuple[Candidate, ...]:
    """Of a page or section whose title is the question its beginning: nothing in the question tells its parts apart.

    Only the best of each document: the others stay what they are.
    """
    best = {each.hit.document_id: each for each in reversed(chosen)}
    firsts = {id(each): _opening(each.passage, named, opening) for each in best.values()}
    starts = (firsts.get(id(each)) for each in chosen)
    return tuple(each if start is None else _at(each, start) for each, start in zip(chosen, starts, strict=True))


def apart(chosen: Sequence[Candidate], k: int) -> tuple[Candidate, ...]:
    """The first k of those that no better one holds as a whole: passages read on into each other."""
    kept: list[Candidate] = []
    for each in chosen:
        if len(kept) < k and not any(_inside(each.passage, other.passage) for other in kept):
            kept.append(each)
    return tuple(kept)


def _inside(one: Passage, other: Passage) -> bool:
    return one.document_id == other.document_id and other.start <= one.start and one.end <= other.end


def _opening(
    passage: Passage, named: Callable[[str], bool], opening: Callable[[str, str], Passage | None]
) -> Passage | None:
    if named(passage.title):
        return opening(passage.document_id, "")
    if passage.section_title and named(passage.section_title):
        return opening(passage.document_id, passage.section_id)
    return None


def _at(each: Candidate, start: Passage) -> Candidate:
    return Candidate(replace(each.hit, chunk_id=start.id), replace(start, opening=True))


def _body(
    head: Candidate, found: Sequence[Candidate], used: Sequence[str], chunks_of: Callable[[str], Sequence[Passage]]
) -> Candidate:
    for other in found:
        same = other.hit.document_id == head.hit.document_id
        if same and other.passage.kind != _HEAD and other.passage.id not in used:
            return Candidate(replace(other.hit, score=head.hit.score), other.passage)
    bodies = [passage for passage in chunks_of(head.hit.document_id) if passage.kind != _HEAD]
    first = next((passage for passage in bodies if passage.id not in used), head.passage)
    return Candidate(replace(head.hit, chunk_id=first.id), first)
