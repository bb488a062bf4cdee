"""Folders, files and globs on disk: which files in them are documents, and where each belongs."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wekadocs_corpus.documents import (
    API_SUFFIXES,
    CODE_SUFFIXES,
    SUFFIXES,
    WATCHED_SUFFIXES,
    has_docstrings,
    looks_like_openapi,
    missing_library,
)
from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.sites import Page, Sites

from .checkout import checkout_name, checkout_of, git_dates
from .files import FileOrigin
from .fragments import is_fragment, is_fragment_folder
from .ignoring import IGNORE_FILES, Rules, ignored_by, rules_of, rules_said
from .left_out import NO_ENDING, NO_FILE, LeftOut
from .origin import Origin
from .templates import is_template

# Never documentation, and often larger than all of it; a user who means one names it as the path to ingest.
# `_sources` holds what Sphinx made the pages beside it from.
SKIPPED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", "_sources", ".github",
    ".gitlab", ".vscode", ".idea", ".changeset", ".vitepress", ".vuepress", ".docusaurus", ".astro",
})  # fmt: skip

_SETTING = "ingest.ignore"


class NothingThere(CorpusError):
    """A path that names no file and no folder, or one we may not look at; the message goes to whoever typed it."""


@dataclass(frozen=True)
class Root:
    """One thing the user asked to ingest."""

    path: Path  # absolute, symlinks resolved
    is_file: bool
    checkout: Path | None  # the Git checkout it lies in
    whole: Path | None = None  # the folder ingested before that this is a part of
    owner: str | None = None  # the repository of that folder
    ignore: tuple[str, ...] = ()  # lines as in an ignore file of its base, said by settings
    docstrings: bool = False  # source code is read for them

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

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def complete(self) -> bool:
        return True

    @property
    def shared_as(self) -> str:
        return self.uri

    @property
    def state(self) -> str:
        return ""

    def placed(self, ingested: Mapping[str, str]) -> Root:
        """As a part of the outermost of these folders that it lies in: its documents keep the place they have there."""
        above = [folder for folder in reversed(self.path.parents) if folder.as_posix() in ingested]
        if not above:
            return self
        return replace(self, whole=above[0], checkout=checkout_of(above[0]), owner=ingested[above[0].as_posix()])

    @property
    def repository(self) -> str:
        """A part of a folder belongs where the folder does; else what the checkout is called, "" outside Git."""
        if self.owner is not None:
            return self.owner
        return checkout_name(self.checkout) if self.checkout else ""

    def origins(self, left_out: LeftOut) -> Iterator[FileOrigin]:
        """Every document under the root, in a stable order, ignore files obeyed."""
        if self.is_file:
            yield self._origin(self.path, self.path.stat())
        else:
            yield from self._walk(left_out)

    def pages(self, origins: Sequence[Origin], site_url: str) -> Sequence[Page]:
        return Sites(self.base, self.checkout, site_url).of_all([self.base / each.path for each in origins])

    def changed(self, origin: Origin) -> float | None:
        """Git's date where the file is in a checkout, else the file system's."""
        committed = git_dates(self.checkout).get(origin.locator) if self.checkout else None
        return committed or origin.changed

    def _walk(self, left_out: LeftOut) -> Iterator[FileOrigin]:
        """With a list of what waits instead of calls: a tree may be deeper than calls may be nested."""
        waiting: list[_Waiting] = [(self.path, None, self._rules_above())]
        while waiting:
            path, entry, rules = waiting.pop()
            if entry is None or entry.is_dir(follow_symlinks=False):
                if entry is None or self._wants(path, rules, left_out):
                    waiting += _listed(path, rules, left_out)
            elif entry.name not in IGNORE_FILES and (state := self._state(entry, path, rules, left_out)):
                yield self._origin(path, state)

    def _rules_above(self) -> list[Rules]:
        """Ignore files between the checkout, or the folder that the root is a part of, and the root count too."""
        tops = {each for each in (self.checkout, self.whole) if each is not None}
        between = [each for each in reversed(self.path.parents) if not tops.isdisjoint((each, *each.parents))]
        said = rules_said(self.base, self.ignore, _SETTING)
        above = [rules.without(self.path) for folder in between if (rules := rules_of(folder)) is not None]
        return [*above, said] if said else above

    def _wants(self, folder: Path, rules: list[Rules], left_out: LeftOut) -> bool:
        if folder.name in SKIPPED_FOLDERS:
            left_out.tool_folders[folder.name] += 1
            return False
        if is_fragment_folder(folder):
            left_out.fragments[f"{folder.name}/"] += 1
            return False
        return not self._ignores(folder, rules, left_out, folder=True)

    def _ignores(self, path: Path, rules: list[Rules], left_out: LeftOut, *, folder: bool) -> bool:
        file = ignored_by(path, rules, folder=folder)
        if file and (folder or path.suffix.lower() in SUFFIXES):
            left_out.ignored[file.removeprefix(f"{self.path.as_posix()}/")] += 1
        return bool(file)

    def _state(
        self, entry: os.DirEntry[str], path: Path, rules: list[Rules], left_out: LeftOut
    ) -> os.stat_result | None:
        """Of a document; None, counted, for what is none."""
        if self._ignores(path, rules, left_out, folder=False):
            return None
        suffix = path.suffix.lower()
        if suffix in SUFFIXES and is_fragment(path, self.path):
            left_out.fragments[suffix] += 1
            return None
        if command := missing_library(suffix):
            left_out.kinds[f"{suffix} ({command} reads them)"] += 1
            return None
        state = self._state_inside(entry) if suffix in WATCHED_SUFFIXES else None
        if state is None:
            left_out.kinds[NO_FILE if suffix in SUFFIXES else suffix or NO_ENDING] += 1
        elif is_template(path):
            left_out.fragments[suffix] += 1
            return None
        elif why := self._says_nothing(path, suffix):
            left_out.kinds[why] += 1
            return None
        return state

    def _says_nothing(self, path: Path, suffix: str) -> str:
        """The kind of a file that could be a document, if it is none."""
        if suffix in API_SUFFIXES and not looks_like_openapi(path):
            return suffix
        if suffix not in CODE_SUFFIXES or (self.docstrings and has_docstrings(path)):
            return ""
        return f"{suffix} without docstrings" if self.docstrings else suffix

    def _state_inside(self, entry: os.DirEntry[str]) -> os.stat_result | None:
        """A link may point to another document of the same tree, never out of it or to what is none, such as a key."""
        try:
            state = entry.stat()  # before `resolve`, for which links in a circle are no OSError
            if entry.is_symlink() and not self._has(Path(entry.path).resolve()):
                return None
        except OSError:
            return None
        return state if stat.S_ISREG(state.st_mode) else None

    def _has(self, file: Path) -> bool:
        return self.path in file.parents and file.suffix.lower() in WATCHED_SUFFIXES

    def _origin(self, file: Path, state: os.stat_result) -> FileOrigin:
        locator = file.relative_to(self.checkout).as_posix() if self.checkout else file.as_posix()
        path = file.relative_to(self.base).as_posix()
        return FileOrigin(file, self.base, path, locator, state.st_size, state.st_mtime_ns, self.checkout)


_Waiting = tuple[Path, "os.DirEntry[str] | None", list[Rules]]


def _listed(folder: Path, rules: list[Rules], left_out: LeftOut) -> list[_Waiting]:
    """What is in a folder, last first."""
    own = rules_of(folder)
    rules = rules if own is None else [*rules, own]
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
    except OSError:
        left_out.blocked.append(folder)
        return []
    return [(folder / entry.name, entry, rules) for entry in entries]


def roots(paths: Sequence[str]) -> list[Root]:
    """Folders, files and globs as roots, each once; a path inside another given folder is part of that one."""
    found = list(dict.fromkeys(each for path in paths for each in _expand(path)))
    folders = [path for path in found if path.is_dir()]
    kept = [path for path in found if not any(folder in path.parents for folder in folders)]
    return [Root(path, path.is_file(), checkout_of(path)) for path in kept]


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
