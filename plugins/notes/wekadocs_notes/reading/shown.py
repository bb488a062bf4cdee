"""A node as answers show it: the seed's fields, contents cut to the seed's lengths."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from wekadocs_kit import truncated

from ..errors import provider_errors

if TYPE_CHECKING:
    from ..index import KeptVault
    from ..vault import Known, Vault

PRIMARY, LISTED, NEIGHBOUR = 10_000, 500, 200  # characters of content
MOST_LINKS, MOST_TAGS = 100, 500
_SUFFIX = "... [truncated]"


def cut(text: str, most: int) -> str:
    """At most so many characters, the suffix among them."""
    return truncated(text, most, _SUFFIX)


def node(kept: KeptVault, id: str, most: int) -> dict[str, Any] | None:
    """A note or a ghost by its own id; None where the file went meanwhile."""
    found = kept.content(id)
    if found is None:
        ghost = kept.vault.ghosts.get(id)
        return {"id": id, "title": ghost.title, "content": None, "tags": [], "links": []} if ghost else None
    note, text = found
    return {"id": id, "title": note.title, "content": cut(text, most), **tags(note), **links(kept.vault, id)}


def tags(note: Known) -> dict[str, Any]:
    """How many there are is told where not all are."""
    more = {"tagCount": len(note.tags)} if len(note.tags) > MOST_TAGS else {}
    return {"tags": list(note.tags[:MOST_TAGS]), **more}


def links(vault: Vault, id: str) -> dict[str, Any]:
    """How many there are is told where not all are."""
    ends = vault.ends_of(id)
    named = [{"id": end, "title": vault.title_of(end)} for end in ends[:MOST_LINKS]]
    return {"links": named, **({"linkCount": len(ends)} if len(ends) > MOST_LINKS else {})}


def with_links(row: dict[str, Any], most: int) -> dict[str, Any]:
    """A node that is shown already, with no more than so many of its links."""
    links = row["links"]
    return row if len(links) <= most else {**row, "links": links[:most], "linkCount": row.get("linkCount", len(links))}


async def listed(kept: KeptVault, ids: Iterable[str], most: int = LISTED) -> list[dict[str, Any]]:
    """Those that are still there, in this order."""

    def read() -> list[dict[str, Any]]:
        with kept.turn:
            return [found for id in ids if (found := node(kept, id, most)) is not None]

    with provider_errors():
        return await asyncio.to_thread(read)
