"""One call of web.answer: pages opened, searched, followed as far as they do not answer, and put together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_fetch import shown_url
from wekadocs_web.brief import Visit

from .choosing import Choosing, Read
from .decisions import Decision, Standing, decide, redundancy, wants_links
from .following.candidates import Candidate
from .opening import Opened, Opening, plain
from .searching import Look, Searching
from .tuning import Tuning

if TYPE_CHECKING:
    from wekadocs_corpus import Passage
    from wekadocs_web.book.pages import PageRow
    from wekadocs_web.state import WebState

Told = Callable[[str], Awaitable[None]]
_LATE = "it was not read in time"
_AS_GOOD = 0.6  # of the best link's score: what looks worse waits for the next round


@dataclass
class Research:
    """Everything it knows so far stands here: when time runs out, that is the answer."""

    state: WebState
    tuning: Tuning
    searching: Searching
    told: Told
    most_steps: int  # pages are followed so many times
    token_budget: int
    mode: str = "chunk"
    pages: dict[str, PageRow] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    failed: list[Opened] = field(default_factory=list)
    look: Look = field(default_factory=Look)
    decision: Decision = field(default_factory=lambda: Decision(False, ""))
    iterations: int = 0
    ingested: int = 0
    unscoped: bool = False  # all pages that are indexed, however many
    exhausted: bool = False  # it would have gone on
    late: bool = False  # time ran out
    timings_ms: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opening = Opening(self.state, self.told, self.tuning.fresh_seconds)
        self.choosing = Choosing(self.state, self.tuning, self.searching.analysis)
        self._named: list[str] = []
        self._under_way: list[Candidate] = []
        self._searched: set[str] = set()

    async def open(self, urls: Sequence[str]) -> None:
        """The pages that the caller named, at once; each counts as soon as it is there."""
        self._named = list({plain(url): url for url in reversed(urls)}.values())[::-1]

        async def one(url: str) -> None:
            opened = await self.opening.one(url)
            self._note(opened, None, 0)
            if opened.reason:
                self.failed.append(opened)

        await asyncio.gather(*map(one, self._named))

    async def end_early(self) -> None:
        """Time has run out: what was read is searched, what was not is told."""
        told = {*self.opening.seen, *(each.asked for each in self.failed)}
        late = [url for url in self._named if url not in told and plain(url) not in told]
        self.failed += [Opened(url, reason=_LATE, code="TIMEOUT") for url in late]
        known = {*self.opening.seen, *(each.url for each in self.visits)}
        self.visits += [
            Visit(each.url, each.found_on, each.depth, ms=self.timings_ms["expansion"], failed=_LATE)
            for each in self._under_way
            if each.url not in known
        ]
        self.late, self.decision = True, Decision(False, "out of time")
        if self.pages.keys() != self._searched:
            await self.search()

    async def run(self) -> None:
        """Searches, decides, follows, until nothing more is to be read."""
        self.mode = self._mode()
        await self.search()
        self.visits = [_scored(each, self.look.top, self.look.top) for each in self.visits]
        if not any(each.shares for each in self.look.weighings):
            self.decision = Decision(False, "the question has no words to look for")
            return
        barren = 0
        while True:
            await self._choose()
            self.decision = decide(self._standing(barren), self.tuning)
            if not self.decision.expand:
                return
            if self.iterations >= self.most_steps:
                self.exhausted = True
                return
            barren = 0 if await self._follow() else barren + 1

    async def search_only(self) -> None:
        """What is indexed, and nothing more."""
        self.mode = self._mode()
        await self.search()
        self.decision = Decision(False, "search of indexed pages only")

    async def search(self) -> None:
        library = self.state.library
        area = library.everything if self.unscoped else library.area(self.pages)
        await self.told(f"Searching {len(self.pages)} documents...")
        whole = await self._everything() if self.mode == "full_context" else []
        chunks = sum(row.chunks for row in self.pages.values())
        await self.told(f"Reranking {chunks} chunks...")
        self.look = await self.searching.look(area, chunks, whole)
        self._searched = set(self.pages)
        self._spent("retrieval", self.look.retrieval_ms)
        self._spent("reranking", self.look.reranking_ms)

    def _mode(self) -> str:
        if self.mode != "auto":
            return self.mode
        tokens = sum(row.tokens for row in self.pages.values())
        return "full_context" if tokens <= self.token_budget // 2 else "chunk"

    async def _everything(self) -> list[Passage]:
        corpus = self.state.corpus
        rows = [await corpus.in_thread(corpus.truth.chunks_of, row.document_id) for row in self.pages.values()]
        return [passage for each in rows for passage in each]

    def _note(self, opened: Opened, found_on: str | None, depth: int) -> None:
        page = opened.page
        if page is None:
            visit = Visit(shown_url(plain(opened.asked)), found_on, depth, ms=opened.ms, failed=opened.reason)
        elif page.url in self.pages:
            return
        else:
            self.pages[page.url] = page
            self.ingested += opened.new
            visit = Visit(page.url, found_on, depth, page.chunks, ms=opened.ms)
        self.visits.append(visit)

    async def _choose(self) -> None:
        read = Read(self.look, self.pages, self.visits, frozenset(self.opening.seen))
        able = self.iterations < self.most_steps
        await self.choosing.choose(read, lambda: able and wants_links(self._standing(0), self.tuning))

    def _standing(self, barren: int) -> Standing:
        scores = [each.relevance for each in self.look.scored]
        kept = [each for each in self.look.scored if each.relevance >= self.tuning.relevance_floor]
        fill = sum(each.passage.tokens for each in kept) / max(1, self.token_budget)
        return Standing(
            iteration=self.iterations,
            scores=scores,
            answered=self.look.answered,
            fill=fill,
            redundancy=redundancy(scores[:20]),
            documents=len({each.passage.document_id for each in kept}),
            barren=barren,
            best_link=self.choosing.best,
            said=self.look.said,
            tells=self.look.tells,
            own_link=self.choosing.own_link,
        )

    async def _follow(self) -> bool:
        """One step: the best linked pages, at once. Whether it brought anything better."""
        began, before = perf_counter(), self.look
        self.iterations += 1
        await self.told(f"Expanding to linked pages (iteration {self.iterations}/{self.most_steps})...")
        self.choosing.tries()
        least = _AS_GOOD * self.choosing.best
        chosen = [each for score, each in self.choosing.promising[: self.tuning.pages_per_step] if score >= least]
        known, self._under_way = len(self.visits), chosen

        async def one(candidate: Candidate) -> None:
            self._note(await self.opening.one(candidate.url), candidate.found_on, candidate.depth)

        try:
            await asyncio.gather(*map(one, chosen))
        finally:
            self._spent("expansion", (perf_counter() - began) * 1000)
        self._under_way = []
        await self.search()
        self.visits[known:] = [self._after(each, before.top) for each in self.visits[known:]]
        near = max(before.top - self.tuning.plateau, self.tuning.relevance_floor)
        close = [sum(each.relevance >= near for each in look.scored) for look in (before, self.look)]
        return self.look.answered > before.answered + self.tuning.plateau or close[1] > close[0]

    def _after(self, visit: Visit, before: float) -> Visit:
        if visit.failed:
            return visit
        row = self.pages[visit.url]
        own = [each.relevance for each in self.look.scored if each.passage.document_id == row.document_id]
        return _scored(visit, before, max([before, *own]))

    def _spent(self, phase: str, ms: float) -> None:
        self.timings_ms[phase] = self.timings_ms.get(phase, 0.0) + ms


def _scored(visit: Visit, before: float, after: float) -> Visit:
    if visit.failed:
        return visit
    return Visit(visit.url, visit.found_on, visit.depth, visit.chunks, before, after, visit.ms)
