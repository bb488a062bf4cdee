"""A note under another path or title, with every link to it: planned as one change of many files."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ..errors import invalid
from ..vault import Known, read_note
from .files.changes import FileChange, Plan
from .refusals import link_integrity
from .relinking import Relinking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .writer import Writer

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def moved(writer: Writer, old: str, new: str, before: bytes, after: bytes, on_incoming: str) -> Plan:
    """`before` at `old` becomes `after` at `new`; links to it follow."""
    if new != old:
        writer.refuse_taken(new, but=old)
        if (writer.kept.root / old).is_symlink():
            raise invalid(f"{old} is a link to another file: rename that one.", path="/id")
    with writer.kept.turn:
        return _planned(writer, old, new, before, after, on_incoming)


def _planned(writer: Writer, old: str, new: str, before: bytes, after: bytes, on_incoming: str) -> Plan:
    known = writer.kept.vault.notes[old]
    linking = [id for id in writer.kept.vault.incoming.get(old, ()) if id != old]
    if on_incoming == "reject" and linking:
        message = f"{len(linking)} notes link to {old}, and on_incoming is reject. Pass rewrite to change their links."
        raise link_integrity(message, linking, reason="rejected")
    files = {id: data for id in linking if (data := writer.disk.read(id)) is not None}
    relinking = Relinking(writer.kept.vault, known, Known.of(read_note(new, after), 0, 0), {new: after, **files})
    relinking.refuse_unsafe()
    changes = {each.id: each for each in relinking.changes()}
    _refuse_unwritable(writer, [id for id in changes if id != new])
    own = replace(changes.pop(new, FileChange(new, before, after)), before=before)
    changed = () if own.after == before else (own,)
    return Plan((*changed, *changes.values()), (old, new) if new != old else None)


def _refuse_unwritable(writer: Writer, ids: Sequence[str]) -> None:
    """Found out before anything is written."""
    locked = [id for id in ids if not writer.disk.path(id).stat().st_mode & _WRITABLE]
    if locked:
        raise link_integrity("Files that link to this note are write-protected.", locked, reason="write_protected")


def told(plan: Plan, old: str) -> dict[str, Any]:
    """What a rename did, for the answer."""
    relinked = [each for each in plan.changes if each.links]
    renamed = {"renamedFrom": old} if plan.move else {}
    return {
        **renamed,
        "updatedLinks": sum(each.links for each in relinked),
        "updatedFiles": sorted(each.id for each in relinked),
    }


def beside(id: str, name: str) -> str:
    """Another name in the same folder, with the same ending."""
    path = PurePosixPath(id)
    return str(path.with_name(f"{name}{path.suffix}"))
