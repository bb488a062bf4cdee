"""From one state of the index to the next: a newer generation if there is one, and what changed since."""

from __future__ import annotations

import threading
import time

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.local.writing.beside import Builder
from wekadocs_corpus.store.local.writing.due import is_small, most_changes
from wekadocs_corpus.store.truth.interface import Truth

from .delta import Delta
from .generations import Generation, Generations, damaged
from .view import View

_DOCUMENTS = 64  # in one step
_MOST = 50_000  # chunks in memory: 80 MB; what changed beyond waits for a new generation
_TENTH = 10  # of the time at most goes into building beside a server


class Follower:
    """One thread at a time follows; `view` may be read by any. None: there is nothing yet that could answer."""

    def __init__(self, truth: Truth, project: str, profile: Profile) -> None:
        self._truth, self._project, self._profile = truth, project, profile
        self.generations = Generations(truth.data_dir, project, profile)
        self.builder = Builder(truth, project, profile)
        self.generation: Generation | None = None
        self.view: View | None = None
        self.stop = threading.Event()
        self._stamp = -1
        self._verified: Generation | None = None

    @property
    def stale(self) -> bool:
        """Whether something was published since the last look."""
        return self.generations.stamp() != self._stamp

    def follow(self) -> None:
        """Bring the view up to the truth, as far as can be, and see to it that a generation comes when one is due."""
        if self.stale:
            self._renew()
        if self.view is None and not is_small(self._truth, self._project):
            self.builder.start()
            return
        self._catch_up(self._empty() if self.view is None else self.view)
        if self.view is not None and self._due(self.view):
            self.builder.start()

    def damage(self) -> list[str]:
        """The arrays on disk that are not what was written; each generation is read once for it."""
        generation = self.generation
        if generation is None or generation is self._verified:
            return []
        found = damaged(generation)
        self._verified = None if found else generation
        return found

    def mend(self) -> None:
        """What is on disk turned out to be damaged."""
        if self.generation is not None:
            self.generations.remove(self.generation)
        self.generation, self.view, self._stamp = None, None, -1

    def _renew(self) -> None:
        """A newer generation takes the place of all that was there, once it has caught up with it."""
        self._stamp = self.generations.stamp()
        found = self.generations.newest(self._truth.id, self._truth.sequence())
        if found is None or (self.generation and found.folder == self.generation.folder):
            return
        self.generation = found
        began = View(found.segment, Delta(self._profile.dimension), found.about.sequence)
        if self.view is None:
            self.view = began
        self._catch_up(began)

    def _empty(self) -> View:
        return View(None, Delta(self._profile.dimension), 0)

    def _catch_up(self, view: View) -> None:
        while not self.stop.is_set() and len(view.delta) < _MOST:
            view, more = self._next(view)
            if not more:
                break
        if self.view is None or view.sequence >= self.view.sequence:
            self.view = view

    def _next(self, view: View) -> tuple[View, bool]:
        """With the next few changed documents; False when there are none."""
        changed = self._truth.changed_after(view.sequence, _DOCUMENTS, self._project, self._profile.id)
        if not changed.documents:
            return (view if changed.sequence == view.sequence else view.at(changed.sequence)), False
        delta = view.delta.with_changes(changed.documents, changed.rows)
        return View(view.written, delta, changed.sequence), True

    def _due(self, view: View) -> bool:
        if len(view.delta) <= most_changes(0 if view.written is None else len(view.written)):
            return False
        return self.generation is None or _age(self.generation) > _TENTH * self.generation.about.seconds


def _age(generation: Generation) -> float:
    try:
        return time.time() - generation.folder.stat().st_mtime
    except OSError:
        return float("inf")
