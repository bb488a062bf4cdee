"""What answer and search share: progress by phases, the way out as a brief, failures in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_mcp import Answer, ToolError

from .events import completed, responded

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .asking.opening import Opened
    from .brief import Result
    from .state import WebState

_LEAST_TOKENS = 400
# Where in the work, of 100, a phase that begins so stands; within one it goes on by little.
_PHASES: tuple[tuple[str, int], ...] = (
    ("Checking", 1),
    ("Scraping", 5),
    ("Indexed", 15),
    ("Analyzing", 30),
    ("Searching", 40),
    ("Reranking", 50),
)
_PHASES += (("Expanding", 55), ("Grabbing", 85), ("Assembling", 95))
_CODES = {"TIMEOUT": "FETCH_TIMEOUT"}  # a page's own, not the call's


class Phases:
    """Progress of one call, always forward."""

    def __init__(self, call: Call[WebState]) -> None:
        self._call = call
        self._at = 0.0

    async def tell(self, message: str) -> None:
        place = next((at for word, at in _PHASES if message.startswith(word)), 0)
        self._at = max(self._at + (99.0 - self._at) / 200, float(place)) if self._at < 99 else self._at + 0.001
        await self._call.progress(round(self._at, 3), 100, message)


def sent(call: Call[WebState], result: Result) -> Answer:
    """The brief within its tokens, and within the bytes that an answer may have."""
    from .brief import compose

    budget = call.limits["response_tokens"]
    completed(call.tool, result.stats.total_ms, len(result.evidence), result.stats.mode)
    brief = compose(result, budget)
    while budget > _LEAST_TOKENS and not (
        call.budget.holds(brief.data) and len(brief.text.encode("utf-8", "replace")) <= call.budget.limit
    ):
        budget = budget * 3 // 4
        brief = compose(result, budget)
    responded(call.tool, brief.tokens, budget, brief.sizes)
    return Answer(brief.data, text=brief.text)


def nothing_read(failed: Sequence[Opened]) -> ToolError:
    """None of the pages could be had."""
    told = "; ".join(f"{each.name}: {each.reason}" for each in failed)
    what = "The page could not be read" if len(failed) == 1 else "None of the pages could be read"
    details = {"failed": [{"url": each.name, "reason": each.reason, "code": each.code} for each in failed]}
    code = _CODES.get(failed[0].code, failed[0].code) if failed else "FETCH_FAILED"
    return ToolError(code or "FETCH_FAILED", f"{what}: {told}.", details)
