"""What an ingest did, file by file and page by page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_corpus import UnreadPage

ADDED, CHANGED, REMOVED, FAILED, DUPLICATE = "added", "changed", "removed", "failed", "duplicate"


@dataclass(frozen=True)
class FileReport:
    path: str
    status: str
    doc: str | None = None
    chunks: int = 0
    pages: int = 0
    citekey: str | None = None
    reason: str = ""
    unread: tuple[UnreadPage, ...] = ()

    def row(self) -> dict[str, Any]:
        from wekadocs_corpus import page_runs

        told: dict[str, Any] = {"path": self.path, "status": self.status}
        if self.status in (ADDED, CHANGED):
            told |= {"doc": self.doc, "chunks": self.chunks, "citekey": self.citekey}
            told |= {"pages": self.pages} if self.pages else {}
        if self.reason:
            told["reason"] = self.reason
        if self.unread:
            runs = page_runs(self.unread)
            told["unread_pages"] = [{"pages": [first, last], "reason": why} for first, last, why in runs]
        return told

    def sentence(self) -> str:
        from wekadocs_corpus import page_runs

        parts = [self.reason] if self.reason else []
        parts += [f"pages {first} to {last} not read: {why}" for first, last, why in page_runs(self.unread)]
        return f"{self.path}: {'; '.join(parts)}"


@dataclass
class IngestReport:
    files: list[FileReport] = field(default_factory=list)
    unchanged: int = 0
    chunks_removed: int = 0
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False
    model: str = ""

    def counts(self) -> dict[str, int]:
        found = Counter(each.status for each in self.files)
        named = (ADDED, CHANGED, REMOVED, DUPLICATE, FAILED)
        return {"unchanged": self.unchanged, **{name: found[name] for name in named}}

    @property
    def chunks_written(self) -> int:
        return sum(each.chunks for each in self.files if each.status in (ADDED, CHANGED))

    @property
    def worth_telling(self) -> bool:
        return bool(self.files)

    def sentence(self) -> str:
        parts = [f"{count:,} {name}" for name, count in self.counts().items() if count]
        nothing = "nothing taken in yet" if self.interrupted else "no documents found"
        stopped = "Stopped; run it again to go on. " if self.interrupted else ""
        return f"{stopped}{', '.join(parts) or nothing}; {self.chunks_written:,} chunks written."
