"""What an answer is made from: plain data, before anything is cut to a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PHASES = ("analysis", "retrieval", "reranking", "expansion", "locality", "merge")


@dataclass(frozen=True)
class Evidence:
    """A chunk: `document[start:end] == text`."""

    url: str
    title: str
    heading: str  # the nearest above it
    text: str
    start: int
    end: int
    relevance: float  # 0 to 1
    confidence: float | None = None  # only where one was computed
    sub_query: str | None = None
    adjacent: bool = False


@dataclass(frozen=True)
class Citation:
    """A sentence, verbatim, with its place in the page's text."""

    url: str
    text: str
    start: int
    end: int
    hash: str
    heading: str = ""


@dataclass(frozen=True)
class Visit:
    """A page that this call read, or tried to; `found_on` is the page whose link led to it."""

    url: str
    found_on: str | None = None  # None: the caller named it
    depth: int = 0
    chunks: int = 0
    before: float | None = None  # best score before and after the step that read it
    after: float | None = None
    ms: float = 0.0
    failed: str = ""


@dataclass(frozen=True)
class Stats:
    mode: str = "chunk"
    documents_searched: int = 0
    documents_matched: int = 0
    chunks_evaluated: int = 0
    expansion_iterations: int = 0
    urls_ingested: int = 0
    stop_reason: str = ""
    total_ms: float = 0.0
    timings_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NextStep:
    """Pages that look as if they told more, and were not read."""

    why: str
    urls: Sequence[tuple[str, str]]  # address, words of the link
    tool: str
    expansion_budget: int


@dataclass(frozen=True)
class Result:
    evidence: Sequence[Evidence] = ()  # best first
    citations: Sequence[Citation] = ()  # in the order of the evidence
    visits: Sequence[Visit] = ()
    stopped: str = ""  # why no more pages were read; for the trace
    stats: Stats = field(default_factory=Stats)
    notes: Sequence[str] = ()
    partial: bool = False
    next_step: NextStep | None = None
