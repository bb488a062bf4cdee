"""How a chunk lies in every vector index, and what a scope and filters mean there; adapters only translate."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from wekadocs_corpus.fields import Between, FieldCondition, OneOf
from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.writing.ids import digest_of, is_ours

LAYOUT_VERSION = "1"  # another one cannot be read: the index is made again
DENSE, WORDS = "dense", "words"  # the named vectors: rows of length 1 compared by dot product, and term weights

# What is stored beside the vectors, and the kind of index each field has.
KEYWORD, FLOAT, TEXT = "keyword", "float", "text"
FIELDS = {
    "document_id": KEYWORD,
    "environment": KEYWORD,
    "repository": KEYWORD,
    "doc_tag": KEYWORD,
    "path": KEYWORD,
    "updated_at": FLOAT,
}
DECLARED = "fields"  # beside them: what plugins declare, each a list of values


@dataclass(frozen=True)
class AnyOf:
    """The field equals one of the values, or one of the field's does; there is at least one."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Above:
    """The field is greater than the value."""

    field: str
    value: float


Condition = AnyOf | Above | OneOf | Between  # the last two are of declared fields


def conditions(
    scope: Scope,
    filters: Filters,
    documents_under: Callable[[str], Collection[str]],
    meeting: Callable[[FieldCondition], OneOf | Between | None] = lambda _: None,
) -> tuple[Condition, ...] | None:
    """All of these must hold; None when nothing can match, so that nothing need be asked.

    `documents_under(path_prefix)` names the documents of the project whose path begins so: no index can match
    the beginning of a keyword. `meeting` puts a condition on a declared field as an index can be asked, None if
    no chunk meets it.
    """
    found: list[Condition] = [AnyOf("environment", (scope.environment,))]
    # Not one list of what is in both: a document may have one tag of the scope's and another that is asked for.
    found += [AnyOf("doc_tag", tuple(sorted(set(tags)))) for tags in (scope.doc_tags, filters.doc_tags) if tags]
    if scope.repositories:
        found.append(AnyOf("repository", tuple(sorted(set(scope.repositories)))))
    if filters.path_prefix:
        documents = documents_under(filters.path_prefix)
        if not documents:
            return None
        found.append(AnyOf("document_id", tuple(sorted(documents))))
    if filters.updated_after is not None:
        found.append(Above("updated_at", filters.updated_after))
    for each in filters.fields:
        wanted = meeting(each)
        if wanted is None:
            return None
        found.append(wanted)
    return tuple(found)


def declared_key(field: str) -> str:
    """Where a declared field's values stand in a payload: apart from ours."""
    return f"{DECLARED}.{field}"


def point_id(chunk_id: str) -> str:
    """Indexes take UUIDs: 128 bits, which is what our ids are; of any other id its digest."""
    return str(UUID(hex=chunk_id) if is_ours(chunk_id) else UUID(bytes=digest_of(chunk_id)))


def point_key(point: object) -> str:
    """The chunk's id if it is one of ours; else the truth knows which chunk is meant."""
    return str(point).replace("-", "")
