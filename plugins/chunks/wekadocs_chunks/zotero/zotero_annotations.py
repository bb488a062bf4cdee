"""chunks.zotero_annotations: what readers marked and wrote in a project's Zotero library, with page and colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..pages import Found, Row, listed
from .asking import has_all, look, words_of
from .items import colour_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wekadocs_mcp import Call

    from ..state import ChunksState
    from .items import Annotation, Item
    from .library import Library


@tool("chunks.zotero_annotations")
async def zotero_annotations(
    call: Call[ChunksState],
    project: str,
    citekeys: list[str] | None,
    query: str | None,
    colours: list[str] | None,
    kinds: list[str] | None,
    tags: list[str] | None,
    limit: int,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    call.state.project(project)

    def asked(library: Library) -> list[tuple[Item, Annotation]]:
        items = [each for each in library.items if not citekeys or {each.citekey, each.key} & set(citekeys)]
        return [
            (item, each)
            for item in items
            for each in item.annotations
            if _wanted(each, words_of(query or ""), colours, kinds, tags)
        ]

    async def find() -> Found:
        found = await look(call, project, asked)
        return [_shown(item, each) for item, each in found[:limit]], {"total": len(found)}

    return await listed(call, "annotations", find, cursor, max_tokens)


def _wanted(
    mark: Annotation,
    words: Sequence[str],
    colours: Sequence[str] | None,
    kinds: Sequence[str] | None,
    tags: Sequence[str] | None,
) -> bool:
    wanted = {each.lower() for each in colours or ()}
    return (
        (not kinds or mark.kind in kinds)
        and (not wanted or bool({mark.colour.lower(), colour_name(mark.colour)} & wanted))
        and set(tags or ()) <= set(mark.tags)
        and (not words or has_all(words, [mark.text, mark.comment]))
    )


def _shown(item: Item, mark: Annotation) -> Row:
    return {
        "key": mark.key,
        "item_key": item.key,
        "citekey": item.citekey or None,
        "title": item.title,
        "kind": mark.kind,
        "text": mark.text,
        "comment": mark.comment or None,
        "colour": mark.colour or None,
        "colour_name": colour_name(mark.colour) or None,
        "page_label": mark.page_label or None,
        "page": mark.page,
        "tags": list(mark.tags),
        "attachment_key": mark.attachment or None,
        "modified": mark.modified,
    }
