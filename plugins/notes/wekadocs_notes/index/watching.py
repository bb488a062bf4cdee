"""Edits on disk, by whatever editor, are noticed: by the system's events, or by looks where none come."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from ..vault.walking import identity, is_hidden, is_note
from .drives import tells_events
from .kept import KeptVault

log = logging.getLogger("wekadocs.plugin.notes")
_FIRST_AFTER = 1.0  # seconds that the first calls have the processor for themselves; they look at the files anyway
_LOOK_EVERY, _LOOK_AT_LATEST = 1.0, 1.4  # seconds: an edit is to be found within two
_SHARE = 25  # of the processor, one part in so many, is for looks if that is enough
_MISSED_EVERY = 30.0  # seconds between looks for what events may have missed
_MANY = 200  # changed files, from which on all are looked at


class Watcher:
    """A thread that keeps one vault in step until it is stopped; `told` is called in it after every change."""

    def __init__(self, kept: KeptVault, how: str, told: Callable[[], None]) -> None:
        self._kept, self._how, self._told = kept, how, told
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watching {kept.vault.name}", daemon=True)

    def start(self) -> None:
        if self._how != "off":
            self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def join(self) -> None:
        """What it is writing stays whole."""
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def _run(self) -> None:
        self._stop.wait(_FIRST_AFTER)
        by_events = self._how == "events" or (self._how == "auto" and tells_events(self._kept.root))
        while not self._stop.is_set():
            try:
                if by_events:
                    self._by_events()
                else:
                    self._by_looks()
            except Exception as error:  # too many folders to watch, or a store that cannot be written now
                self._kept.is_watched = False
                log.warning("vault %s: %s; looking every second", self._kept.vault.name, type(error).__name__)
                by_events = False
                self._stop.wait(_LOOK_EVERY)

    def _by_looks(self) -> None:
        """Each takes at most a third of the time, and a little of the processor."""
        while not self._stop.is_set():
            began, spent = time.monotonic(), time.thread_time()
            self._look()
            self._kept.is_watched = True
            sparing = min(_SHARE * (time.thread_time() - spent), _LOOK_AT_LATEST)
            self._stop.wait(max(_LOOK_EVERY, sparing, 2 * (time.monotonic() - began)))

    def _by_events(self) -> None:
        """For as long as it is the same folder."""
        from watchfiles import watch

        folder = identity(self._kept.root)
        if folder is None:
            self._stop.wait(_LOOK_EVERY)
            return
        looked = 0.0
        for batch in watch(
            self._kept.root,
            watch_filter=lambda _, path: self._concerns(path),
            stop_event=self._stop,
            debounce=200,
            step=40,
            rust_timeout=200 if not self._kept.is_watched else 500,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            if identity(self._kept.root) != folder:
                self._kept.is_watched = False
                return
            looked = self._take([path for _, path in batch], looked)

    def _take(self, paths: Iterable[str], looked: float) -> float:
        """The moment of the last look at everything."""
        ids = {Path(path).relative_to(self._kept.root).as_posix() for path in paths}
        now = time.monotonic()
        is_all = not self._kept.is_watched or now - looked > _MISSED_EVERY
        if is_all or len(ids) > _MANY or not all(is_note(id) for id in ids) or self._has_below(ids):
            self._look()
            self._kept.is_watched = True
            return now
        if ids and self._kept.in_step(ids):
            self._told()
        return looked

    def _has_below(self, ids: Collection[str]) -> bool:
        """Whether one of these is, or was, a folder: it may be called as a note is."""
        below = tuple(f"{id}/" for id in ids)
        with self._kept.turn:
            was = any(id.startswith(below) for id in self._kept.vault.notes)
        return was or any((self._kept.root / id).is_dir() for id in ids)

    def _look(self) -> None:
        if self._kept.root.is_dir() and self._kept.look():
            self._told()

    def _concerns(self, path: str) -> bool:
        below = os.path.relpath(path, self._kept.root)
        return below == "." or not any(is_hidden(part) for part in Path(below).parts)
