"""What a search finds, kept in step with the notes: passages in a collection of the corpus, a note's all at once."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..vault import Known
from .kept import KeptVault, mark_of
from .passages import prepared

if TYPE_CHECKING:
    from wekadocs_corpus import Claim, Corpus, Embedder, FoundChunk, NewChunk

_AT_ONCE = 100  # notes of one transaction
_MOST_PASSAGES = 20_000  # looked at for notes that a filter leaves
_FEW = 500  # notes that a filter leaves, up to which each is compared instead of looked for among all
_A_MOMENT = 0.2  # seconds
_A_TRANSACTION = 60.0  # seconds that others may write before it


class FoundNote(NamedTuple):
    """A note with its best passage."""

    id: str
    score: float
    start: int  # of the passage in the note's content; -1 where the note's title or tags were found
    end: int


class Finder:
    """Of one vault."""

    def __init__(self, corpus: Corpus, kept: KeptVault) -> None:
        self._corpus, self._kept = corpus, kept
        self._project = f"notes/{kept.key}"
        self._turn = threading.Lock()
        self._stop = threading.Event()
        self._embedder: Embedder | None = None

    def stop(self) -> None:
        """What is being taken in stays whole; the rest waits for the next start."""
        self._stop.set()

    async def embedder(self) -> Embedder:
        if self._embedder is None:
            self._embedder = await self._corpus.embedder()
        return self._embedder

    async def catch_up(self, seconds: float) -> int:
        """Take in what changed, for at most so long; how many notes are still missing."""
        if not self._kept.is_waiting:
            return 0
        return await asyncio.to_thread(self._caught_up, await self.embedder(), time.monotonic() + seconds)

    def _caught_up(self, embedder: Embedder, late: float) -> int:
        """Whoever comes while another takes notes in waits for them, and goes on after a while without them."""
        while self._kept.is_waiting:
            left = late - time.monotonic()
            if left <= 0 or self._stop.is_set():
                return self._kept.count_waiting
            if self._turn.acquire(timeout=min(left, _A_MOMENT)):
                try:
                    if some := self._kept.waiting(_AT_ONCE):  # now, for another one may have taken some meanwhile
                        self._take(some, embedder)
                finally:
                    self._turn.release()
        return 0

    def _take(self, ids: Sequence[str], embedder: Embedder) -> None:
        """Notes that are gone have no passages any more."""
        notes = [note for id in ids if (note := self._kept.read(id)) is not None]
        self._replace(ids, prepared(notes, embedder), embedder)
        marks = {note.id: mark_of(Known.of(note, 0, 0)) for note in notes}
        self._kept.set_found([(id, marks.get(id, "")) for id in ids])

    def _replace(self, ids: Sequence[str], chunks: list[NewChunk], embedder: Embedder) -> None:
        from wekadocs_corpus import OtherModel

        collections, claim = self._corpus.collections, self._claim(embedder)
        late = time.monotonic() + _A_TRANSACTION
        try:
            collections.replace(claim, ids, chunks, late)
        except OtherModel:  # another model is configured than was
            collections.migrate(claim, embedder, [], late)
            collections.replace(claim, ids, chunks, late)

    def _claim(self, embedder: Embedder) -> Claim:
        from wekadocs_corpus import Claim

        profile = embedder.profile
        return Claim(self._project, f"notes-{self._kept.key[:16]}", profile.id, profile.dimension, ())

    async def search(
        self, text: str, limit: int, wanted: Callable[[str], bool] = lambda _: True, among: Sequence[str] | None = None
    ) -> list[FoundNote]:
        """The best of the wanted notes, equal scores by id. `among`: all that are wanted, where somebody knows them."""
        from wekadocs_corpus import Query, Rebound

        embedder = await self.embedder()
        vector = await asyncio.to_thread(embedder.embed_query, text)
        profile, many = embedder.profile, 5 * limit
        few = among if among is not None and len(among) <= _FEW else None
        while True:
            query = Query(text, profile.id, vector, (), many, True, profile.fusion, True, few)
            try:
                chunks = await self._corpus.collections.ask(self._project, query)
            except Rebound:
                return []  # nothing of this model is stored yet
            notes = [each for each in _best(chunks) if wanted(each.id)]
            if len(notes) >= limit or len(chunks) < many or many > _MOST_PASSAGES:
                return sorted(notes, key=lambda each: (-each.score, each.id))[:limit]
            many *= 4


def _best(chunks: Sequence[FoundChunk]) -> list[FoundNote]:
    notes: dict[str, FoundNote] = {}
    for each in chunks:  # best first
        if each.chunk.doc not in notes:
            place = each.chunk.payload
            notes[each.chunk.doc] = FoundNote(each.chunk.doc, each.scored.score, place["start"], place["end"])
    return list(notes.values())
