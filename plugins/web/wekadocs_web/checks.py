"""For doctor: what keeps pages from being fetched or shown."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from wekadocs_mcp import Finding

if TYPE_CHECKING:
    from .state import WebState


async def fetching(state: WebState) -> list[Finding]:
    from wekadocs_fetch import proxied

    found = []
    if proxied() and not state.settings["trust_proxy"]:
        note = "the environment names a proxy, and nothing is fetched by a proxy that is not trusted"
        found.append(Finding("warning", "proxy", note, "plugins.web.trust_proxy: true, or NO_PROXY"))
    browser = state.settings.get("browser")
    if browser and shutil.which(browser) is None:
        note = "the browser for pages that need their scripts is not installed"
        found.append(Finding("warning", "browser", note, "install it, or correct plugins.web.browser"))
    totals = await state.corpus.in_thread(state.book.totals)
    return found or [Finding("ok", "", f"{totals.documents} pages")]
