"""What is to be read, and what to be forgotten: what there is, compared with what the truth knows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wekadocs_corpus.documents import CODE_SUFFIXES
from wekadocs_corpus.model import Place
from wekadocs_corpus.sites import SiteUrls
from wekadocs_corpus.versions import root_of, split_root

from .reading.included import as_noted, noted_paths
from .reading.prepare import Task, is_known, reading_version
from .sources.left_out import LeftOut
from .sources.scan import Root
from .tagging import Tagging
from .telling_apart import TellingApart, own_paths

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import KnownFile

    from .sources.origin import Origin
    from .sources.source import Source


NO_URLS, NO_TAGS = SiteUrls(), Tagging({})


@dataclass(frozen=True)
class Stamp:
    """The scope that documents get; without a repository the source's own is taken."""

    project_id: str
    environment: str
    repository: str | None = None
    version: str = ""  # of the product that they describe


@dataclass(frozen=True)
class Plan:
    """What a look at the sources says is to be done."""

    tasks: list[Task]
    gone: list[str]  # document ids
    seen: int
    left_out: LeftOut = field(default_factory=LeftOut)


def plan(
    truth: Truth,
    sources: Iterable[Source],
    stamp: Stamp,
    largest: int,
    site_urls: SiteUrls = NO_URLS,
    tagging: Tagging = NO_TAGS,
) -> Plan:
    """Nothing is read of what looks unchanged."""
    tasks: list[Task] = []
    gone: list[str] = []
    left_out = LeftOut()
    seen = 0
    ingested = _of_version(truth.roots(stamp.project_id, stamp.environment), stamp.version)
    apart = TellingApart(truth, stamp.project_id, stamp.environment, ingested)
    for source in (each.placed(ingested) for each in sources):
        before_now = truth.known_files(stamp.project_id, stamp.environment, source.uri)
        known = {each: file for each, file in before_now.items() if split_root(file.root)[1] == stamp.version}
        present: set[str] = set()
        tasks += _tasks(_as_before(source, known), stamp, known, present, left_out, largest, site_urls, tagging, apart)
        seen += len(present)
        if source.complete:
            gone += [each for each, before in known.items() if each not in present and not _hidden(before, left_out)]
    return Plan(tasks, gone, seen, left_out)


def _as_before(source: Source, known: Mapping[str, KnownFile]) -> Source:
    """Docstrings that were asked for once are read again."""
    if isinstance(source, Root) and any(file.path.endswith(tuple(CODE_SUFFIXES)) for file in known.values()):
        return replace(source, docstrings=True)
    return source


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
    tagging: Tagging,
    apart: TellingApart,
) -> Iterator[Task]:
    repository = source.repository if stamp.repository is None else stamp.repository
    origins = list(source.origins(left_out))
    before_path = _before_path(apart, source, origins, stamp, repository, known)
    pages = source.pages(origins, site_urls.of(repository, source.name))
    for origin, page in zip(origins, pages, strict=True):
        place = _place(stamp, repository, origin, before_path)
        present.add(place.document_id)
        before = known.get(place.document_id)
        tags = tagging.of(origin.path)
        root = root_of(source.name, stamp.version)
        trusted = _hash_to_trust(before, place.path, root, reading_version(page, tags))
        if before is None or not (trusted and _unchanged(before, origin)):
            changed = source.changed(origin) or time.time()
            taken_in = noted_paths(before.neighbours) if trusted and before else ()
            yield Task(
                origin,
                place,
                root,
                changed,
                trusted,
                before is None,
                largest,
                taken_in,
                page,
                tags,
                stamp.version,
                source.state,
            )


def _before_path(
    apart: TellingApart,
    source: Source,
    origins: Sequence[Origin],
    stamp: Stamp,
    repository: str,
    known: Mapping[str, KnownFile],
) -> str:
    if stamp.version:
        return f"{stamp.version}/"
    ids = ((origin.locator, _place(stamp, repository, origin, "").document_id) for origin in origins)
    stored = ((locator, known[each]) for locator, each in ids if each in known)
    return apart.prefix(source, origins, {at: file.path for at, file in stored if file.root == source.name})


def _place(stamp: Stamp, repository: str, origin: Origin, before_path: str) -> Place:
    """A version stands before the path, and makes another document of it."""
    locator = f"{origin.locator}@{stamp.version}" if stamp.version else origin.locator
    return Place(stamp.project_id, stamp.environment, repository, before_path + origin.path, locator)


def _of_version(roots: Mapping[str, str], version: str) -> dict[str, str]:
    """Those that were ingested as this version, as their sources call them."""
    found = [(split_root(root), repository) for root, repository in roots.items()]
    return {name: repository for (name, of_it), repository in found if of_it == version}


def _unchanged(before: KnownFile, origin: Origin) -> bool:
    version = origin.version
    return (
        version is not None
        and (before.size, before.mtime_ns) == version
        and version.was_settled(before.ingested_at)
        and as_noted(origin, before.neighbours, before.ingested_at)
    )


def _hash_to_trust(before: KnownFile | None, path: str, root: str, version: str) -> str:
    """The known hash, if equal bytes would make an equal document: same readers, same place, same site, same tags."""
    if before is None or before.parser_version != version:
        return ""
    return before.content_hash if (before.root, before.path) == (root, path) else ""


def _hidden(before: KnownFile, left_out: LeftOut) -> bool:
    """A folder we may not look into now is no reason to forget what was in it."""
    name, version = split_root(before.root)
    places = [f"{name}/{path}" for path in own_paths(name, version, before.path)]
    return any(place.startswith(f"{folder.as_posix()}/") for folder in left_out.blocked for place in places)
