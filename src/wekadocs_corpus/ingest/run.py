"""An ingest as users run it: files into the truth, then every index and server brought up to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.configured import Later, claim_model, embedding_of, known_profile, limits_of, open_truth, rules_of
from wekadocs_corpus.ingest.publish import Publisher
from wekadocs_corpus.ingest.sources.scan import NothingThere, Root, present
from wekadocs_corpus.ingest.taking_in import Ingest, Plan, Progress, Report, Stamp, plan, read_again
from wekadocs_text import one_line

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder, Profile
    from wekadocs_corpus.graph.extraction.rules import EntityRules

_KINDS, _KIND = 6, 20  # kinds of files that are told, characters of one


@dataclass(frozen=True)
class Done:
    """What the user is told at the end."""

    report: Report
    notes: tuple[str, ...] = ()

    @property
    def worth_telling(self) -> bool:
        report = self.report
        return bool(report.added or report.changed or report.deleted or report.failures or self.notes)

    def event(self) -> dict[str, Any]:
        report = self.report
        return {
            "event": "stopped" if report.interrupted else "done",
            "message": self.sentence(),
            "seen": report.seen,
            "added": report.added,
            "changed": report.changed,
            "unchanged": report.unchanged,
            "deleted": report.deleted,
            "chunks": report.chunks,
            "skipped": report.skipped,
            "failed": [{"path": each.path, "reason": each.reason} for each in report.failures],
            "seconds": round(report.seconds, 3),
            "notes": list(self.notes),
        }

    def sentence(self) -> str:
        report = self.report
        parts = [
            f"{count:,} {word}"
            for count, word in (
                (report.added, "added"),
                (report.changed, "changed"),
                (report.deleted, "removed"),
                (report.unchanged, "unchanged"),
                (len(report.failures), "failed"),
            )
            if count
        ]
        rate = (report.added + report.changed) / report.seconds if report.seconds else 0
        speed = f", {rate:,.0f} documents/s" if rate >= 1 else ""
        stopped = "Stopped; run it again to go on. " if report.interrupted else ""
        took = f"{', '.join(parts) or 'no documents found'} in {report.seconds:.1f} s{speed}."
        return f"{stopped}{took}{_not_read(report.skipped)}"


def _not_read(skipped: Mapping[str, int]) -> str:
    """What is no document, the commonest kinds first."""
    if not skipped:
        return ""
    kinds = ", ".join(f"{count:,} {one_line(kind)[:_KIND]}" for kind, count in list(skipped.items())[:_KINDS])
    others = sum(list(skipped.values())[_KINDS:])
    return f" Not read: {kinds}{f', {others:,} others' if others else ''}."


class Run:
    """Everything an ingest needs, loaded when needed and once, so that a watcher can go again."""

    def __init__(self, data_dir: Path, settings: Mapping[str, Any], stamp: Stamp, progress: Progress) -> None:
        self._settings = settings
        self._stamp = stamp
        self._progress = progress
        self.truth = open_truth(data_dir)

    @cached_property
    def _embedder(self) -> Embedder:
        known = known_profile(self._settings)
        return Later(known, self._settings) if known else embedding_of(self._settings)

    @cached_property
    def _rules(self) -> EntityRules | None:
        return rules_of(self._settings)

    @cached_property
    def _profile(self) -> Profile:
        return self._embedder.profile

    def plan(self, roots: list[Root]) -> Plan:
        return plan(self.truth, roots, self._stamp, self._settings["ingest"]["max_file_bytes"])

    def preview(self, roots: list[Root]) -> Plan:
        """What an ingest would do."""
        return read_again(self.plan(roots))

    def preview_removal(self, paths: Sequence[str]) -> Plan:
        return Plan([], self.known(paths), 0, [])

    def ingest(self, roots: list[Root]) -> Done:
        claim_model(self.truth, self._profile)
        work = self.plan(roots)
        if not (work.tasks or work.gone or work.blocked):
            return self._published(lambda: Report(work.seen, unchanged=work.seen, skipped=work.skipped))
        return self._published(lambda: self._running().run(work))

    def _running(self) -> Ingest:
        return Ingest(
            self.truth,
            self._embedder,
            self._settings["embedding"],
            progress=self._progress,
            rules=self._rules,
            workers=self._settings["ingest"].get("workers"),
            limits=limits_of(self._settings),
        )

    def reembed(self) -> Done:
        from wekadocs_corpus.ingest.reembed import reembed

        return self._published(lambda: reembed(self.truth, self._embedder, self._progress))

    def known(self, paths: Sequence[str]) -> list[str]:
        """The documents of these paths, which need not be there any more."""
        return list(dict.fromkeys(each for path in paths for each in self._known(path)))

    def _known(self, path: str) -> list[str]:
        stamp, there = self._stamp, present(path)
        places = there or [Path(os.path.realpath(Path(path).expanduser()))]
        known = [each for at in places for each in self.truth.known_files(stamp.project_id, stamp.environment, at)]
        if not known and not there:
            raise NothingThere(f"{path}: there is no such file or folder, and no document of it is indexed")
        return known

    def remove(self, paths: Sequence[str]) -> Done:
        gone = self.known(paths)
        return self._published(lambda: Report(deleted=self.truth.delete(gone)))

    def _published(self, work: Callable[[], Report]) -> Done:
        """Then the index of this machine and the servers are brought up to date; what is not there catches up later."""
        report = work()
        if report.interrupted:
            return Done(report)
        publisher = Publisher(self.truth, self._settings, self._stamp.project_id, self._profile, self._progress)
        return Done(report, asyncio.run(publisher.publish()))
