"""Documents into the truth: incremental, on all cores, one transaction per batch of documents, and never an abort."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from .beside import Stopped, check
from .planning import Plan
from .reading.limits import Limits
from .reading.prepare import Failure, Outcome, Ready, Same, Task, embedded
from .reading.workers import Workers
from .report import Progress, Report, Unread
from .sharing import Share

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.stopping import Stop
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.jobs import Part
    from wekadocs_corpus.store.truth.rows import Written
    from wekadocs_corpus.store.writing.rows import Rows

_WRITE_DOCUMENTS, _WRITE_SECONDS = 128, 1.0
_LOOK_EVERY = 0.2  # seconds between two looks at what other machines still read


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

    def nothing(self, work: Plan) -> Report:
        """All is as it was."""
        self.report.seen, self.report.left_out, self.report.again = work.seen, work.left_out, False
        self.report.unchanged = work.seen - self.report.added - self.report.changed - self.report.elsewhere
        return self.report

    def run(self, work: Plan, part: Part | None = None) -> Report:
        """With a part, what others do of the same is left to them; see `Report.again`."""
        began = time.monotonic()
        self.report.seen = work.seen
        self.report.unchanged = work.seen - len(work.tasks)
        self.report.left_out, self.report.own = work.left_out, 0
        self.report.failures = [Failure(str(folder), "the folder cannot be read") for folder in work.left_out.blocked]
        try:
            with Workers(self._count, self._model, self._limits, self._stop) as workers:
                if part is None:
                    self._take_in_alone(work, workers)
                else:
                    self._take_part(work, Share(part, work.tasks, self._progress), workers)
        except (KeyboardInterrupt, Stopped):
            self.report.interrupted = True
        self._truth.settle()
        self.report.seconds += time.monotonic() - began
        return self.report

    @property
    def _model(self) -> tuple[Embedder, Mapping[str, object], EntityRules | None]:
        return self._embedder, self._embedding, self._rules

    def _take_in_alone(self, work: Plan, workers: Workers) -> None:
        def tell(done: int, item: str) -> None:
            self._progress("documents", done, len(work.tasks), item)

        self._take_in(workers.outcomes(work.tasks), tell)
        self._truth.delete(work.gone)
        self.report.deleted = len(work.gone)

    def _take_part(self, work: Plan, share: Share, workers: Workers) -> None:
        """Until all is read, by whomever; what a worker leaves that dies is taken over when its lease has run out."""
        size = sum(task.origin.size for task in work.tasks)
        while True:
            self._take_in(workers.outcomes(share.claimed(), size), lambda _, item: share.read(item), share.part)
            tally = share.tally()
            self.report.again = share.is_others(tally)
            if tally.ended or self.report.again:
                break
            if not tally.left:
                self.report.deleted += share.part.finish() or 0
                continue
            share.wait()
            check(self._stop)
            time.sleep(_LOOK_EVERY)
        if not self.report.again:
            self.report.shared(len(work.tasks) - len(share.left), share.part)

    def _take_in(
        self,
        outcomes: Iterator[tuple[Task, Outcome]],
        tell: Callable[[int, str], None],
        part: Part | None = None,
    ) -> None:
        batch: list[tuple[Task, Outcome]] = []
        since = time.monotonic()
        for done, (task, outcome) in enumerate(outcomes, 1):
            batch.append((task, outcome))
            if len(batch) >= _WRITE_DOCUMENTS or time.monotonic() - since > _WRITE_SECONDS:
                self._write(batch, part)
                batch, since = [], time.monotonic()
            tell(done, task.origin.shown)
        self._write(batch, part)

    def _write(self, batch: list[tuple[Task, Outcome]], part: Part | None) -> None:
        self._fail([(task, outcome) for task, outcome in batch if isinstance(outcome, Failure)], part)
        same = [task for task, outcome in batch if isinstance(outcome, Same)]
        if same:
            self._truth.touch(((task.place.document_id, *task.version) for task in same), held=part)
            self.report.unchanged += len(same)
            self.report.own += len(same)
        self._write_documents([(task, outcome) for task, outcome in batch if isinstance(outcome, Ready)], part)

    def _fail(self, failed: list[tuple[Task, Failure]], part: Part | None) -> None:
        self.report.failures += [failure for _, failure in failed]
        self.report.own += len(failed)
        if part and failed:
            part.fail({task.place.document_id: (failure.path, failure.reason) for task, failure in failed})

    def _write_documents(self, batch: list[tuple[Task, Ready]], part: Part | None) -> None:
        if not batch:
            return
        rows = _complete([ready for _, ready in batch], self._truth, self._embedder)
        written = self._truth.write_rows(rows, held=part)
        self._fail([(task, Failure(task.origin.shown, why)) for task, why in _refused(batch, written)], part)
        for task, ready in batch:
            document_id = task.place.document_id
            if document_id in {*written.refused, *written.again, *written.lost}:
                continue
            if ready.unread:
                self.report.unread.append(Unread(task.origin.shown, ready.unread))
            self.report.chunks += len(ready.rows.chunks)
            self.report.own += 1
            self.report.added += task.new
            self.report.changed += not task.new


def _refused(batch: list[tuple[Task, Ready]], written: Written) -> Iterator[tuple[Task, str]]:
    for task, _ in batch:
        if task.place.document_id in written.again:
            yield task, "another process tidied up meanwhile; run it again"
        elif why := written.refused.get(task.place.document_id):
            yield task, why


def _complete(batch: list[Ready], truth: Truth, embedder: Embedder) -> Iterator[Rows]:
    """What workers left to us, embedded in one go, without what the truth has already."""
    texts = {key: text for ready in batch for key, text in ready.to_embed.items()}
    missing = truth.missing_vectors(embedder.profile.id, list(texts)) if texts else set()
    vectors = embedded(embedder, {key: texts[key] for key in texts if key in missing})
    for ready in batch:
        own = {key: vectors[key] for key in ready.to_embed if key in vectors}
        yield ready.rows._replace(vectors=own) if own else ready.rows
