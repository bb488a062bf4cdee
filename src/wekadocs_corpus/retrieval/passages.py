"""From hits to what can be quoted: the passages they name, each where its document tells most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wekadocs_corpus.at_once import at_once

from .hits import Candidate, Hits

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Passage

    from .question import Question

_HEAD = "front_matter"


def with_texts(truth: Truth, hits: Hits, chunk_ids: Sequence[str]) -> Hits:
    """With the passages of these chunks read; what has been deleted meanwhile is not among them."""
    new = [each for each in chunk_ids if each not in hits.read]
    if not new:
        return hits
    return replace(hits, read={**hits.read, **{each.id: each for each in truth.chunks(new)}})


@dataclass(frozen=True)
class TakePassages:
    """Each hit with its passage: the first so many, of a document no more than its share.

    A page found by its front matter is told by what stands in it: its best other passage, or its first.
    """

    truth: Truth
    count: int
    per_document: int

    async def __call__(self, _question: Question, hits: Hits) -> Hits:
        hits = await at_once(with_texts, self.truth, hits, [hit.chunk_id for hit in hits.ranked])
        found = [Candidate(hit, hits.read[hit.chunk_id]) for hit in hits.ranked if hit.chunk_id in hits.read]
        chosen = self._telling(found)
        documents = {each.hit.document_id for each in chosen}
        left_out = sum(each.hit.document_id in documents for each in found) - len(chosen)
        return replace(hits, candidates=chosen, left_out=left_out)

    def _telling(self, found: Sequence[Candidate]) -> list[Candidate]:
        taken: dict[str, list[str]] = {}
        kept: list[Candidate] = []
        for candidate in found:
            used = taken.setdefault(candidate.hit.document_id, [])
            if len(kept) == self.count or len(used) == self.per_document:
                continue
            chosen = self._body(candidate, found, used) if candidate.passage.kind == _HEAD else candidate
            if chosen.passage.id not in used:
                used.append(chosen.passage.id)
                kept.append(chosen)
        return kept

    def _body(self, head: Candidate, found: Sequence[Candidate], used: Sequence[str]) -> Candidate:
        for other in found:
            same = other.hit.document_id == head.hit.document_id
            if same and other.passage.kind != _HEAD and other.passage.id not in used:
                return Candidate(other.hit._replace(score=head.hit.score), other.passage)
        bodies = [passage for passage in self.truth.chunks_of(head.hit.document_id) if passage.kind != _HEAD]
        first = next((passage for passage in bodies if passage.id not in used), head.passage)
        return Candidate(head.hit._replace(chunk_id=first.id), first)


@dataclass(frozen=True)
class OpenTitled:
    """Of a page or section whose title is the question its beginning: nothing in the question tells its parts apart.

    Only the best of each document: the others stay what they are.
    """

    truth: Truth

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        best = {each.hit.document_id: each for each in reversed(hits.candidates)}
        firsts = {id(each): self._opening(question, each.passage) for each in best.values()}
        starts = [(each, firsts.get(id(each))) for each in hits.candidates]
        return replace(hits, candidates=[each if start is None else _at(each, start) for each, start in starts])

    def _opening(self, question: Question, passage: Passage) -> Passage | None:
        if question.is_said_by(passage.title):
            return self.truth.opening(passage.document_id, "")
        if passage.section_title and question.is_said_by(passage.section_title):
            return self.truth.opening(passage.document_id, passage.section_id)
        return None


@dataclass(frozen=True)
class ReadOn:
    """Each with what stands around it, as far as no other hit does."""

    truth: Truth

    async def __call__(self, _question: Question, hits: Hits) -> Hits:
        others = [hit.chunk_id for hit in hits.ranked]
        longer = self.truth.read_on([each.passage for each in hits.candidates], others)
        both = zip(hits.candidates, longer, strict=True)
        return replace(hits, candidates=[replace(each, passage=passage) for each, passage in both])


@dataclass(frozen=True)
class KeepApart:
    """The first so many of those that no better one holds as a whole: passages read on into each other."""

    count: int

    async def __call__(self, _question: Question, hits: Hits) -> Hits:
        kept: list[Candidate] = []
        for each in hits.candidates:
            if len(kept) < self.count and not any(_inside(each.passage, other.passage) for other in kept):
                kept.append(each)
        return replace(hits, candidates=kept)


def _inside(one: Passage, other: Passage) -> bool:
    return one.document_id == other.document_id and other.start <= one.start and one.end <= other.end


def _at(each: Candidate, start: Passage) -> Candidate:
    return Candidate(each.hit._replace(chunk_id=start.id), replace(start, opening=True))
