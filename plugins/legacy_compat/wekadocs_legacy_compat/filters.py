"""The old filters in our words: the one table, and no filter that is not in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wekadocs_kit import FilterArguments, in_scope, invalid_argument
from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    from wekadocs_corpus import Passage
    from wekadocs_mcp import Call

    from .state import LegacyState


Keep = Callable[["Passage"], bool]  # passage → whether it stays


@dataclass
class Narrowed:
    """What the stores filter by, and what is left to look at passage by passage."""

    filters: FilterArguments = field(default_factory=FilterArguments)  # as kb.search has them
    keeps: list[Keep] = field(default_factory=list)

    def has(self, passage: Passage) -> bool:
        return all(keep(passage) for keep in self.keeps)


async def narrowed(call: Call[LegacyState], given: Mapping[str, object] | None) -> Narrowed:
    found = Narrowed()
    for name, value in (given or {}).items():
        if name not in FILTERS:
            details = {"path": f"/filters/{name}", "allowed": sorted(FILTERS)}
            raise invalid_argument(
                "filters", f"`{name[:80]}` is no filter. There are {', '.join(sorted(FILTERS))}.", details
            )
        if value is not None:
            await FILTERS[name](call, _values(name, value), found)
    return found


def _values(name: str, value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    texts = [each for each in values if isinstance(each, str) and each]
    if not texts or len(texts) < len(values):
        raise invalid_argument("filters", f"{name} is a string, or a list of strings.", {"path": f"/filters/{name}"})
    return texts


async def _doc_tag(_: Call[LegacyState], values: list[str], found: Narrowed) -> None:
    found.filters["doc_tag"] = values


async def _document_id(call: Call[LegacyState], values: list[str], found: Narrowed) -> None:
    """By its path in the stores, then exactly."""
    if len(values) > 1:
        raise invalid_argument(
            "filters", "document_id is one id; call once for each.", {"path": "/filters/document_id"}
        )
    document = await call.state.corpus.document(values[0])
    if document is not None and in_scope(document, call.scope):
        found.filters["path_prefix"] = document.path
    found.keeps.append(lambda passage: passage.document_id == values[0])


async def _lang(_: Call[LegacyState], values: list[str], found: Narrowed) -> None:
    found.keeps.append(lambda passage: passage.language in values)


async def _tenant(call: Call[LegacyState], values: list[str], _: Narrowed) -> None:
    _same("tenant", values, call.scope.project_id)


async def _snapshot_scope(call: Call[LegacyState], values: list[str], _: Narrowed) -> None:
    _same("snapshot_scope", values, call.scope.environment)


def _same(name: str, values: list[str], ours: str) -> None:
    if values != [ours]:
        message = f"filters.{name} is not what this server answers for. Leave it out, or pass {ours!r}."
        raise ToolError("SCOPE_VIOLATION", message, {"path": f"/filters/{name}", "configured": ours})


async def _embedding_version(call: Call[LegacyState], values: list[str], _: Narrowed) -> None:
    """One model makes all vectors here: there is nothing to choose, and nothing to pretend."""
    corpus = call.state.corpus
    binding = await corpus.in_thread(corpus.truth.binding, call.scope.project_id)
    model = binding and binding.model
    if values != [model]:
        message = f"embedding_version is {model!r} here. Leave it out, or pass that."
        raise invalid_argument("filters", message, {"path": "/filters/embedding_version"})


FILTERS: dict[str, Callable[[Any, list[str], Narrowed], Awaitable[None]]] = {
    "doc_tag": _doc_tag,  # any of
    "document_id": _document_id,
    "embedding_version": _embedding_version,
    "lang": _lang,
    "snapshot_scope": _snapshot_scope,  # our environment
    "tenant": _tenant,  # our project
}
