"""Which files are to be read: folders, files and globs; what ignore files leave out; where each file belongs."""

from __future__ import annotations

import glob
import os
import re
import stat
import subprocess
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.labels import label

IGNORE_FILES = (".gitignore", ".wekadocsignore")
# Never documentation, and often larger than all of it; a user who means one names it as the path to ingest.
# `_sources` holds what Sphinx made the pages beside it from.
SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", "_sources"}
)
NO_FILE, NO_ENDING = "links and pipes", "without an ending"  # kinds of what is skipped, beside file endings
_GIT_SECONDS = 20
_Specs = list[tuple[Path, GitIgnoreSpec]]  # ignore files with their folders, outermost first


class NothingThere(CorpusError):
    """A path that names no file and no folder, or one we may not look at; the message goes to whoever typed it."""


@dataclass(frozen=True)
class Root:
    """One thing the user asked to ingest."""

    path: Path  # absolute, symlinks resolved
    is_file: bool
    checkout: Path | None  # the Git checkout it lies in
    whole: Path | None = None  # the folder ingested before that this is a part of

    @property
    def name(self) -> str:
        return (self.whole or self.path).as_posix()

    @property
    def base(self) -> Path:
        """What the paths of its documents are relative to."""
        return self.whole or self.folder

    @property
    def folder(self) -> Path:
        return self.path.parent if self.is_file else self.path

    def within(self, known: Collection[str]) -> Root:
        """As a part of the outermost of these folders that it lies in: its documents keep the place they have there."""
        above = [folder for folder in reversed(self.path.parents) if folder.as_posix() in known]
        return replace(self, whole=above[0], checkout=_checkout(above[0])) if above else self


@dataclass(frozen=True)
class FoundFile:
    """A file to look at."""

    file: Path
    path: str  # posix, relative to the root
    locator: str  # the same file under whatever root it is ingested: relative to its checkout, or absolute
    size: int
    mtime_ns: int

    @property
    def shown(self) -> str:
        """Its path as text; bytes that are not UTF-8 are spelt out."""
        return os.fsencode(self.file.as_posix()).decode("utf-8", "backslashreplace")


def roots(paths: Sequence[str]) -> list[Root]:
    """Folders, files and globs as roots, each once; a path inside another given folder is part of that one."""
    found = list(dict.fromkeys(each for path in paths for each in _expand(path)))
    folders = [path for path in found if path.is_dir()]
    kept = [path for path in found if not any(folder in path.parents for folder in folders)]
    return [Root(path, path.is_file(), _checkout(path)) for path in kept]


def _expand(path: str) -> list[Path]:
    found = present(path)
    if not found:
        raise NothingThere(f"{path}: there is no such file or folder")
    return found


def present(path: str) -> list[Path]:
    """The files and folders that a path or glob names now: no pipes, no links to nothing."""
    plain = Path(path).expanduser()
    try:
        # Not Path.glob: the pattern may be absolute.
        matches = [plain] if plain.exists() else [Path(each) for each in sorted(glob.glob(str(plain), recursive=True))]  # noqa: PTH207
        return [each.resolve() for each in matches if each.is_file() or each.is_dir()]
    except PermissionError as error:
        raise NothingThere(f"{path}: this user may not look into {Path(error.filename or path).parent}") from None


def _checkout(path: Path) -> Path | None:
    # Not Path.exists: it raises in a folder that we may not look into.
    return next((each for each in (path, *path.parents) if os.path.exists(each / ".git")), None)  # noqa: PTH110


def repository_name(root: Root) -> str:
    """What a checkout is called: the last part of its origin, else its folder; "" outside Git."""
    if root.checkout is None:
        return ""
    url = _git(root.checkout, "config", "--get", "remote.origin.url").strip()
    name = url.rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")[2]
    return label(name or root.checkout.name)


def files(
    root: Root, suffixes: frozenset[str], blocked: list[Path], skipped: Counter[str] | None = None
) -> Iterator[FoundFile]:
    """Every document under the root, in a stable order, ignore files obeyed; folders that cannot be read are noted.

    What is no document is counted by its kind, unless an ignore file names it.
    """
    if root.is_file:
        yield _found(root, root.path, root.path.stat())
        return
    yield from _walk(root, _above(root), suffixes, blocked, Counter() if skipped is None else skipped)


def _above(root: Root) -> _Specs:
    """Ignore files between the checkout, or the folder that the root is a part of, and the root count too."""
    tops = {each for each in (root.checkout, root.whole) if each is not None}
    between = [each for each in reversed(root.path.parents) if not tops.isdisjoint((each, *each.parents))]
    return [(folder, spec) for folder in between if (spec := _ignored(folder)) is not None]


def _ignored(folder: Path) -> GitIgnoreSpec | None:
    lines = [line for name in IGNORE_FILES for line in _lines(folder / name)]
    return GitIgnoreSpec.from_lines(lines, _pattern) if lines else None


def _lines(file: Path) -> list[str]:
    """As Git reads them: only a line feed ends a line, a byte order mark counts for nothing."""
    try:
        # Only a file: a pipe of that name would keep us waiting.
        return file.read_text("utf-8-sig", "surrogateescape").split("\n") if file.is_file() else []
    except OSError:
        return []


def _pattern(line: str) -> GitIgnoreSpecPattern:
    """A line that makes no pattern says nothing, as in Git."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `re`, on what Git takes as it is: [[]
        try:
            return GitIgnoreSpecPattern(line)
        except (ValueError, re.error):
            return GitIgnoreSpecPattern("")


def _walk(
    root: Root, specs: _Specs, suffixes: frozenset[str], blocked: list[Path], skipped: Counter[str]
) -> Iterator[FoundFile]:
    """With a list of what waits instead of calls: a tree may be deeper than calls may be nested."""
    waiting: list[tuple[Path, os.DirEntry[str] | None, _Specs]] = [(root.path, None, specs)]
    while waiting:
        path, entry, specs = waiting.pop()
        if entry is None or entry.is_dir(follow_symlinks=False):
            if entry is None or (entry.name not in SKIPPED_FOLDERS and not _is_ignored(path, specs, folder=True)):
                waiting += _listed(path, specs, blocked)
        elif entry.name not in IGNORE_FILES and not _is_ignored(path, specs, folder=False):
            suffix = Path(entry.name).suffix.lower()
            state = _state_inside(root, entry) if suffix in suffixes else None
            if state is not None:
                yield _found(root, path, state)
            else:
                skipped[NO_FILE if suffix in suffixes else suffix or NO_ENDING] += 1


def _listed(folder: Path, specs: _Specs, blocked: list[Path]) -> list[tuple[Path, os.DirEntry[str] | None, _Specs]]:
    """What is in a folder, last first."""
    own = _ignored(folder)
    specs = specs if own is None else [*specs, (folder, own)]
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
    except OSError:
        blocked.append(folder)
        return []
    return [(folder / entry.name, entry, specs) for entry in entries]


def _state_inside(root: Root, entry: os.DirEntry[str]) -> os.stat_result | None:
    """A link may point to another file of the same tree, never out of it."""
    try:
        state = entry.stat()  # before `resolve`, for which links in a circle are no OSError
        if entry.is_symlink() and root.path not in Path(entry.path).resolve().parents:
            return None
    except OSError:
        return None
    return state if stat.S_ISREG(state.st_mode) else None


def _is_ignored(path: Path, specs: _Specs, *, folder: bool) -> bool:
    """As Git decides: the innermost ignore file that says anything about the path wins."""
    for base, spec in reversed(specs):
        verdict = spec.check_file(path.relative_to(base).as_posix() + ("/" if folder else "")).include
        if verdict is not None:
            return verdict
    return False


def _found(root: Root, file: Path, state: os.stat_result) -> FoundFile:
    locator = file.relative_to(root.checkout).as_posix() if root.checkout else file.as_posix()
    return FoundFile(file, file.relative_to(root.base).as_posix(), locator, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=8)
def git_dates(checkout: Path) -> dict[str, float]:
    """When each file of a checkout was last committed; empty where Git cannot say."""
    dates: dict[str, float] = {}
    when = 0.0
    for line in _git(checkout, "-c", "core.quotePath=false", "log", "--format=%x00%ct", "--name-only").splitlines():
        if line.startswith("\0"):
            when = float(line[1:])
        elif line:
            dates.setdefault(line, when)
    return dates


def _git(checkout: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(checkout), *arguments]
    try:
        output = subprocess.run(command, capture_output=True, timeout=_GIT_SECONDS, check=False).stdout  # noqa: S603
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""  # the newest commits come first: what was read is worth keeping
    except OSError:
        return ""
    return output.decode("utf-8", "replace")
