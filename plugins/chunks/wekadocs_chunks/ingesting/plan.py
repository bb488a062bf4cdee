"""What is to be read and what to be forgotten: the files there are, compared with the chunks there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..rendering import part
from .files import File, FoundFiles, content_hash, document_id
from .items import Reading, reference
from .report import ADDED, CHANGED, DUPLICATE, FAILED, FileReport

if TYPE_CHECKING:
    from wekadocs_corpus import StoredChunk

    from ..references.bibliographies import Bibliography

_Key = tuple[str, str]


@dataclass(frozen=True)
class ToRead:
    file: File
    status: str
    former: tuple[str, ...]  # documents that it takes the place of


@dataclass
class Plan:
    to_read: list[ToRead] = field(default_factory=list)
    gone: dict[str, str] = field(default_factory=dict)  # document → path
    told: list[FileReport] = field(default_factory=list)
    unchanged: int = 0
    elsewhere: int = 0  # documents of folders that the settings name no more


class Known:
    """Documents that were taken in from folders, by what each of their chunks says of its source."""

    def __init__(self, heads: Sequence[StoredChunk]) -> None:
        self.by_doc = {each.doc: each for each in heads if part(each.payload, "source").get("folder")}
        self.by_key = {_key(each): each for each in self.by_doc.values()}


def _key(head: StoredChunk) -> _Key:
    source = part(head.payload, "source")
    return str(source["folder"]), str(source.get("path"))


def make_plan(
    found: FoundFiles, known: Known, references: Bibliography | None, reading: Reading, most: int, whole: bool
) -> Plan:
    """`whole`: all that the folders hold was looked at, so that what is not there any more goes."""
    from wekadocs_corpus import stopping

    plan, digests = Plan(), dict[_Key, str]()
    for file in found.files:
        stopping.check()
        try:
            digests[file.key] = document_id(content_hash(file, most))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            plan.told.append(FileReport(file.path, FAILED, reason=reason))
    present, taken = set(digests.values()), dict[str, str]()
    for file in found.files:
        doc = digests.get(file.key)
        if doc is None:
            continue
        if doc in taken:
            plan.told.append(FileReport(file.path, DUPLICATE, doc, reason=f"it is the same as {taken[doc]}"))
            continue
        taken[doc] = file.path
        _place(plan, file, doc, known, present, references, reading)
    if whole:
        _forget(plan, found, known, present)
    return plan


def _place(
    plan: Plan,
    file: File,
    doc: str,
    known: Known,
    present: set[str],
    references: Bibliography | None,
    reading: Reading,
) -> None:
    here, before = known.by_doc.get(doc), known.by_key.get(file.key)
    if here is not None and _key(here) == file.key and _as_it_was(here.payload, file.path, references, reading):
        plan.unchanged += 1
        return
    former = (before.doc,) if before is not None and before.doc not in present else ()
    status = ADDED if here is None and before is None else CHANGED
    plan.to_read.append(ToRead(file, status, former))


def _as_it_was(payload: Mapping[str, Any], path: str, references: Bibliography | None, reading: Reading) -> bool:
    """Read by the same readers, which have no more time than then for what they left unread; and its reference tells
    what it told then.
    """
    source, zotero = part(payload, "source"), part(payload, "zotero")
    if source.get("reader") != reading.version or source.get("read_within", reading.seconds) < reading.seconds:
        return False
    record = reference(references, path, source)
    known = record.known if record else {"doi": source["doi"]} if source.get("doi") else {}
    return bool(known == zotero)


def _forget(plan: Plan, found: FoundFiles, known: Known, present: set[str]) -> None:
    there = {file.key for file in found.files}
    replaced = {doc for each in plan.to_read for doc in each.former}
    folders = {file.folder for file in found.files} | set(found.folders)
    for doc, head in known.by_doc.items():
        folder, path = key = _key(head)
        if folder not in folders:
            plan.elsewhere += not any(folder == each or folder.startswith(f"{each}/") for each in found.missing)
        elif key not in there and doc not in present and doc not in replaced and found.looked_at(folder, path):
            plan.gone[doc] = path
