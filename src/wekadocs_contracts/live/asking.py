"""One conversation with a server: the handshake of the older era, else none; then every page of what it offers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from wekadocs_contracts.diff.problems import Unreachable
from wekadocs_text import one_line

from .calling import NEWER, OLDER, Calling, Line, Offer, Refusal

_CLIENT = {"name": "wekadocs-contracts", "version": "1"}
_META = "io.modelcontextprotocol/"
_MAX_PAGES, _MAX_ITEMS = 500, 10_000
# What is listed, by which method, and which capability says so.
_LISTS = {
    "tools": ("tools/list", "tools"),
    "prompts": ("prompts/list", "prompts"),
    "resources": ("resources/list", "resources"),
    "resourceTemplates": ("resources/templates/list", "resources"),
}


def ask(text: str, calling: Calling) -> Offer:
    """`text` is a URL, or stdio: and a command. Raises Unreachable with what is to be done."""
    return converse(text, _line(text, calling), calling, time.monotonic() + calling.seconds)


def converse(text: str, line: Line, calling: Calling, deadline: float) -> Offer:
    try:
        return _Conversation(line, deadline).offer()
    except Refusal as error:
        raise Unreachable(f"{text}: {error}") from None
    except TimeoutError:
        raise Unreachable(f"{text}: no answer within {calling.seconds:g} s (--timeout)") from None
    finally:
        line.close()


def _line(text: str, calling: Calling) -> Line:
    if text.startswith("stdio:"):
        from .stdio import StdioLine

        return StdioLine(text)
    from .http import HttpLine

    return HttpLine(text, calling)


class _Conversation:
    def __init__(self, line: Line, deadline: float) -> None:
        self.line = line
        self.deadline = deadline
        self.number = 0
        self.meta: dict[str, Any] = {}  # what every request of the newer era carries

    def offer(self) -> Offer:
        offer = Offer(self._begun(), notes=self.line.notes)
        capabilities = offer.initialized.get("capabilities")
        for name, (method, needed) in _LISTS.items():
            if name == "tools" or (isinstance(capabilities, Mapping) and needed in capabilities):
                offer.lists[name] = self._listed(name, method, offer.notes)
        return offer

    def _begun(self) -> dict[str, Any]:
        """Every server that has a handshake answers it; one that has none says so."""
        hello = {"protocolVersion": OLDER, "capabilities": {}, "clientInfo": _CLIENT}
        try:
            answer = self._ask("initialize", hello)
        except Refusal:
            self.meta = {
                f"{_META}protocolVersion": NEWER,
                f"{_META}clientInfo": _CLIENT,
                f"{_META}clientCapabilities": {},
            }
            return {**self._ask("server/discover", {}), "protocolVersion": NEWER}
        self.line.notify({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        if self.meta:
            params = {**params, "_meta": self.meta}
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        answer = self.line.request(message, self.deadline)
        if isinstance(answer.get("result"), dict):
            found: dict[str, Any] = answer["result"]
            return found
        error = answer.get("error")
        told, code = (error.get("message"), error.get("code")) if isinstance(error, dict) else (error, None)
        raise Refusal(one_line(f"{method} is refused: {told!s:.300}"), code)

    def _listed(self, name: str, method: str, notes: list[str]) -> list[Any]:
        found: list[Any] = []
        try:
            for page in self._pages(method):
                rows = page.get(name)
                found.extend(rows if isinstance(rows, list) else [])
                if len(found) > _MAX_ITEMS:
                    raise Unreachable(f"{method}: more than {_MAX_ITEMS} entries")
        except Refusal as error:
            if name == "tools":
                raise
            notes.extend([] if error.is_unknown else [str(error)])
        return found

    def _pages(self, method: str) -> Iterator[dict[str, Any]]:
        cursor: object = None
        seen: set[str] = set()
        for _ in range(_MAX_PAGES):
            page = self._ask(method, {"cursor": cursor} if cursor else {})
            yield page
            cursor = page.get("nextCursor")
            if not cursor:
                return
            if str(cursor) in seen:
                break
            seen.add(str(cursor))
        raise Unreachable(f"the server's pages of {method} never end")
