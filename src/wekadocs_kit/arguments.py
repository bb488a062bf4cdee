"""Arguments that a schema cannot check, and the refusal of them with the place they stand at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    from wekadocs_corpus import Filters


class FilterArguments(TypedDict, total=False):
    """`filters` as contracts have them."""

    doc_tag: list[str] | None
    path_prefix: str | None
    updated_after: str | None
    version: str | None  # read where the corpus is at hand


def invalid_argument(name: str, message: str, details: Mapping[str, object] | None = None) -> ToolError:
    """To be raised; `name` is the argument's, and the path in the details unless those say it better."""
    return ToolError("INVALID_ARGUMENT", f"{name}: {message}", {"path": f"/{name}", **(details or {})})


def require_text(name: str, text: str) -> None:
    """A question must have something in it."""
    if not text.strip():
        raise invalid_argument(name, "say what to look for.")


def read_filters(filters: FilterArguments | None) -> Filters:
    """`filters` as the stores have them."""
    from wekadocs_corpus import Filters

    filters = filters or {}
    return Filters(
        doc_tags=tuple(filters.get("doc_tag") or ()),
        path_prefix=filters.get("path_prefix") or "",
        updated_after=_moment(filters.get("updated_after")),
    )


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = "filters.updated_after is a date such as 2026-03-01 or 2026-03-01T12:00:00Z."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/filters/updated_after"}) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
