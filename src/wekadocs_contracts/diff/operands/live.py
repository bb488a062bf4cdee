"""A live server, or a published version of one that is started for it: what it offers, as it offers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.diff.rules.keywords import mapping
from wekadocs_contracts.live.asking import ask
from wekadocs_contracts.live.calling import Calling, Offer
from wekadocs_contracts.live.published import published
from wekadocs_text import one_line

from .files import wire_tools
from .sides import Operand, Reading


def read_live(text: str, reading: Reading) -> Operand:
    offer = offered(text, reading.calling)
    right = reading.calling.token or any(name.lower() == "authorization" for name, _ in reading.calling.headers)
    who = "with a bearer" if right else "anonymously"
    asked = [f"{text} was asked {who}; a list may differ by caller"] if text.startswith("http") else []
    tools = wire_tools(offer.lists["tools"], text)
    notes = [*asked, *offer.notes, *_refused(text, tools)]
    return Operand.of(text, "live", tools, "; ".join(notes), offer.as_dict())


def _refused(text: str, tools: Sequence[ToolSide]) -> Iterator[str]:
    """What clients with the SDK never see, because it refuses the whole list for it."""
    untyped = [side.name for side in tools if mapping(side.wire.get("inputSchema")).get("type") != "object"]
    if untyped:
        shown = ", ".join(map(one_line, untyped[:5]))
        yield f"{text}: strict clients refuse its list, for want of type: object in the inputSchema of {shown}"


def offered(text: str, calling: Calling) -> Offer:
    if text.startswith(("npm:", "pypi:")):
        return published(text, calling)
    return ask(text, calling)
