"""What the words behind `ingest` name: folders, files and globs, Git addresses, archives, sites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_corpus import Progress, Root, Source

_WEB = ("https://", "http://")


def named_roots(paths: Sequence[str], data_dir: Path) -> list[Root]:
    """What is elsewhere is brought to the data directory first; the next time only what changed is."""
    from wekadocs_corpus import is_archive, is_git_address, repository, roots, unpacked

    found: list[Root] = []
    here: list[str] = []
    for path in paths:
        if path.startswith(_WEB):
            continue
        if is_git_address(path):
            found.append(repository(path, data_dir))
        elif is_archive(path):
            found.append(unpacked(path, data_dir))
        else:
            here.append(path)
    return [*(roots(here) if here else []), *found]


def named_places(paths: Sequence[str], data_dir: Path) -> list[str]:
    """Where the documents of these were taken in from, though nothing may be there any more."""
    from wekadocs_corpus import is_archive, is_git_address, repository, unpacked

    def place(path: str) -> str:
        if is_git_address(path):
            return str(repository(path, data_dir, fetch=False).path)
        return str(unpacked(path, data_dir, anew=False).path) if is_archive(path) else path

    return [place(path) for path in paths]


def named_sites(paths: Sequence[str], data_dir: Path, settings: Mapping[str, Any], progress: Progress) -> list[Source]:
    """The sites among them, fetched."""
    return [_site(path, data_dir, settings, progress) for path in paths if path.startswith(_WEB)]


def _site(url: str, data_dir: Path, settings: Mapping[str, Any], progress: Progress) -> Source:
    from wekadocs_corpus import Given

    from .web.site import fetch_site

    pages = fetch_site(url, settings["ingest"]["web"], data_dir / "sources" / "web", progress)
    return Given(pages.base, pages.origins(), complete=pages.whole, skipped=pages.failed, anywhere=True)
