"""The sections of a brief, each as text; seed 004 §6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .escaping import escaped, label
from .images import Image
from .result import PHASES, Citation, Evidence, NextStep, Stats

NOTHING = "No relevant content was found for this query in the specified URL."
_MODES = {
    "chunk": "chunk (selective retrieval)",
    "full_context": "full_context (entire corpus fits within token budget)",
}


def sources(evidence: Sequence[Evidence], numbers: Mapping[str, int]) -> str:
    if not numbers:
        return "[SOURCES]\n(none)"
    lines = ["[SOURCES]"]
    for url, number in numbers.items():
        own = [each for each in evidence if each.url == url]
        lines.append(f"[{number}] {label(own[0].title) or 'Untitled'} — {url}")
        headings = dict.fromkeys(label(each.heading) for each in own if each.heading.strip())
        lines += [f"    § {heading}" for heading in headings]
    return "\n".join(lines)


def evidence_block(each: Evidence, number: int, text: str) -> str:
    told = [f"relevance: {each.relevance:.2f}"]
    if each.confidence is not None:
        told.append(f"confidence: {each.confidence:.2f}")
    if each.sub_query:
        told.append(f'sub-query: "{label(each.sub_query)}"')
    beside = " [adjacent context]" if each.adjacent else ""
    return f"Source [{number}] ({', '.join(told)}){beside}:\n{escaped(text)}"


def evidence(blocks: Sequence[str], total: int) -> str:
    if not total:
        return f"[EVIDENCE]\n{NOTHING}"
    shown = len(blocks)
    omitted = f"... (showing {shown} of {total} chunks — remaining {total - shown} omitted due to response budget)"
    return "[EVIDENCE]\n" + "\n\n".join([*([omitted] if shown < total else []), *blocks])


def images(found: Sequence[Image], total: int) -> str:
    shown = len(found)
    omitted = f"... (showing {shown} of {total} images — remaining {total - shown} omitted due to response budget)"
    return "[IMAGES]\n" + "\n".join([*(each.line() for each in found), *([omitted] if shown < total else [])])


def citation(each: Citation, number: int, title: str) -> str:
    where = f" § {label(each.heading)}" if each.heading.strip() else ""
    return f'[{number}] "{escaped(each.text)}"\n    — {label(title) or "Untitled"}, {each.url}{where}'


def citations(blocks: Sequence[str], total: int) -> str:
    shown = len(blocks)
    omitted = f"... (showing {shown} of {total} citations — remaining {total - shown} omitted due to response budget)"
    return "[CITATIONS]\n" + "\n\n".join([*blocks, *([omitted] if shown < total else [])])


def stats(told: Stats, notes: Sequence[str], *, empty: bool) -> str:
    mode = told.mode if empty else _MODES.get(told.mode, told.mode)
    phases = ", ".join(f"{name}: {told.timings_ms.get(name, 0.0):.0f}ms" for name in PHASES)
    lines = [
        "[STATS]",
        f"Mode: {mode}",
        f"Documents searched: {told.documents_searched}",
        f"Documents matched: {told.documents_matched}",
        f"Chunks evaluated: {told.chunks_evaluated}",
        f"Expansion iterations: {told.expansion_iterations}",
        f"URLs ingested: {told.urls_ingested}",
        f"Stop reason: {label(told.stop_reason)}",
        f"Total time: {told.total_ms:.0f}ms ({phases})",
        *(f"Note: {' '.join(note.split())}" for note in notes),
    ]
    return "\n".join(lines)


def next_step(step: NextStep) -> str:
    lines = [
        "[NEXT STEP]",
        f"{step.why} Call {step.tool} again with expansion_budget={step.expansion_budget}, or one of these as url:",
        *(f"- {label(words) or 'Untitled'} — {url}" for url, words in step.urls),
    ]
    return "\n".join(lines)
