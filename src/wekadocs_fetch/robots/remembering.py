"""The rules of each site, asked for once a day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ..fetched import FetchFailed
from ..urls import WebUrl
from .rules import Rules, read

_DAY = 24 * 3600.0
_SOON = 60.0  # after which a site that could not be asked is asked again
_MOST_KEPT = 2000
Ask = Callable[[WebUrl], Awaitable[tuple[int, str]]]


@dataclass
class _Known:
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: Rules | None = None
    until: float = 0.0


class Robots:
    """`ask` gives status and text of a robots.txt, redirects followed, or raises FetchFailed."""

    def __init__(self, ask: Ask, user_agent: str, slow_down: Callable[[str, float], None]) -> None:
        self._ask = ask
        self._product = user_agent.partition("/")[0].partition(" ")[0]
        self._slow_down = slow_down
        self._known: dict[str, _Known] = {}

    async def check(self, url: WebUrl) -> None:
        """FetchFailed where the site does not want us there."""
        rules = await self.rules(url)
        if not rules.allow(url.target):
            code = "ROBOTS_UNREACHABLE" if rules.why_not else "ROBOTS_DISALLOWED"
            reason = rules.why_not or "its site's robots.txt does not allow it"
            raise FetchFailed(str(url), code, reason, passing=bool(rules.why_not))

    async def rules(self, url: WebUrl) -> Rules:
        if url.origin not in self._known and len(self._known) >= _MOST_KEPT:
            self._known.clear()
        known = self._known.setdefault(url.origin, _Known())
        async with known.asking:
            if known.rules is None or time.monotonic() > known.until:
                known.rules, kept = await self._asked(url)
                known.until = time.monotonic() + kept
                self._slow_down(url.origin, known.rules.delay)
            return known.rules

    async def _asked(self, url: WebUrl) -> tuple[Rules, float]:
        """4xx: there is none, everything is allowed. 5xx: nothing is, for now."""
        place = url.join("/robots.txt")
        try:
            status, text = await self._ask(place)
        except FetchFailed as error:
            if error.code in ("URL_REFUSED", "URL_INVALID", "TOO_MANY_REDIRECTS", "BAD_ENCODING"):
                return Rules(), _DAY
            raise FetchFailed(str(url), error.code, error.reason, passing=error.passing) from None
        if status < 400:
            return read(text, self._product), _DAY
        if status in (408, 425, 429) or status >= 500:
            why = f"its site's robots.txt cannot be had now (HTTP {status}), so nothing there is asked for"
            return Rules(why_not=why), _SOON
        return Rules(), _DAY
