"""chunks.zotero_items: what a project's Zotero library holds, by words, collection, tags or citekey."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..pages import Found, Row, listed
from .asking import has_all, look, words_of
from .library import within

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import ChunksState
    from .items import Item
    from .library import Library


@tool("chunks.zotero_items")
async def zotero_items(
    call: Call[ChunksState],
    project: str,
    query: str | None,
    citekeys: list[str] | None,
    collection: str | None,
    tags: list[str] | None,
    limit: int,
    include_abstract: bool,
    cursor: str | None,
    max_tokens: int | None,
) -> dict[str, Any]:
    call.state.project(project)

    def asked(library: Library) -> list[Item]:
        return _found(library, words_of(query or ""), citekeys, collection or "", tags or [])

    async def find() -> Found:
        found = await look(call, project, asked)
        return [_shown(each, include_abstract) for each in found[:limit]], {"total": len(found)}

    return await listed(call, "items", find, cursor, max_tokens)


def _found(
    library: Library, words: list[str], citekeys: list[str] | None, collection: str, tags: list[str]
) -> list[Item]:
    """Those with the words in their titles first, then the latest."""
    found = [
        each
        for each in library.items
        if (citekeys is None or each.citekey in citekeys or each.key in citekeys)
        and (not collection or within(each, collection))
        and set(tags) <= set(each.tags)
        and (not words or has_all(words, _texts(each)))
    ]
    latest = sorted(found, key=lambda each: (each.modified, each.key), reverse=True)
    return sorted(latest, key=lambda each: not (words and has_all(words, [each.title])))


def _texts(item: Item) -> list[str]:
    people = [f"{family} {given}" for _, family, given in item.people]
    return [item.citekey, item.key, *item.fields.values(), *item.tags, *people]


def _shown(item: Item, abstract: bool) -> Row:
    fields = item.fields
    row: Row = {
        "key": item.key,
        "citekey": item.citekey or None,
        "item_type": item.kind,
        "title": item.title,
        "authors": item.authors,
        "year": item.year,
        "doi": fields.get("DOI"),
        "url": fields.get("url"),
        "library": item.library,
        "collections": item.collections,
        "tags": item.tags,
        "attachments": [vars(each) for each in item.attachments],
        "annotations": len(item.annotations),
    }
    return row | ({"abstract": fields.get("abstractNote")} if abstract else {})
