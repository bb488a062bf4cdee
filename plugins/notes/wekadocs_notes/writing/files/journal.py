"""Several files changed as one: what is to be done is on the disk before it is begun, and whoever comes next ends it.

Before the journal lies in its place nothing has happened; once it does, everything will. A process that dies in between
leaves all old or all new to whoever opens the vault again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from wekadocs_mcp import ToolError

from ...vault import note_hash
from . import paths
from .changes import FileChange, Plan
from .disk import Disk, Taken
from .faults import unended, unwritten

log = logging.getLogger("wekadocs.notes")
Retarget = Callable[[str, bytes, dict[str, str]], bytes]  # (id, bytes, targets) → bytes with its links changed


@dataclass(frozen=True)
class _Step:
    id: str
    before: str | None
    after: str
    staged: str
    targets: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Journal:
    steps: tuple[_Step, ...]
    move: tuple[str, str] | None

    def text(self) -> str:
        return json.dumps({"version": 1, "move": self.move, "steps": [vars(each) for each in self.steps]})

    @classmethod
    def read(cls, text: str) -> _Journal:
        data = json.loads(text)
        steps = tuple(_Step(**each) for each in data["steps"])
        move = tuple(data["move"]) if data["move"] else None
        for path in (*(each.id for each in steps), *(move or ())):
            if paths.leads_out(path):
                raise ValueError("it names a place outside the vault")
        if not all(each.staged.isalnum() for each in steps):
            raise ValueError("a staged file is called otherwise")
        return cls(steps, move)


class Journal:
    """Of one vault; for whoever holds its lock."""

    def __init__(self, disk: Disk, retarget: Retarget) -> None:
        self._disk = disk
        self._retarget = retarget

    def is_left(self) -> bool:
        return self._disk.journal.is_file()

    def recover(self) -> list[str]:
        """Ends what a process began that is no more; the ids of files that may be other than before."""
        done: list[str] = []
        if self.is_left():
            try:
                left = _Journal.read(self._disk.journal.read_text("utf-8"))
            except (ValueError, KeyError, TypeError) as error:
                log.warning("an unreadable journal in a vault is put aside: %s", type(error).__name__)
                self._disk.forget_journal(but_keep="journal.unreadable")
            else:
                done = self._roll_forward(left)
        self._disk.clear()
        return done

    def clear(self) -> None:
        """What a refused write staged: it takes room that the disk may not have."""
        if not self.is_left():
            self._disk.clear()

    def _roll_forward(self, left: _Journal) -> list[str]:
        try:
            self._carry_out(left)
        except Taken:
            log.warning("a rename that was interrupted is given up: its new name is taken")
        self._disk.forget_journal()
        return [*(each.id for each in left.steps), *(left.move or ())]

    def commit(self, plan: Plan, check: Callable[[], None]) -> None:
        """`check` is asked last, before anything can be seen. Raises Taken where the new name is no longer free."""
        with unwritten():
            staged = self._disk.stage_all([each.after or b"" for each in plan.changes])
            journal = _Journal(tuple(map(_step, plan.changes, staged)), plan.move)
            check()
            self._disk.set_journal(journal.text())
        try:
            self._carry_out(journal)
        except Taken:
            self._disk.forget_journal()
            raise
        except (OSError, ToolError) as error:
            with unended(error):
                self._undo(plan)
            with unwritten():
                raise
        self._disk.forget_journal()

    def _carry_out(self, journal: _Journal) -> None:
        if journal.move:
            self._disk.move(*journal.move)  # first: where the name is taken, nothing else has happened
        for step in journal.steps:
            self._write(step)
        self._disk.sync(step.id for step in journal.steps)

    def _write(self, step: _Step) -> None:
        current = self._disk.read(step.id)
        now = None if current is None else note_hash(current)
        if now in (None, step.after) or (now == step.before and self._disk.replace(step.staged, step.id, now)):
            return
        while not self._is_newer_written(step):
            pass  # it was saved in this very moment again

    def _is_newer_written(self, step: _Step) -> bool:
        """An editor saved it meanwhile: its text stays, and only its links are changed."""
        current = self._disk.read(step.id)
        if current is None or not step.targets:
            return True
        changed = self._retarget(step.id, current, step.targets)
        return changed == current or self._disk.replace(self._disk.stage(changed), step.id, note_hash(current))

    def _undo(self, plan: Plan) -> None:
        """As it was, as far as the disk allows; where it does not, the journal stays and is ended later."""
        for each in plan.changes:
            current = self._disk.read(each.id)
            if each.before is not None and current is not None and current == each.after:
                self._disk.replace(self._disk.stage(each.before), each.id, note_hash(current))
        self._disk.sync(each.id for each in plan.changes)
        if plan.move:
            self._disk.move(plan.move[1], plan.move[0])
        self._disk.forget_journal()


def _step(change: FileChange, staged: str) -> _Step:
    before = None if change.before is None else note_hash(change.before)
    return _Step(change.id, before, note_hash(change.after or b""), staged, change.targets)
