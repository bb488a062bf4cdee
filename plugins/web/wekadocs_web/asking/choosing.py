"""Which pages to read next: links of the pages that were read, and what their site lists where those say too little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from wekadocs_web.brief import Visit
from wekadocs_web.pages import FRAME, INDEX, Link

from .following.candidates import Candidate, Candidates, above, by_name, site_of
from .following.listings import in_frames, in_search, listed
from .following.promising import Need, Wanted
from .opening import plain
from .searching import Look

if TYPE_CHECKING:
    from wekadocs_web.book.pages import PageRow
    from wekadocs_web.state import WebState

    from .decomposition import Analysis
    from .tuning import Tuning

_SITES = 100  # whose lists are kept
_MISSING = 2.0  # a word that no page has said yet counts so many times as much, when a link is chosen
Ranked = list[tuple[float, Candidate]]


@dataclass(frozen=True)
class Read:
    """What the call has come to when it chooses."""

    look: Look
    pages: Mapping[str, PageRow]  # by their addresses, those of the call first
    visits: Sequence[Visit]
    names: frozenset[str]  # all that lead to pages that were read


@dataclass
class Choosing:
    """Of one call."""

    state: WebState
    tuning: Tuning
    analysis: Analysis
    promising: Ranked = field(default_factory=list)
    own_link: float = 0.0  # how promising the pages that were read would be
    _candidates: Candidates = field(default_factory=Candidates)
    _site_read: bool = False
    _index_asked: bool = False
    _tried: int = 0  # rounds that followed links which said nothing

    @property
    def best(self) -> float:
        return self.promising[0][0] if self.promising else 0.0

    async def choose(self, read: Read, wants_more: Callable[[], bool]) -> None:
        """The links that look most promising for what is still asked."""
        for visit in [each for each in read.visits if not each.failed and not self._candidates.has(each.url)]:
            await self._add_links(visit)
        await self._rank(read)
        if not self._index_asked and wants_more():
            self._index_asked = True
            if await self._found(next(iter(read.pages)), read.look):
                await self._rank(read)
        if self.best < self.tuning.strong_link and not self._site_read and wants_more():
            self._site_read = True
            await self._add_site(next(iter(read.pages)))
            await self._rank(read)

    async def _found(self, first: str, look: Look) -> bool:
        """Whether the index of the first page's site names any page."""
        links = await self.state.corpus.in_thread(self.state.library.links.of, first)
        index = next((each.target for each in links if each.text == INDEX), None)
        if index is None:
            return False
        own = [each.target for each in links]
        hits = await in_search(self.state.fetcher, index, own, self._needs(look))
        self._candidates.found(first, 0, [(plain(hit.url), hit.title, hit.said) for hit in hits])
        return bool(hits)

    def tries(self) -> None:
        """The best of them are followed now."""
        self._tried += self.best < self.tuning.link_floor

    async def _add_links(self, visit: Visit) -> None:
        book, in_thread = self.state.library.links, self.state.corpus.in_thread
        links, titles = await in_thread(book.of, visit.url), await in_thread(book.titles, visit.url)
        self._candidates.add(visit.url, visit.depth, [each._replace(target=plain(each.target)) for each in links])
        self._candidates.name({plain(url): title for url, title in titles.items()})

    async def _rank(self, read: Read) -> None:
        visited = {*read.names, *(each.url for each in read.visits)}
        able = self._candidates.within(visited, self.tuning.max_depth)
        own = [self._by_name(page, read.look) for page in read.pages.values()]
        wanted = Wanted(self._needs(read.look), await self.state.corpus.likeness())
        ranked = await asyncio.to_thread(wanted.ranked, [*able, *own])
        self.own_link = max((score for score, each in ranked if each.url in read.pages), default=0.0)
        best = [pair for pair in ranked if pair[1].url not in read.pages]
        likely = [pair for pair in best if pair[0] >= self.tuning.link_floor]
        self.promising = (likely or self._unlikely(best, read))[: self.tuning.candidates]

    def _by_name(self, page: PageRow, look: Look) -> Candidate:
        return by_name(page.url, page.title, _headings(page, look), self._candidates.said_by(plain(page.url)))

    def _unlikely(self, ranked: Ranked, read: Read) -> Ranked:
        """Where nothing is known and no link says anything, what its page links to on its own site may still tell."""
        if read.look.answered >= self.tuning.relevance_floor or self._tried >= self.tuning.blind_rounds:
            return []
        sites = {site_of(url) for url in read.pages}
        return [pair for pair in ranked if any(pair[1].words) and site_of(pair[1].url) in sites]

    async def _add_site(self, first: str) -> None:
        """What the first page shows in frames, what its site lists, and the pages above it."""
        links = await self.state.corpus.in_thread(self.state.library.links.of, first)
        framed = await in_frames(self.state.fetcher, [each.target for each in links if each.text == FRAME])
        urls = [*await self._listed(first), *above(first)]
        found = [*framed, *(Link(url, "", "") for url in urls)]
        self._candidates.add(first, 0, [each._replace(target=plain(each.target)) for each in found])

    async def _listed(self, page: str) -> list[str]:
        """By its site's sitemap; one that was read lately is not read again."""
        lists, site = self.state.lists, "/".join(page.split("/", 3)[:3])
        at, pages = lists.pop(site, (0.0, []))
        if not pages or monotonic() - at >= self.tuning.fresh_seconds:
            at, pages = monotonic(), await listed(self.state.fetcher, page)
        lists[site] = at, pages
        if len(lists) > _SITES:
            lists.pop(next(iter(lists)))
        return pages

    def _needs(self, look: Look) -> list[Need]:
        """The parts of the question that are not answered; words that no page says count more."""
        questions = self.analysis.sub_queries
        parts = look.parts or (0.0,) * len(questions)
        least = max(self.tuning.answered, min(parts))
        return [Need(_words(at, look), questions[at]) for at, answered in enumerate(parts) if answered <= least]


def _words(part: int, look: Look) -> dict[int, float]:
    weighing = look.weighings[part]
    said = frozenset[int]().union(*(weighing.covered(each.passage) for each in look.scored[:5]))
    return {term: share * (1.0 if term in said else _MISSING) for term, share in weighing.shares.items()}


def _headings(page: PageRow, look: Look) -> list[str]:
    """The page's own, and that of its best chunk."""
    best = next((each.passage for each in look.scored if each.passage.document_id == page.document_id), None)
    return [*best.headings[:1], best.section_title] if best is not None else []
