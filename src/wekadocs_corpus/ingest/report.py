"""What an ingest did, for whoever is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from wekadocs_corpus.documents import UnreadPage
from wekadocs_text import one_line

from .reading.prepare import Failure
from .sources.left_out import LeftOut

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.jobs import Part


class Progress(Protocol):
    """Told the stage, how much of it is done, and what was done last."""

    def __call__(self, stage: str, done: int, total: int, item: str = "") -> None: ...


@dataclass(frozen=True)
class Unread:
    """Pages of a document that could not be read."""

    path: str
    pages: tuple[UnreadPage, ...]

    def rows(self) -> list[dict[str, object]]:
        return [{"pages": [first, last], "reason": reason} for first, last, reason in page_runs(self.pages)]

    def sentence(self) -> str:
        """One part for each run of pages that have the same reason."""
        return "; ".join([f"{_named(first, last)} not read: {reason}" for first, last, reason in page_runs(self.pages)])


def page_runs(pages: Iterable[UnreadPage]) -> list[tuple[int, int, str]]:
    """First page, last page, reason."""
    found: list[tuple[int, int, str]] = []
    for page, reason in pages:
        if found and (found[-1][1], found[-1][2]) == (page - 1, reason):
            found[-1] = (found[-1][0], page, reason)
        else:
            found.append((page, page, reason))
    return found


def _named(first: int, last: int) -> str:
    return f"page {first:,}" if first == last else f"pages {first:,} to {last:,}"


@dataclass
class Report:
    """What became of each document there is."""

    seen: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    chunks: int = 0
    failures: list[Failure] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)  # of documents that were taken in
    left_out: LeftOut = field(default_factory=LeftOut)
    seconds: float = 0.0
    interrupted: bool = False
    elsewhere: int = 0  # read by other machines that share the ingest
    kept: int = 0  # gone from here; another machine still has them
    own: int = 0  # done by this one, whatever became of it
    again: bool = False  # a machine that stopped has left something: look at the sources once more

    def shared(self, settled: int, part: Part) -> None:
        """What became of the files of an ingest that others had a part in, `settled` of this machine's list."""
        self.elsewhere, self.kept = max(0, settled - self.own), part.kept
        self.failures += [Failure(*each) for each in part.failures()]
        known = self.added + self.changed + self.elsewhere + len(self.failures)
        self.unchanged = max(0, self.seen - known)

    @property
    def found_nothing(self) -> bool:
        return not (self.seen or self.deleted or self.failures or self.interrupted)


@dataclass(frozen=True)
class Done:
    """What the user is told at the end."""

    report: Report
    notes: tuple[str, ...] = ()

    @property
    def worth_telling(self) -> bool:
        report = self.report
        return bool(report.added or report.changed or report.deleted or report.failures or report.unread or self.notes)

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
            "elsewhere": report.elsewhere,
            "chunks": report.chunks,
            "skipped": dict(report.left_out.kinds.most_common()),
            "ignored": dict(report.left_out.ignored.most_common()),
            "tool_folders": dict(report.left_out.tool_folders.most_common()),
            "fragments": dict(report.left_out.fragments.most_common()),
            "failed": [{"path": each.path, "reason": each.reason} for each in report.failures],
            "unread": [{"path": each.path, "pages": each.rows()} for each in report.unread],
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
                (report.elsewhere, "by other machines"),
                (report.deleted, "removed"),
                (report.unchanged, "unchanged"),
                (len(report.failures), "failed"),
            )
            if count
        ]
        rate = (report.added + report.changed) / report.seconds if report.seconds else 0
        speed = f", {rate:,.0f} documents/s" if rate >= 1 else ""
        nothing = "nothing taken in yet" if report.interrupted else "no documents found"
        stopped = "Stopped; run it again to go on. " if report.interrupted else ""
        took = f"{', '.join(parts) or nothing} in {report.seconds:.1f} s{speed}."
        return f"{stopped}{took}{_not_read(report.left_out)}"


def _not_read(left_out: LeftOut) -> str:
    told = left_out.sentence()
    return f" Not read: {one_line(told)}." if told else ""
