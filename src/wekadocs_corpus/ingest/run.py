"""An ingest as users run it: documents into the truth, then every index and server brought up to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.configured import (
    Later,
    claim_model,
    embedding_of,
    embedding_settings,
    known_profile,
    limits_of,
    open_truth,
    rules_of,
)
from wekadocs_corpus.sites import SiteUrls
from wekadocs_corpus.versions import VERSION, split_root

from .beside import beside, check
from .planning import Plan, Stamp, plan, read_again
from .publish import Publisher
from .report import Done, Progress, Report
from .sharing import job_of
from .sources.scan import NothingThere, Root, present
from .tagging import Tagging
from .taking_in import Ingest

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder, Profile
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.stopping import Stop
    from wekadocs_corpus.store.truth.interface import Truth

    from .sources.source import Source


_LEASE_SECONDS = 30.0
_LOOKS = 5  # at the sources, when machines that share an ingest die one after the other


class Run:
    """Everything an ingest needs, loaded when needed and once, so that a watcher can go again."""

    def __init__(
        self,
        data_dir: Path,
        settings: Mapping[str, Any],
        stamp: Stamp,
        progress: Progress,
        *,
        truth: Truth | None = None,  # that is open already
        embedder: Embedder | None = None,  # that is loaded already
    ) -> None:
        self._settings = settings
        self._stamp = stamp
        self._progress = progress
        self._loaded = embedder
        self.truth = truth or open_truth(data_dir, settings)

    @cached_property
    def _embedder(self) -> Embedder:
        if self._loaded is not None:
            return self._loaded
        project = self._stamp.project_id
        known = known_profile(self._settings, project)
        return Later(known, self._settings, project) if known else embedding_of(self._settings, project)

    @cached_property
    def _rules(self) -> EntityRules | None:
        return rules_of(self._settings)

    @cached_property
    def _profile(self) -> Profile:
        return self._embedder.profile

    def plan(self, sources: Sequence[Source]) -> Plan:
        settings = self._settings["ingest"]
        urls = SiteUrls(settings.get("site_url") or "", settings.get("site_urls") or {})
        ignore = tuple(settings.get("ignore") or ())
        code = bool(settings.get("docstrings"))
        told = [replace(each, ignore=ignore, docstrings=code) if isinstance(each, Root) else each for each in sources]
        tagging = Tagging(settings.get("tags") or {})
        return plan(self.truth, told, self._stamp, settings["max_file_bytes"], urls, tagging)

    def preview(self, sources: Sequence[Source]) -> Plan:
        """What an ingest would do."""
        return read_again(self.plan(sources))

    def preview_removal(self, paths: Sequence[str]) -> Plan:
        return Plan([], self.known(paths), 0)

    def ingest(self, sources: Sequence[Source]) -> Done:
        """Where no event loop runs; Ctrl-C ends it."""
        return self._published(self._taken_in(sources))

    async def ingest_beside(self, sources: Sequence[Source]) -> Done:
        """Inside a running event loop. Cancelled, it keeps what it has written and leaves no process behind."""
        report = await beside(lambda stop: self._taken_in(sources, stop))
        return Done(report, (*_kept(report), *await self._publisher().publish()))

    def _taken_in(self, sources: Sequence[Source], stop: Stop | None = None) -> Report:
        claim_model(self.truth, self._stamp.project_id, self._profile)
        if self._stamp.version:
            self.truth.declare(self._stamp.project_id, [VERSION])
        ingest = self._running(stop)
        for _ in range(_LOOKS):
            report = self._once(ingest, sources, stop)
            if report.interrupted or not report.again:
                break
        return report

    def _once(self, ingest: Ingest, sources: Sequence[Source], stop: Stop | None) -> Report:
        work = self.plan(sources)
        check(stop)
        jobs, job = self.truth.jobs(), job_of(sources, self._stamp, work)
        is_open = jobs is not None and job is not None and jobs.is_open(job)
        if not (work.tasks or work.gone or work.left_out.blocked or is_open):
            return ingest.nothing(work)
        if jobs is None or job is None:
            return ingest.run(work)
        with jobs.join(job, self._settings["ingest"].get("lease_seconds") or _LEASE_SECONDS) as part:
            return ingest.run(work, part)

    def _running(self, stop: Stop | None) -> Ingest:
        return Ingest(
            self.truth,
            self._embedder,
            embedding_settings(self._settings, self._stamp.project_id),
            progress=self._progress,
            rules=self._rules,
            workers=self._settings["ingest"].get("workers"),
            limits=limits_of(self._settings),
            stop=stop,
        )

    def reembed(self) -> Done:
        from .reembed import reembed

        return self._published(reembed(self.truth, self._stamp.project_id, self._embedder, self._progress))

    @property
    def _area(self) -> tuple[str, str]:
        return self._stamp.project_id, self._stamp.environment

    def known(self, paths: Sequence[str]) -> list[str]:
        """The documents of these paths, which need not be there any more."""
        return list(dict.fromkeys(each for path in paths for each in self._known(path)))

    def _known(self, path: str) -> list[str]:
        stamp, site = self._stamp, path.startswith(("https://", "http://"))
        there = [] if site else present(path)
        places = there or [Path(os.path.realpath(Path(path).expanduser()))]
        uris = [path.rstrip("/")] if site else [at.as_uri() for at in places]
        files = [self.truth.known_files(stamp.project_id, stamp.environment, uri).items() for uri in uris]
        wanted = stamp.version
        known = [each for of_it in files for each, file in of_it if not wanted or split_root(file.root)[1] == wanted]
        if not known and not there:
            raise NothingThere(f"{path}: there is no such file or folder, and no document of it is indexed")
        return known

    def remove(self, paths: Sequence[str]) -> Done:
        gone = self.known(paths)
        if jobs := self.truth.jobs():
            places = [Path(os.path.realpath(Path(path).expanduser())).as_uri() for path in paths if "://" not in path]
            jobs.forget([*places, *(path for path in paths if "://" in path)], *self._area)
        return self._published(Report(deleted=self.truth.delete(gone)))

    def _published(self, report: Report) -> Done:
        """Then the index of this machine and the servers are brought up to date; what is not there catches up later."""
        if report.interrupted:
            return Done(report)
        return Done(report, (*_kept(report), *asyncio.run(self._publisher().publish())))

    def _publisher(self) -> Publisher:
        return Publisher(self.truth, self._settings, self._stamp.project_id, self._profile, self._progress)


def _kept(report: Report) -> list[str]:
    if not report.kept:
        return []
    return [
        f"{report.kept:,} documents are gone here, but not at a machine that shared this ingest: kept until the next"
    ]
