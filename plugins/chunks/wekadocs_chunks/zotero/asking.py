"""A project's Zotero library for a call, or why there is none to be had."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from wekadocs_mcp import ToolError

from ..errors import invalid
from ..references.records import Unreadable
from ..state import ChunksState, Doing, in_thread, told

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .library import Library

Result = TypeVar("Result")


async def look(call: Call[ChunksState], project: str, work: Callable[[Library], Result]) -> Result:
    """In a thread, on the library as it is now."""
    known = call.state.project(project)
    if not known.zotero:
        way = "name its database or local_api under zotero in the project's settings"
        raise invalid(f"Project {project!r} has no Zotero library: {way}.", path="/project")
    try:
        with told(call, project, Doing("reading Zotero's library")):
            return await in_thread(call, lambda: work(call.state.bibliographies.zotero(known)))
    except Unreadable as error:
        raise ToolError("BACKEND_UNAVAILABLE", f"{error}.", {"project_id": project}, retryable=True) from None


def words_of(text: str) -> list[str]:
    """Folded: letters without accents, in lower case."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return "".join(each if each.isalnum() else " " for each in plain.casefold()).split()


def has_all(asked: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether every word that was asked for begins a word of the texts."""
    there = {word for text in texts for word in words_of(text)}
    return all(each in there or any(word.startswith(each) for word in there) for each in asked)
