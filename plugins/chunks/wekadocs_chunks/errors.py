"""The seed's taxonomy of errors, each with what its caller can do about it."""

from __future__ import annotations

from collections.abc import Iterable

from wekadocs_mcp import ToolError


def invalid_project(project: str, available: Iterable[str]) -> ToolError:
    known = list(available)
    message = f"Project {project!r} not found. Available projects: {known}"
    return ToolError("INVALID_PROJECT", message, {"project_id": project, "available_projects": known})


def embedding_mismatch(
    project: str, expected: str, provided: str, place: int, *, embeds_here: bool = False
) -> ToolError:
    """`embeds_here`: the server has the expected model."""
    way = "leave out the vectors and their model's name" if embeds_here else "embed with that model"
    message = (
        f"items[{place}]: embedded with {provided!r}, but the collection of {project!r} is bound to {expected!r}. "
        f"Either {way}, or pass migrate=true to rebuild the collection."
    )
    details = {"project_id": project, "expected_model": expected, "provided_model": provided, "index": place}
    return ToolError("EMBEDDING_MISMATCH", message, details)


def migrating(project: str, model: str, done: int, total: int) -> ToolError:
    message = (
        f"The collection of {project!r} is being rebuilt for {model!r} ({done} of {total} chunks). "
        "Pass migrate=true to add this batch to what it will hold, or send it again when that is done."
    )
    details = {"project_id": project, "migrating_to": model, "provided_model": model}
    return ToolError("EMBEDDING_MISMATCH", message, details, retryable=True)


def hybrid_not_supported(project: str, instead: str) -> ToolError:
    reason = "hybrid_enabled is false for this project"
    message = f"Hybrid search is not enabled for project {project!r}: {reason}. Use {instead}."
    return ToolError("HYBRID_NOT_SUPPORTED", message, {"project_id": project, "reason": reason})


def index_unavailable(project: str, reason: str, *, passing: bool = False) -> ToolError:
    message = f"The collection of {project!r} cannot be searched: {reason}."
    return ToolError("INDEX_UNAVAILABLE", message, {"project_id": project, "reason": reason}, retryable=passing)


def invalid(message: str, **details: object) -> ToolError:
    return ToolError("INVALID_ARGUMENT", message, details)


def timed_out(seconds: float, under_way: str, *, wrote: bool) -> ToolError:
    nothing = " Nothing was written." if wrote else ""
    message = f"Not done within {seconds:g} s ({under_way}).{nothing} Send less at a time, or try again later."
    return ToolError("TIMEOUT", message, {"timeout_seconds": seconds, "under_way": under_way}, retryable=True)
