"""What research has come to, as a result for the brief: evidence, citations, figures, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from time import perf_counter

from wekadocs_corpus import tokens
from wekadocs_web.brief import Evidence, NextStep, Result, Stats

from .assembling import as_evidence, distinct, with_neighbours
from .citing import cited
from .opening import Opened
from .research import Research

NOTHING = "No chunks above relevance threshold."
_NO_LESS = ("graph_empty", "neo4j_disabled")  # pages are followed by their links, whatever the graph holds
_SUGGESTED = 5  # pages


@dataclass(frozen=True)
class Asked:
    """What of the call the result speaks of."""

    expansion_budget: int | None
    tool: str  # as it is served
    most: int  # chunks


async def told(research: Research, asked: Asked, began: float, partial_after: float | None = None) -> Result:
    evidence = await _evidence(research, asked.most)
    merging = perf_counter()
    citations = cited(_shown_at_most(evidence, research.token_budget), research.look.weighings)
    found = sum(each.passage.tokens for each in research.look.scored[: len(evidence)])
    await research.told(f"Assembling results ({len(evidence)} chunks, {found} tokens)...")
    research.timings_ms["merge"] = (perf_counter() - merging) * 1000
    step = _next_step(research, asked)
    return Result(
        evidence=evidence,
        citations=citations,
        visits=research.visits,
        stopped=_reason(research, evidence),
        stats=_stats(research, evidence, (perf_counter() - began) * 1000),
        notes=_notes(research, asked, partial_after),
        partial=partial_after is not None,
        next_step=step,
    )


def _shown_at_most(evidence: Sequence[Evidence], budget: int) -> list[Evidence]:
    """Those for which a brief can have room."""
    spent = accumulate((tokens.count(each.text) for each in evidence), initial=0)
    return [each for each, before in takewhile(lambda pair: pair[1] < budget, zip(evidence, spent, strict=False))]


async def _evidence(research: Research, most: int) -> list[Evidence]:
    tuning, look = research.tuning, research.look
    whole = research.mode == "full_context"
    floor = 0.0 if whole else tuning.relevance_floor
    above = [each for each in look.scored if each.relevance >= floor]
    kept = above if whole else distinct(above, most)
    urls = {row.document_id: row.url for row in research.pages.values()}
    began = perf_counter()
    if not whole and kept:
        await research.told("Grabbing adjacent context...")
        kept = await with_neighbours(research.state.corpus, kept, look.scored, tuning.locality)
    research.timings_ms["locality"] = (perf_counter() - began) * 1000
    return as_evidence(kept, urls)


def _stats(research: Research, evidence: Sequence[Evidence], total_ms: float) -> Stats:
    rows = research.pages.values()
    return Stats(
        mode=research.mode,
        documents_searched=len(rows),
        documents_matched=len({each.url for each in evidence}),
        chunks_evaluated=sum(row.chunks for row in rows),
        expansion_iterations=research.iterations,
        urls_ingested=research.ingested,
        stop_reason=_reason(research, evidence),
        total_ms=total_ms,
        timings_ms=research.timings_ms,
    )


def _reason(research: Research, evidence: Sequence[Evidence]) -> str:
    """Why no more was read, as it was; never why more would have been."""
    if research.late:
        return research.decision.reason
    if not evidence:
        return NOTHING
    if research.exhausted:
        return "expansion switched off" if not research.most_steps else "expansion budget exhausted"
    return research.decision.reason


def _notes(research: Research, asked: Asked, partial_after: float | None) -> list[str]:
    notes: list[str] = []
    steps, deepest = research.iterations, max((each.depth for each in research.visits), default=0)
    if not steps and asked.expansion_budget != 0:
        notes.append("No expansion performed (single iteration).")
    if research.exhausted and steps:
        notes.append(f"Expansion budget exhausted (reached {steps} of {research.most_steps} iterations).")
    if deepest and deepest >= research.tuning.max_depth:
        notes.append(
            f"Expansion reached maximum depth ({deepest}). Results may benefit from a more specific query or a "
            "different seed URL."
        )
    less = [reason for reason in research.look.degraded if reason not in _NO_LESS]
    notes += [f"Answered with less than the best means: {reason}." for reason in less]
    if partial_after is not None:
        notes.append(f"Partial result (stopped after {partial_after:.0f}s).")
    return [*notes, *(failed(each) for each in research.failed)]


def failed(opened: Opened) -> str:
    kept = "; what was indexed before is used" if opened.page is not None else ""
    return f"Failed: {opened.name} ({opened.reason}{kept})."


def _next_step(research: Research, asked: Asked) -> NextStep | None:
    """Only where more pages would be read if the caller allowed it."""
    likely = [each for score, each in research.choosing.promising if score >= research.tuning.link_floor]
    if not research.exhausted or not likely:
        return None
    urls = [(each.url, each.title or next(iter(each.words), "")) for each in likely[:_SUGGESTED]]
    more = min(5, research.most_steps + 2)
    why = "The pages that were read do not fully answer this, and linked pages look as if they did."
    return NextStep(why, urls, asked.tool, more)
