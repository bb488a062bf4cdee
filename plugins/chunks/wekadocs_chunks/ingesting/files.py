"""Which files the folders of a project hold, each with what tells that it is as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import invalid

if TYPE_CHECKING:
    from wekadocs_corpus import Origin, Root

    from ..projects import Project

_AT_ONCE = 1 << 20
_known: dict[tuple[str, int, int], str] = {}  # path, size, time of the last change → SHA-256
_MOST_KNOWN = 100_000


@dataclass(frozen=True)
class File:
    """`path` is relative to its folder, and so what people call it."""

    folder: str
    path: str
    origin: Origin

    @property
    def key(self) -> tuple[str, str]:
        return self.folder, self.path


@dataclass
class FoundFiles:
    """What a look at the folders says."""

    files: list[File] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # that were looked through
    missing: list[str] = field(default_factory=list)  # folders that are not there, or cannot be read, now
    left_out: str = ""  # what is no document, by kind and count

    def looked_at(self, folder: str, path: str) -> bool:
        """Whether a file of this name would have been found if it were there."""
        whole = f"{folder}/{path}"
        return not any(whole.startswith(f"{each}/") for each in self.missing)


def look(project: Project, only: Sequence[str] = ()) -> FoundFiles:
    """All documents in the project's folders, or those below some paths in them."""
    from wekadocs_corpus import LeftOut

    found, left_out = FoundFiles(), LeftOut()
    for folder in project.folders:
        root = _root(folder)
        if root is None:
            found.missing.append(Path(folder).as_posix())
            continue
        name = root.path.as_posix()
        found.folders.append(name)
        found.files += [File(name, each.path, each) for each in root.origins(left_out)]
    found.missing += [folder.as_posix() for folder in left_out.blocked]
    found.left_out = left_out.sentence()
    if only:
        wanted = list(_wanted(found, only))
        found.files = [each for each in found.files if each in wanted]
    return found


def _root(folder: str) -> Root | None:
    from wekadocs_corpus import CorpusError, roots

    try:
        (root,) = roots([folder])
    except (CorpusError, ValueError):
        return None
    return None if root.is_file else root


def _wanted(found: FoundFiles, only: Sequence[str]) -> Iterator[File]:
    for path in only:
        prefix = path.strip("/")
        inside = [each for each in found.files if each.path == prefix or each.path.startswith(f"{prefix}/")]
        if not inside:
            message = f"No folder of this project has {path!r}. Name files or folders as they are called in them."
            raise invalid(message, path="/paths", value=path)
        yield from inside


def content_hash(file: File, most: int) -> str:
    """SHA-256 of its bytes, in hex; a file that is as it was is not read again by this process."""
    version = file.origin.version
    key = (f"{file.folder}/{file.path}", *version) if version else None
    if key in _known:
        return _known[key]
    digest = hashlib.sha256(file.origin.read(most)).hexdigest()
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    if key:
        _known[key] = digest
    return digest


def document_id(digest: str) -> str:
    """The same bytes are the same document, wherever they stand."""
    return f"sha256_{digest[:16]}"
