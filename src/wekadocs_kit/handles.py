"""Passages that answers point at: who may use them, how answers name them, and what the scratch plugin yields."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from wekadocs_mcp import ToolError

from .kept import Kept, Owner

if TYPE_CHECKING:
    from wekadocs_corpus import Passage, Scope
    from wekadocs_mcp import Call


@runtime_checkable
class Scratch(Protocol):
    """What plugin `scratch` yields: passages handed out and found again, and what cursors stand for."""

    async def session(self, call: Call[object], asked: str | None = None) -> str:
        """The session an answer belongs to; raises where the one asked for is not the caller's."""

    def keep(self, call: Call[object], session_id: str, found: Sequence[tuple[Passage, tuple[int, int]]]) -> list[Kept]:
        """Passages of the corpus, each with the span that won; each gets its id."""

    async def passage(self, call: Call[object], passage_id: str, argument: str = "passage_id") -> Kept:
        """With its text; raises what the caller may be told."""

    def add_page(self, call: Call[object], binding: str, rest: object) -> str:
        """A cursor for the rest of an answer; `rest` is anything JSON can carry."""

    async def page(self, call: Call[object], binding: str, cursor: str) -> Any:
        """What the cursor stands for; None if it is unknown, over, another's or another question's."""

    async def sent_before(self, call: Call[object], session_id: str, names: Sequence[str]) -> list[bool]:
        """Which of these the caller was sent in this session, by what `note_sent` was told."""

    def note_sent(self, call: Call[object], session_id: str, names: Sequence[str]) -> None:
        """What the answer carries; forgotten a quarter of an hour after the last use."""

    def private_name(self, said: str) -> str:
        """Always the same for the same words, at every server that shares these passages; nobody can make it up."""


class HandsOutPassages(Protocol):
    """A plugin's state with the scratch plugin in it."""

    @property
    def scratch(self) -> Scratch: ...


class Placed(Protocol):
    """What has its place in the scopes: a passage, a document."""

    @property
    def project_id(self) -> str: ...
    @property
    def environment(self) -> str: ...
    @property
    def doc_tag(self) -> str: ...
    @property
    def other_tags(self) -> tuple[str, ...]: ...
    @property
    def repository(self) -> str: ...


def owner_of(call: Call[object]) -> Owner:
    return Owner(call.principal, call.session, call.scope.project_id)


def unknown_handle(call: Call[object], argument: str, again: str = "kb.search") -> ToolError:
    """One sentence for unknown, foreign, expired and tampered alike: an answer must not tell which."""
    what = "This passage_id, session_id or cursor is not known here, or no longer."
    message = f"{what} Call {call.served_name(again)} again and use what it returns."
    return ToolError("INVALID_ARGUMENT", message, {"path": f"/{argument}"})


def in_scope(passage: Placed, scope: Scope) -> bool:
    """Whether a passage or a document may be seen by who asks within this scope."""
    return (
        (passage.project_id, passage.environment) == (scope.project_id, scope.environment)
        and (not scope.doc_tags or not {passage.doc_tag, *passage.other_tags}.isdisjoint(scope.doc_tags))
        and (not scope.repositories or passage.repository in scope.repositories)
    )


def uri_of(entry: Kept) -> str:
    """The resource that the passage can be read at."""
    return f"wekadocs://scratch/{entry.session_id}/{entry.passage_id}"


def link_to(entry: Kept) -> dict[str, Any]:
    """A resource link: only links can carry size, audience and priority."""
    return {
        "uri": uri_of(entry),
        "name": entry.title,
        "mimeType": "text/plain",
        "size": entry.size_bytes,
        "annotations": {
            "audience": ["assistant"],
            "priority": 0.1,
            "lastModified": datetime.fromtimestamp(entry.created_at, UTC).isoformat(timespec="seconds"),
        },
    }
