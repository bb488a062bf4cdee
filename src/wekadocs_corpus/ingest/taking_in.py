"""Files into the truth: incremental, on all cores, one transaction per batch of documents, and never an abort."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from wekadocs_corpus.documents import SUFFIXES
from wekadocs_corpus.model import Place

from .reading.limits import Limits
from .reading.prepare import READING_VERSION, Failure, Outcome, Ready, Same, Task, embedded, is_known
from .reading.workers import Workers
from .sources import scan

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.store.sqlite.reading.documents import KnownFile
    from wekadocs_corpus.store.sqlite.truth import Truth
    from wekadocs_corpus.store.writing.rows import Rows

# A file written in the same instant as it was read may have changed since without showing it.
_TOO_FRESH_NS = 2_000_000_000
_WRITE_DOCUMENTS, _WRITE_SECONDS = 128, 0.5


@dataclass(frozen=True)
class Stamp:
    """The scope that documents get; without a repository the checkout's name is taken."""

    project_id: str
    environment: str
    repository: str | None = None


@dataclass
class Report:
    """What an ingest did."""

    seen: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    chunks: int = 0
    failures: list[Failure] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)  # files by kind that are no documents
    seconds: float = 0.0
    interrupted: bool = False


@dataclass(frozen=True)
class Plan:
    """What a look at the file system says is to be done."""

    tasks: list[Task]
    gone: list[str]  # document ids
    seen: int
    blocked: list[Path]
    skipped: dict[str, int] = field(default_factory=dict)


Progress = Callable[[str, int, int], None]  # stage, done, of


def plan(truth: Truth, roots: Iterable[scan.Root], stamp: Stamp, largest: int) -> Plan:
    """Compare what is on disk with what the truth knows, without reading a file that looks unchanged."""
    tasks: list[Task] = []
    gone: list[str] = []
    blocked: list[Path] = []
    skipped: Counter[str] = Counter()
    seen = 0
    ingested = truth.roots(stamp.project_id, stamp.environment)
    for root in (each.within(ingested) for each in roots):
        known = truth.known_files(stamp.project_id, stamp.environment, root.path)
        repository = _repository(root, ingested) if stamp.repository is None else stamp.repository
        present: set[str] = set()
        for found in scan.files(root, SUFFIXES, blocked, skipped):
            place = Place(stamp.project_id, stamp.environment, repository, found.path, found.locator)
            present.add(place.document_id)
            before = known.get(place.document_id)
            if before is None or not _unchanged(before, found, root):
                trusted = _hash_to_trust(before, found, root)
                tasks.append(Task(found, place, root.name, _date(found, root), trusted, before is None, largest))
        seen += len(present)
        gone += [each for each, before in known.items() if each not in present and not _hidden(before, blocked)]
    return Plan(tasks, gone, seen, blocked, dict(skipped.most_common()))


def read_again(work: Plan) -> Plan:
    """Without the files whose bytes turn out to be known: what an ingest would find out by itself."""
    return replace(work, tasks=[task for task in work.tasks if not is_known(task)])


def _repository(root: scan.Root, ingested: Mapping[str, str]) -> str:
    """A part of a folder belongs where the folder does."""
    return ingested[root.name] if root.whole else scan.repository_name(root)


def _unchanged(before: KnownFile, found: scan.FoundFile, root: scan.Root) -> bool:
    return (
        (before.size, before.mtime_ns) == (found.size, found.mtime_ns)
        and before.ingested_at * 1e9 - found.mtime_ns > _TOO_FRESH_NS
        and bool(_hash_to_trust(before, found, root))
    )


def _hash_to_trust(before: KnownFile | None, found: scan.FoundFile, root: scan.Root) -> str:
    """The known hash, if equal bytes would make an equal document: same readers, same place."""
    if before is None or before.parser_version != READING_VERSION:
        return ""
    return before.content_hash if (before.root, before.path) == (root.name, found.path) else ""


def _hidden(before: KnownFile, blocked: list[Path]) -> bool:
    """A folder we may not look into now is no reason to forget what was in it."""
    file = Path(before.root) / before.path
    return any(folder in file.parents for folder in blocked)


def _date(found: scan.FoundFile, root: scan.Root) -> float:
    """Git's date where the file is in a checkout, else the file system's."""
    committed = scan.git_dates(root.checkout).get(found.locator) if root.checkout else None
    return committed or found.mtime_ns / 1e9


class Ingest:
    """One run. `progress` is told the stage and how far it is.

    Ctrl-C ends it with all that was done kept.
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
    ) -> None:
        self._truth = truth
        self._embedder = embedder
        self._embedding = embedding
        self._progress = progress
        self._rules = rules
        self._limits = limits or Limits()
        self._count = workers or os.cpu_count() or 1
        self.report = Report()

    def run(self, work: Plan) -> Report:
        began = time.monotonic()
        self.report.seen = work.seen
        self.report.unchanged = work.seen - len(work.tasks)
        self.report.skipped = work.skipped
        self.report.failures += [Failure(str(folder), "the folder cannot be read") for folder in work.blocked]
        try:
            self._take_in(work.tasks)
            self._truth.delete(work.gone)
            self.report.deleted = len(work.gone)
        except KeyboardInterrupt:
            self.report.interrupted = True
        self._truth.settle()
        self.report.seconds = time.monotonic() - began
        return self.report

    def _take_in(self, tasks: list[Task]) -> None:
        batch: list[tuple[Task, Outcome]] = []
        since = time.monotonic()
        with Workers(self._count, self._embedder, self._embedding, self._rules, self._limits) as workers:
            for done, (task, outcome) in enumerate(workers.outcomes(tasks), 1):
                batch.append((task, outcome))
                if len(batch) >= _WRITE_DOCUMENTS or time.monotonic() - since > _WRITE_SECONDS:
                    self._write(batch)
                    batch, since = [], time.monotonic()
                self._progress("documents", done, len(tasks))
            self._write(batch)

    def _write(self, batch: list[tuple[Task, Outcome]]) -> None:
        self.report.failures += [outcome for _, outcome in batch if isinstance(outcome, Failure)]
        same = [task for task, outcome in batch if isinstance(outcome, Same)]
        if same:
            self._truth.touch((task.place.document_id, task.found.size, task.found.mtime_ns) for task in same)
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
                self.report.failures.append(Failure(task.found.shown, reason))
                continue
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
