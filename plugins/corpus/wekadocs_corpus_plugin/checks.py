"""What `doctor` and /readyz say of the documents: is the store whole, is the model right, do the servers answer."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wekadocs_kit import nothing_indexed
from wekadocs_mcp import Finding

from .status.ingests import named

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_mcp import HealthCheck

_LITTLE_SPACE = 1 << 30


async def store(corpus: Corpus) -> list[Finding]:
    """The truth itself; what is derived inside it is made anew where nothing else is wrong."""
    wrong = await corpus.in_thread(corpus.truth.integrity)
    findings = [Finding("broken", "", each.what, each.cure) for each in wrong]
    if wrong and all(each.derived for each in wrong):
        await corpus.in_thread(corpus.truth.repair)
        findings = [Finding("warning", "", f"{each.what}: mended, it was made anew") for each in wrong]
    findings += _space(corpus)
    findings += [Finding("warning", "", each.what, each.cure) for each in await corpus.in_thread(corpus.truth.advice)]
    if not findings:
        findings = await corpus.in_thread(_stopped, corpus)
    if findings:
        return findings
    counts = await corpus.in_thread(corpus.truth.counts)
    if await corpus.is_empty(corpus.home):
        return [Finding("warning", "", *await nothing_indexed(corpus, corpus.home))]
    return [Finding("ok", "", f"{counts.documents:,} documents, {counts.chunks:,} chunks")]


def _stopped(corpus: Corpus) -> list[Finding]:
    """Ingests that machines shared, and none works on any more."""
    jobs = corpus.truth.jobs()
    stopped = [each.shown() for each in jobs.rows()] if jobs else []
    return [
        Finding(
            "warning",
            "ingest",
            f"the ingest of {named(row)} stopped with {row['done']:,} of {row['total']:,} files read",
            "give the same `wekadocs-mcp ingest` again, on any machine that sees the files: it goes on from there",
        )
        for row in stopped
        if not row["workers"]
    ]


def _space(corpus: Corpus) -> list[Finding]:
    """With a truth elsewhere a server may have no data directory at all."""
    folder = corpus.truth.data_dir
    free = shutil.disk_usage(folder).free if folder.is_dir() else _LITTLE_SPACE
    if free >= _LITTLE_SPACE:
        return []
    note = f"{free / (1 << 20):,.0f} MB are free on the disk of {folder}"
    return [Finding("warning", "disk", note, "free some space, or move the data directory with --data")]


async def model(corpus: Corpus) -> Finding:
    """Whether the vectors at hand are of the configured model."""
    bound = await corpus.at_once(corpus.truth.bindings)
    wrong = [await _model(corpus, project) for project in {corpus.home.project_id: 0, **bound}]
    return next((each for each in wrong if each.state != "ok"), wrong[0])


async def _model(corpus: Corpus, project: str) -> Finding:
    embedder, wrong = await corpus.usable_embedder(project)
    if wrong:
        of = "" if project == corpus.home.project_id else f" of project {project}"
        note = f"the vectors{of} were made with another model ({wrong}); answers use words only"
        return Finding("broken", "", note, "wekadocs-mcp ingest --reembed, or configure the former model")
    return Finding("ok", "", embedder.profile.id if embedder else "vectors come with what is stored")


async def search(corpus: Corpus) -> list[Finding]:
    """The index that answers, and what keeps a better one from it."""
    return [Finding(*each) for each in await corpus.check_search()]


async def graph(corpus: Corpus) -> list[Finding]:
    """Whether what is related to what can be asked."""
    return [Finding(*each) for each in await corpus.check_graph()]


CHECKS: Mapping[str, HealthCheck] = {"store": store, "model": model, "search": search, "graph": graph}
