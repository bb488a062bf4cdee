"""One write from its lock to its answer: what is there, whether its caller knows it, all changed at once, shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.problems import nearest
from wekadocs_mcp import Answer

from ..errors import invalid, provider_error, provider_errors
from ..reading import shown
from ..vault import Known, Note, Unreadable, note_hash, read_note
from ..vault.reading import MOST_BYTES
from ..vault.walking import CANVASES, look_at
from .files import paths
from .files.changes import FileChange, Plan
from .files.disk import Disk, Taken
from .files.faults import unwritten
from .files.journal import Journal
from .refusals import node_exists, node_not_found, stale
from .texts.retargeting import with_targets

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..index import KeptVault
    from ..state import NotesState

_PATIENCE = 15.0  # seconds for another server to end its write


@contextmanager
def writing(call: Call[NotesState], vault: str | None, dry_run: bool) -> Iterator[Writer]:
    """Alone on the vault, which is known as it is now; to try something takes no lock and leaves no trace."""
    with provider_errors():
        kept = call.state.vault(vault).kept
        disk = Disk(kept.root)
        if not kept.root.is_dir():
            kept.fresh()  # which says so
        if dry_run:
            kept.look()
            yield Writer(call, kept, disk, dry=True)
            return
        with disk.locked(min(_PATIENCE, call.deadline.remaining())):
            journal = Journal(disk, with_targets)
            kept.in_step(journal.recover())
            kept.look()
            try:
                yield Writer(call, kept, disk, dry=False)
            finally:
                journal.clear()


class Writer:
    """For one call."""

    def __init__(self, call: Call[NotesState], kept: KeptVault, disk: Disk, dry: bool) -> None:
        self.call, self.kept, self.disk, self.dry = call, kept, disk, dry
        self._behind: list[str] = []

    def note(self, id: str) -> tuple[Note, bytes]:
        """A note that may be changed, and its bytes."""
        own = self.known(id)
        data = self.disk.read(own) if own is not None else None
        if own is None or data is None:
            near = nearest(id, self.kept.vault.notes)
            raise node_not_found(id, near)
        if own.lower().endswith(CANVASES):
            raise invalid(f"{own} is a canvas: it is read as a note, and changed only in the program that draws it.")
        try:
            return read_note(own, data), data
        except Unreadable as error:
            raise provider_error(f"{own} cannot be read: {error}.") from None

    def known(self, id: str) -> str | None:
        """Its own id; a path that leads elsewhere is refused rather than looked for."""
        with self.kept.turn:
            found = self.kept.vault.find(id) or self.kept.vault.find(id.replace("\\", "/"))
        if found is not None:
            return found.id
        paths.refuse_outside(id, "id")
        return id if look_at(self.kept.root, id) is not None else None  # a file that is no text

    def refuse_stale(self, id: str, hash: str, expected: str | None, *, unasked: bool = True) -> None:
        """Where the caller says what it knows, by that; else, if `unasked`, by what it read last."""
        seen = self.call.state.reads.hash_of(self.call, self.kept.key, id) if expected is None and unasked else expected
        if seen is not None and seen != hash:
            raise stale(id, hash, expected)

    def refuse_taken(self, id: str, but: str = "") -> None:
        there = paths.taken(self.kept.root, id)
        if there is not None and there != but:
            raise node_exists(there)

    def carry_out(self, plan: Plan, id: str) -> None:
        """Everything, and the index in step with it."""
        self.call.deadline.check()
        if any(len(each.after or b"") > MOST_BYTES for each in plan.changes):
            raise invalid(f"The file would have more than {MOST_BYTES:,} bytes. Write several notes.", path="/content")
        try:
            if plan.move is None and len(plan.changes) == 1:
                self._write_one(plan.changes[0])
            else:
                Journal(self.disk, with_targets).commit(plan, lambda: self._still_so(plan, id))
        except Taken:
            raise node_exists(plan.move[1] if plan.move else plan.changes[0].id) from None
        self.follow(plan.ids, {each.id for each in plan.changes if each.links and each.id != id})

    def follow(self, ids: list[str], relinked: Collection[str] = ()) -> None:
        """The index in step with what was written; where that cannot be now, the next call does it: it is said."""
        from wekadocs_corpus import CorpusError

        try:
            self.kept.in_step(ids, relinked)
        except CorpusError as error:
            self._behind = [f"The file is written; what is known of the vault follows later: {error}"]

    def warnings(self) -> list[str]:
        with self.kept.turn:
            self.kept.warned.settle(self.kept.vault.has_still)
        return [*self._behind, *self.kept.warned.take()]

    def _write_one(self, change: FileChange) -> None:
        assert change.after is not None
        with unwritten():
            name = self.disk.stage(change.after)
            if change.before is None:
                self.disk.create(name, change.id)
                return
            if not self.disk.replace(name, change.id, note_hash(change.before)):
                raise stale(change.id, note_hash(self.disk.read(change.id) or b""), None)
        self.disk.sync([change.id])

    def _still_so(self, plan: Plan, id: str) -> None:
        """An editor may have saved the note since; of others only links change, which is done to what they are then."""
        self.call.deadline.check()
        there = plan.move[0] if plan.move else id
        current = self.disk.read(there)
        if any(each.id == id and each.before != current for each in plan.changes):
            raise stale(there, note_hash(current or b""), None)

    def answer(self, id: str, plan: Plan, warnings: list[str] | None = None, **more: object) -> Answer:
        """The note as it is now, or as it would be, with what the change did beside it."""
        if not self.dry:
            if plan.changes or plan.move:
                self.carry_out(plan, id)
            node = self._written(id, plan)
            self.call.state.reads.note(self.call, self.kept.key, id, node["hash"])
            told = [*(warnings or ()), *self.warnings()]
            return Answer(self._that_fits({**node, **more}, told), warnings=told)
        diff = plan.diff(self.call.limits["diff_characters"])
        tried = {**self._tried(id, plan), **more, "dry_run": True, "diff": diff}
        return Answer(self._that_fits(tried, warnings or []), warnings=warnings or ())

    def _that_fits(self, data: dict[str, Any], warnings: list[str]) -> dict[str, Any]:
        """What was written is never told as a failure: lists that have no room are cut, and it is said."""
        for name in ("updatedFiles", "tags", "links"):
            while data.get(name) and not self.call.budget.holds({**data, "_warnings": warnings}):
                data = {**data, name: data[name][: len(data[name]) // 2], "partial": True}
        return data

    def _written(self, id: str, plan: Plan) -> dict[str, Any]:
        node = shown.node(self.kept, id, shown.PRIMARY) if not self._behind else None
        if node is not None:
            return {**node, "hash": self.kept.vault.notes[id].hash}
        data = self.disk.read(id) if self._behind else None
        if data is None:
            raise provider_error(f"{id} was written, and went away in the same moment.")
        return self._preview(id, plan, data)

    def _tried(self, id: str, plan: Plan) -> dict[str, Any]:
        after = next((each.after for each in plan.changes if each.id == id), None)
        if after is None:
            after = self.disk.read(plan.move[0] if plan.move else id) or b""
        return self._preview(id, plan, after)

    def _preview(self, id: str, plan: Plan, data: bytes) -> dict[str, Any]:
        note = read_note(id, data)
        content = shown.cut(note.content, shown.PRIMARY)
        said = {"id": id, "title": note.title, "content": content, "tags": [*note.tags]}
        return {**said, "links": self._links_then(note, plan.move[0] if plan.move else id), "hash": note.hash}

    def _links_then(self, note: Note, old: str) -> list[dict[str, str]]:
        """What they would lead to."""
        new, ends = Known.of(note, 0, 0), dict[str, str]()
        with self.kept.turn:
            vault = self.kept.vault
            ghosts = vault.ghosts  # as they are now
            with vault.names.changed(vault.notes.get(old), new):
                for target in new.targets:
                    meant = vault.resolve(target).id
                    end = new if meant == new.id else vault.notes.get(meant) or ghosts.get(meant)
                    ends.setdefault(meant, end.title if end else target)
        return [{"id": end, "title": title} for end, title in ends.items() if end][: shown.MOST_LINKS]
