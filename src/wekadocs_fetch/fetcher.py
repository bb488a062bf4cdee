"""The door: a URL goes in, hop by hop it is checked and asked for, a page comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import httpx

from . import media_types, refreshing
from .asking import REDIRECTS, Answer, Asker, Wanted, not_read
from .charsets import charset_of, decoded
from .fetched import Fetched, FetchFailed
from .guard.policy import Policy
from .guard.resolving import Resolve, by_system
from .keeping.cache import Cache
from .limits import Limits
from .proxies import BY_PROXY, proxy_for
from .rendering.browser import Browser
from .robots.remembering import Robots
from .robots.rules import MOST_BYTES, Rules
from .urls import WebUrl

_REDIRECTS_OF_ROBOTS = 5


class Fetcher:
    """One per process. Cancelled, a fetch stops at once and closes its connection."""

    def __init__(
        self,
        limits: Limits,
        policy: Policy,
        *,
        cache_dir: Path | None = None,
        trust_proxy: bool = False,
        ca_file: str | None = None,
        resolve: Resolve = by_system,
        browser: str | None = None,
        browser_arguments: Sequence[str] = (),
    ) -> None:
        self.limits = limits
        self.policy = policy
        self._asker = Asker(limits, policy, resolve, trust_proxy=trust_proxy, ca_file=ca_file)
        self._robots = Robots(self._robots_txt, limits.user_agent, self._asker.turns.slow_down)
        self._browser = Browser(browser, browser_arguments, policy, resolve) if browser else None
        self._cache = Cache(cache_dir if limits.cache_bytes else None, limits.cache_bytes)

    @classmethod
    def of(cls, settings: Mapping[str, Any], cache_dir: Path | None) -> Fetcher:
        """ValueError for settings that mean nothing."""
        return cls(
            Limits.of(settings),
            Policy.of(settings),
            cache_dir=cache_dir,
            trust_proxy=settings["trust_proxy"],
            ca_file=settings.get("ca_file"),
            browser=settings.get("browser"),
            browser_arguments=settings["browser_arguments"],
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._asker.close()

    async def fetch(
        self,
        url: str,
        *,
        deadline: float | None = None,
        accept: Collection[str] = media_types.READ,
        revalidate: bool = False,
    ) -> Fetched:
        """The page, by `deadline` (time.monotonic) at the latest; `revalidate`: its server is asked though it is fresh.

        FetchFailed says why there is none.
        """
        asked = WebUrl.of(url)
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.timeout_seconds
        try:
            async with asyncio.timeout_at(min(until, deadline) if deadline is not None else until) as timer:
                return await self._fetched(asked, Wanted(accept), revalidate)
        except TimeoutError:
            if not timer.expired():
                raise
            raise FetchFailed(str(asked), "TIMEOUT", "it did not come in time", passing=True) from None

    @property
    def renders(self) -> bool:
        """Whether there is a browser for pages that need their scripts."""
        return self._browser is not None

    async def render(self, page: Fetched, *, deadline: float | None = None) -> Fetched:
        """A page that was fetched, as a browser shows it once its scripts have run."""
        url = WebUrl.of(page.final_url)
        if self._browser is None or proxy_for(url) is not None:
            raise FetchFailed(str(url), "RENDER_FAILED", "no browser is set up for it, or it is behind a proxy")
        left = self.limits.timeout_seconds
        if deadline is not None:
            left = min(left, deadline - asyncio.get_running_loop().time())
        body = await self._browser.shown(url, self.limits.max_decompressed_bytes, max(left, 0.1))
        return replace(page, body=body, charset="utf-8", media_type="text/html", from_cache=False)

    async def site_rules(self, url: str) -> Rules:
        """What the site's robots.txt says; its sitemaps too."""
        return await self._robots.rules(WebUrl.of(url))

    async def _fetched(self, asked: WebUrl, wanted: Wanted, revalidate: bool) -> Fetched:
        answer, way = await self._followed(asked, wanted, self.limits.max_redirects, revalidate)
        kind, said = media_types.told(httpx.Response(200, headers=answer.headers))
        kind = media_types.of(kind, answer.body)
        if wanted.media_types and kind not in wanted.media_types:
            raise not_read(answer.url, kind)
        charset, wrong = charset_of(answer.body, said) if media_types.is_text(kind) else (None, None)
        return Fetched(
            url=str(asked),
            final_url=str(answer.url),
            status=answer.status,
            media_type=kind,
            charset=charset,
            body=answer.body,
            fetched_at=answer.at,
            from_cache=answer.from_cache,
            etag=answer.headers.get("ETag"),
            last_modified=answer.headers.get("Last-Modified"),
            canonical=_canonical(answer),
            redirects=tuple(str(each) for each in way),
            language=answer.headers.get("Content-Language"),
            notes=(f"its server calls it {wrong}, and its bytes are {charset}",) if wrong else (),
        )

    async def _followed(
        self, asked: WebUrl, wanted: Wanted, most: int, revalidate: bool = False, robots: bool = True
    ) -> tuple[Answer, list[WebUrl]]:
        """Hop by hop, each as if it had been asked for."""
        url = asked
        way: list[WebUrl] = []
        while True:
            self.policy.check_url(url)
            if robots and self.limits.robots:
                await self._robots.check(url)
            answer = await self._one(url, wanted, revalidate)
            onward = self._onward(url, answer, wanted)
            if onward is None:
                return self._landed(asked, answer), way
            way.append(url)
            url = onward
            if url in way:
                raise FetchFailed(str(asked), "TOO_MANY_REDIRECTS", "its redirects lead in a circle")
            if len(way) > most:
                raise FetchFailed(str(asked), "TOO_MANY_REDIRECTS", f"it redirects more than {most} times")

    @staticmethod
    def _onward(url: WebUrl, answer: Answer, wanted: Wanted) -> WebUrl | None:
        """Where this one leads: its server says so, or the page itself, which may not mean it as strictly."""
        if answer.status in REDIRECTS:
            place = answer.headers.get("Location")
            return url.join(place) if place is not None else None
        kind, _ = media_types.told(httpx.Response(200, headers=answer.headers))
        if wanted.any_status or media_types.of(kind, answer.body) not in media_types.HTML:
            return None
        place = refreshing.leads_to(answer.body)
        try:
            onward = url.join(place) if place is not None else url
        except FetchFailed:
            return None
        return onward if onward != url else None

    @staticmethod
    def _landed(asked: WebUrl, answer: Answer) -> Answer:
        if answer.status in REDIRECTS:
            raise FetchFailed(str(asked), f"HTTP_{answer.status}", "it redirects to nowhere")
        return answer

    async def _one(self, url: WebUrl, wanted: Wanted, revalidate: bool) -> Answer:
        """From this machine while it is fresh, confirmed by its server where that is possible, else anew."""
        kept = await self._cache.get(url) if not wanted.any_status else None
        if kept is not None and kept.fresh and not revalidate and self._still_allowed(kept.answer):
            return kept.answer
        answer = await self._asker.ask(url, wanted, kept.conditions if kept is not None else {})
        if answer.status == 304 and kept is not None:
            return await self._cache.renewed(kept, answer)
        if answer.status == 304:
            raise FetchFailed(str(url), "HTTP_304", "its server says that nothing changed, which nobody asked")
        if not wanted.any_status:
            await self._cache.put(answer)
        return answer

    def _still_allowed(self, answer: Answer) -> bool:
        """Settings may have changed since it was kept."""
        from .guard.spellings import as_address

        if answer.addresses == (BY_PROXY,):
            return self._asker.goes_by_proxy(answer.url)
        try:
            for each in answer.addresses:
                address = as_address(each)
                if address is not None:
                    self.policy.check_address(answer.url, address)
        except FetchFailed:
            return False
        return bool(answer.addresses)

    async def _robots_txt(self, url: WebUrl) -> tuple[int, str]:
        wanted = Wanted(media_types=(), cut_at=MOST_BYTES, any_status=True)
        answer, _ = await self._followed(url, wanted, _REDIRECTS_OF_ROBOTS, robots=False)
        return answer.status, decoded(answer.body, "utf-8")


def _canonical(answer: Answer) -> str | None:
    """By the header Link (RFC 6596), where it is a URL of ours."""
    link = httpx.Response(200, headers=answer.headers).links.get("canonical", {}).get("url")
    if not link:
        return None
    try:
        return str(answer.url.join(link))
    except FetchFailed:
        return None
