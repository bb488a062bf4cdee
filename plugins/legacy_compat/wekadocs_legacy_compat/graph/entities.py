"""get_entities_for_sections and get_sections_for_entities: from text to what it names, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_corpus import GraphRows
from wekadocs_corpus import graph_queries as queries
from wekadocs_kit import limit_reason, nested_rows
from wekadocs_mcp import tool

from ..envelope import Row, fitted, with_missing
from ..sessions import session_of
from ..state import graph_rows

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import LegacyState

_ENTITY = ("id", "label", "name")
_SECTION = ("section_id", "title")


@tool("get_entities_for_sections")
async def get_entities_for_sections(
    call: Call[LegacyState],
    section_ids: list[str],
    labels: list[str] | None,
    max_per_section: int,
    session_id: str | None,
    **_: Any,
) -> Row:
    named = queries.entities_for_sections(
        call.state.corpus, call.scope, section_ids, labels=labels, max_per_section=max_per_section
    )
    return _answer(call, session_id, await graph_rows(call, named), "entities", _ENTITY)


@tool("get_sections_for_entities")
async def get_sections_for_entities(
    call: Call[LegacyState], entity_ids: list[str], max_per: int, session_id: str | None, **_: Any
) -> Row:
    naming = queries.sections_for_entities(call.state.corpus, call.scope, entity_ids, max_per=max_per)
    return _answer(call, session_id, await graph_rows(call, naming), "sections", _SECTION)


def _answer(
    call: Call[LegacyState], session_id: str | None, found: GraphRows, name: str, fields: tuple[str, ...]
) -> Row:
    rows = [
        row | {name: list({each[fields[0]]: _only(each, fields) for each in row[name]}.values())} for row in found.rows
    ]
    count, first = nested_rows(rows, name)

    def show(taken: int) -> tuple[Row, str]:
        reason = limit_reason(cut=taken < count, more=found.truncated)
        return with_missing(first(taken), found.not_found), reason

    return fitted(call, session_of(call, session_id), count, show)


def _only(row: Row, fields: tuple[str, ...]) -> Row:
    return {name: row[name] for name in fields}
