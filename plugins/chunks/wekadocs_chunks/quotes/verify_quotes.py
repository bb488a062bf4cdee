"""chunks.verify_quotes: which quotations of a text stand on the page they are cited from, and where the others do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import invalid
from ..pages import Found, listed
from ..rendering import part
from ..state import ChunksState, Doing, in_thread, told
from .citations import Quotation, quotations
from .find_quote import shown, stands
from .on_pages import labels_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..projects import Project
    from .finding import Place


@tool("chunks.verify_quotes")
async def verify_quotes(
    call: Call[ChunksState],
    project: str,
    text: str | None,
    quotes: list[dict[str, Any]] | None,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    known = call.state.project(project)

    async def find() -> Found:
        asked = _asked(call, text or "", quotes or [])
        with told(call, project, Doing(f"checking {len(asked)} quotations")):
            rows = await in_thread(call, lambda: [_checked(call.state, known, each) for each in asked])
        return rows, {"count": len(rows), "verified": sum(row["status"] == "verified" for row in rows)}

    return await listed(call, "quotes", find, cursor, max_tokens, counted=False)


def _asked(call: Call[ChunksState], text: str, quotes: list[dict[str, Any]]) -> list[Quotation]:
    if not text and not quotes:
        raise invalid("Pass text with quotations and citations, or quotes.", path="/text")
    asked = list(quotations(text))
    asked += [Quotation(each["quote"], each.get("citekey"), _span(each.get("pages"))) for each in quotes]
    most = call.limits["quotations"]
    if len(asked) > most:
        told_so = f"There are {len(asked)} quotations; at most {most} are checked at a time. Send the text in parts."
        raise invalid(told_so, path="/text", quotations=len(asked), most=most)
    return asked


def _span(pages: list[int] | None) -> tuple[int, int] | None:
    return (pages[0], pages[-1]) if pages else None


def _checked(state: ChunksState, project: Project, asked: Quotation) -> dict[str, Any]:
    row: dict[str, Any] = {"quote": asked.quote, "citekey": asked.citekey, "pages": list(asked.pages or []) or None}
    row |= {"page_labels": list(asked.labels)} if asked.labels and not asked.pages else {}
    row |= {"start": asked.start} if asked.start is not None else {}
    cited = _in_item(state, project, asked)
    found = cited if any(each.verbatim for each in cited) else stands(state, project, asked.quote, [])
    best = _best(found, asked) or (cited[0] if cited else None)
    status = _status(best, asked)
    return {**row, "status": status, "stands": shown(best, project) if best else None}


def _in_item(state: ChunksState, project: Project, asked: Quotation) -> list[Place]:
    return stands(state, project, asked.quote, [("zotero.citekey", asked.citekey)]) if asked.citekey else []


def _best(found: list[Place], asked: Quotation) -> Place | None:
    """On the cited page if it stands there at all."""
    return min(found, key=lambda each: not _on_page(each, asked), default=None)


def _on_page(place: Place, asked: Quotation) -> bool:
    if (asked.pages is None and asked.labels is None) or place.pages is None:
        return asked.pages is None and asked.labels is None
    labels = labels_of(place.chunks, place.pages)
    if asked.pages is None:  # such as iv: only its name tells
        return bool(labels and asked.labels and set(labels) & set(asked.labels))
    spans = [place.pages]
    if labels and labels[0].isdecimal() and labels[1].isdecimal():
        spans.append((int(labels[0]), int(labels[1])))  # people cite what is printed on the page
    return any(first <= asked.pages[1] and asked.pages[0] <= last for first, last in spans)


def _status(place: Place | None, asked: Quotation) -> str:
    if place is None:
        return "not_found"
    if not place.verbatim:
        return "changed"
    if asked.citekey is None:
        return "not_cited"
    if part(place.chunks[0].payload, "zotero").get("citekey") != asked.citekey:
        return "other_item"
    if _on_page(place, asked):
        return "verified"
    return "page_unknown" if place.pages is None else "other_page"
