"""Documents into the truth: incremental, on all cores, one transaction per batch of documents, and never an abort."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from .beside import Stopped
from .planning import Plan
from .reading.limits import Limits
from .reading.prepare import Failure, Outcome, Ready, Same, Task, embedded
from .reading.workers import Workers
from .report import Progress, Report, Unread

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.stopping import Stop
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.writing.rows import Rows

_WRITE_DOCUMENTS, _WRITE_SECONDS = 128, 1.0


class Ingest:
    """One run. `progress` is told the stage and how far it is.

    Ctrl-C, or `stop`, ends it with all that was done kept.
    """

    def __init__(
        self,
        truth: Truth,
        embedder: Embedder,
        embedding: Mapping[str, object],
        *,
        progress: Progress,
        rules: EntityRules | None = None,
        workers: int | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
    ) -> None:
        self._truth = truth
        self._embedder = embedder
        self._embedding = embedding
        self._progress = progress
        self._rules = rules
        self._limits = limits or Limits()
        self._count = workers or os.cpu_count() or 1
        self._stop = stop
        self.report = Report()

    def run(self, work: Plan) -> Report:
        began = time.monotonic()
        self.report.seen = work.seen
        self.report.unchanged = work.seen - len(work.tasks)
        self.report.left_out = work.left_out
        blocked = [Failure(str(folder), "the folder cannot be read") for folder in work.left_out.blocked]
        self.report.failures += blocked
        try:
            self._take_in(work.tasks)
            self._truth.delete(work.gone)
            self.report.deleted = len(work.gone)
        except (KeyboardInterrupt, Stopped):
            self.report.interrupted = True
        self._truth.settle()
        self.report.seconds = time.monotonic() - began
        return self.report

    def _take_in(self, tasks: list[Task]) -> None:
        batch: list[tuple[Task, Outcome]] = []
        since = time.monotonic()
        model = (self._embedder, self._embedding, self._rules)
        with Workers(self._count, model, self._limits, self._stop) as workers:
            for done, (task, outcome) in enumerate(workers.outcomes(tasks), 1):
                batch.append((task, outcome))
                if len(batch) >= _WRITE_DOCUMENTS or time.monotonic() - since > _WRITE_SECONDS:
                    self._write(batch)
                    batch, since = [], time.monotonic()
                self._progress("documents", done, len(tasks), task.origin.shown)
            self._write(batch)

    def _write(self, batch: list[tuple[Task, Outcome]]) -> None:
        self.report.failures += [outcome for _, outcome in batch if isinstance(outcome, Failure)]
        same = [task for task, outcome in batch if isinstance(outcome, Same)]
        if same:
            self._truth.touch((task.place.document_id, *task.version) for task in same)
            self.report.unchanged += len(same)
        self._write_documents([(task, outcome) for task, outcome in batch if isinstance(outcome, Ready)])

    def _write_documents(self, batch: list[tuple[Task, Ready]]) -> None:
        if not batch:
            return
        written = self._truth.write_rows(_complete([ready for _, ready in batch], self._truth, self._embedder))
        for task, ready in batch:
            document_id = task.place.document_id
            if document_id in written.refused or document_id in written.again:
                reason = written.refused.get(document_id, "another process tidied up meanwhile; run it again")
                self.report.failures.append(Failure(task.origin.shown, reason))
                continue
            if ready.unread:
                self.report.unread.append(Unread(task.origin.shown, ready.unread))
            self.report.chunks += len(ready.rows.chunks)
            self.report.added += task.new
            self.report.changed += not task.new


def _complete(batch: list[Ready], truth: Truth, embedder: Embedder) -> Iterator[Rows]:
    """What workers left to us, embedded in one go, without what the truth has already."""
    texts = {key: text for ready in batch for key, text in ready.to_embed.items()}
    missing = truth.missing_vectors(embedder.profile.id, list(texts)) if texts else set()
    vectors = embedded(embedder, {key: texts[key] for key in texts if key in missing})
    for ready in batch:
        own = {key: vectors[key] for key in ready.to_embed if key in vectors}
        yield ready.rows._replace(vectors=own) if own else ready.rows
