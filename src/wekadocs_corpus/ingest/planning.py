"""What is to be read, and what to be forgotten: what there is, compared with what the truth knows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Place
from wekadocs_corpus.sites import Page, SiteUrls

from .reading.included import as_noted, noted_paths
from .reading.prepare import Task, is_known, reading_version
from .sources.left_out import LeftOut

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import KnownFile

    from .sources.origin import Origin
    from .sources.source import Source


NO_URLS = SiteUrls()


@dataclass(frozen=True)
class Stamp:
    """The scope that documents get; without a repository the source's own is taken."""

    project_id: str
    environment: str
    repository: str | None = None


@dataclass(frozen=True)
class Plan:
    """What a look at the sources says is to be done."""

    tasks: list[Task]
    gone: list[str]  # document ids
    seen: int
    left_out: LeftOut = field(default_factory=LeftOut)


def plan(truth: Truth, sources: Iterable[Source], stamp: Stamp, largest: int, site_urls: SiteUrls = NO_URLS) -> Plan:
    """Nothing is read of what looks unchanged."""
    tasks: list[Task] = []
    gone: list[str] = []
    left_out = LeftOut()
    seen = 0
    ingested = truth.roots(stamp.project_id, stamp.environment)
    for source in (each.placed(ingested) for each in sources):
        known = truth.known_files(stamp.project_id, stamp.environment, source.uri)
        present: set[str] = set()
        tasks += _tasks(source, stamp, known, present, left_out, largest, site_urls)
        seen += len(present)
        if source.complete:
            gone += [each for each, before in known.items() if each not in present and not _hidden(before, left_out)]
    return Plan(tasks, gone, seen, left_out)


def read_again(work: Plan) -> Plan:
    """Without what turns out to have known bytes: as an ingest would find out by itself."""
    return replace(work, tasks=[task for task in work.tasks if not is_known(task)])


def _tasks(
    source: Source,
    stamp: Stamp,
    known: dict[str, KnownFile],
    present: set[str],
    left_out: LeftOut,
    largest: int,
    site_urls: SiteUrls,
) -> Iterator[Task]:
    repository = source.repository if stamp.repository is None else stamp.repository
    origins = list(source.origins(left_out))
    pages = source.pages(origins, site_urls.of(repository, source.name))
    for origin, page in zip(origins, pages, strict=True):
        place = Place(stamp.project_id, stamp.environment, repository, origin.path, origin.locator)
        present.add(place.document_id)
        before = known.get(place.document_id)
        trusted = _hash_to_trust(before, origin, source.name, page)
        if before is None or not (trusted and _unchanged(before, origin)):
            changed = source.changed(origin) or time.time()
            taken_in = noted_paths(before.neighbours) if trusted and before else ()
            yield Task(origin, place, source.name, changed, trusted, before is None, largest, taken_in, page)


def _unchanged(before: KnownFile, origin: Origin) -> bool:
    version = origin.version
    return (
        version is not None
        and (before.size, before.mtime_ns) == version
        and version.was_settled(before.ingested_at)
        and as_noted(origin, before.neighbours, before.ingested_at)
    )


def _hash_to_trust(before: KnownFile | None, origin: Origin, root: str, page: Page) -> str:
    """The known hash, if equal bytes would make an equal document: same readers, same place, same site."""
    if before is None or before.parser_version != reading_version(page):
        return ""
    return before.content_hash if (before.root, before.path) == (root, origin.path) else ""


def _hidden(before: KnownFile, left_out: LeftOut) -> bool:
    """A folder we may not look into now is no reason to forget what was in it."""
    place = f"{before.root}/{before.path}"
    return any(place.startswith(f"{folder.as_posix()}/") for folder in left_out.blocked)
