"""A library as Zotero's API describes it (version 3): JSON objects to items, with all that hangs on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .gathering import Loaded, gathered, in_order, kept_at, page_at, path_of
from .items import ITEM_NOTE, Annotation, Attachment, Collection, Item, plain

Described = Mapping[str, Any]
_KINDS = {"note": "sticky_note"}  # others are called as they are
_KNOWN_KINDS = ("highlight", "underline", "image", "ink", "text")
_NO_FIELDS = frozenset(
    {"key", "itemType", "dateAdded", "dateModified", "parentItem", "note", "md5", "filename", "path", "linkMode"}
)


@dataclass(frozen=True)
class DescribedLibrary:
    """What was answered for one library."""

    name: str  # user, or a group's
    items: Sequence[Described]
    collections: Sequence[Described]


def load(libraries: Sequence[DescribedLibrary]) -> Loaded:
    """Raises what wrong shapes raise: KeyError, TypeError, ValueError, AttributeError."""
    items: list[Item] = []
    collections: list[Collection] = []
    for each in libraries:
        paths = _paths(each.collections)
        read = _read(each, paths)
        items += gathered(read.values())
        counts = Counter(path for item in read.values() for path in item.collections)
        collections += [Collection(key, path, each.name, counts[path]) for key, path in paths.items()]
    return items, in_order(collections)


def _read(library: DescribedLibrary, paths: Mapping[str, str]) -> dict[str, Item]:
    described = {each["key"]: each["data"] for each in library.items if not each["data"].get("deleted")}
    parsed = {each["key"]: each.get("meta", {}).get("parsedDate", "") for each in library.items}
    items = {key: _item(key, data, parsed[key], library.name, paths) for key, data in described.items()}
    for key, data in described.items():
        _hang(key, data, items, described)
    return items


def _item(key: str, data: Described, parsed: str, library: str, paths: Mapping[str, str]) -> Item:
    fields = {name: value for name, value in data.items() if isinstance(value, str) and value}
    fields = {name: value for name, value in fields.items() if name not in _NO_FIELDS and not _is_mark(name)}
    if parsed and "date" in fields:
        fields["date"] = f"{parsed} {fields['date']}"  # as its database has it
    return Item(
        key,
        data["itemType"],
        library,
        _moment(data.get("dateModified", "")),
        fields,
        [_person(each) for each in data.get("creators", ())],
        sorted(each["tag"] for each in data.get("tags", ())),
        [paths[each] for each in data.get("collections", ()) if each in paths],
    )


def _is_mark(name: str) -> bool:
    return name.startswith("annotation")


def _moment(told: str) -> str:
    """`2026-01-01T10:00:00Z` as its database writes it."""
    return told.replace("T", " ").removesuffix("Z")


def _person(described: Described) -> tuple[str, str, str]:
    family = described.get("name") or described.get("lastName") or ""
    return described["creatorType"], family, described.get("firstName") or ""


def _hang(key: str, data: Described, items: dict[str, Item], described: Mapping[str, Described]) -> None:
    """Attachments, annotations and notes belong to an item; one without a parent is an item of its own."""
    kind, parent = data["itemType"], data.get("parentItem") or key
    if parent not in items:
        return
    if kind == "attachment":
        items[parent].attachments.append(_attachment(key, data))
    elif kind == "note" and (text := plain(data.get("note", ""))):
        items[parent].annotations.append(Annotation(key, ITEM_NOTE, text, items[key].modified, tuple(items[key].tags)))
    elif kind == "annotation":
        owner = described[parent].get("parentItem") or parent
        if owner in items:
            items[owner].annotations.append(_annotation(key, data, items[key], parent))


def _attachment(key: str, data: Described) -> Attachment:
    imported = data.get("linkMode", "").startswith("imported") and data.get("filename")
    place = kept_at(key, data["filename"]) if imported else data.get("path") or ""
    return Attachment(key, data.get("title", ""), data.get("contentType") or "", place)


def _annotation(key: str, data: Described, own: Item, attachment: str) -> Annotation:
    kind = data.get("annotationType", "")
    return Annotation(
        key,
        _KINDS.get(kind, kind if kind in _KNOWN_KINDS else "other"),
        data.get("annotationText") or "",
        own.modified,
        tuple(own.tags),
        comment=plain(data.get("annotationComment") or ""),
        colour=data.get("annotationColor") or "",
        page_label=data.get("annotationPageLabel") or "",
        page=page_at(data.get("annotationPosition")),
        attachment=attachment,
        order=data.get("annotationSortIndex") or "",
    )


def _paths(collections: Sequence[Described]) -> dict[str, str]:
    there = [each["data"] for each in collections if not each["data"].get("deleted")]
    names: dict[object, tuple[str, object]] = {
        each["key"]: (each["name"], each.get("parentCollection") or None) for each in there
    }
    return {each["key"]: path_of(each["key"], names) for each in there}
