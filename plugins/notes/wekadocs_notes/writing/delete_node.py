"""notes.delete_node: a note into the vault's trash, or gone."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import Answer, tool

from ..errors import provider_error
from ..vault import note_hash
from .files.changes import FileChange, Plan
from .writer import Writer, writing

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..state import NotesState

TRASH = ".trash"


@tool("notes.delete_node")
def delete_node(
    call: Call[NotesState], id: str, permanent: bool, expected_hash: str | None, dry_run: bool, vault: str | None
) -> Answer:
    with writing(call, vault, dry_run) as writer:
        own = writer.known(id)
        data = writer.disk.read(own) if own is not None else None
        if own is None or data is None:
            return Answer({"deleted": False}, warnings=[] if dry_run else writer.warnings())
        writer.refuse_stale(own, note_hash(data), expected_hash, unasked=permanent)
        if dry_run:
            return Answer({"deleted": False, "dry_run": True, "diff": _diff(writer, own, data, permanent)})
        _delete(writer, own, permanent)
        writer.follow([own])
        return Answer({"deleted": True}, warnings=writer.warnings())


def _delete(writer: Writer, id: str, permanent: bool) -> None:
    writer.call.deadline.check()
    if permanent:
        writer.disk.remove(id)
        return
    if (writer.kept.root / TRASH).is_symlink():
        raise provider_error(f"{TRASH} in the vault is a link. Delete the note by hand, or with permanent.")
    writer.disk.move(id, _place(writer.kept.root, id))


def _place(root: Path, id: str) -> str:
    """Its own path in the trash, numbered where that is taken."""
    path = PurePosixPath(TRASH, id)
    number = 1
    while (root / path).exists() or (root / path).is_symlink():
        number += 1
        path = PurePosixPath(TRASH, id).with_stem(f"{PurePosixPath(id).stem} {number}")
    return str(path)


def _diff(writer: Writer, id: str, data: bytes, permanent: bool) -> Any:
    gone = Plan((FileChange(id, data, None),)) if permanent else Plan(move=(id, _place(writer.kept.root, id)))
    return gone.diff(writer.call.limits["diff_characters"])
