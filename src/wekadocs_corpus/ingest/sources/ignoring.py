"""What ignore files leave out, as Git decides it, and which of them says so."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

IGNORE_FILES = (".gitignore", ".wekadocsignore")
# Names that no pattern means in particular.
_ANYTHING = "any-file-of-it"
_ELSEWHERE = f"another-folder/{_ANYTHING}"


class Rules(NamedTuple):
    """What the ignore files of one folder say."""

    folder: Path
    spec: GitIgnoreSpec
    said_by: tuple[str, ...]  # the file of each pattern

    def verdict(self, path: Path, *, folder: bool) -> tuple[bool, str] | None:
        """Whether the path is ignored and by which file; None where nothing is said of it."""
        found = self.spec.check_file(_below(self.folder, path) + ("/" if folder else ""))
        if found.include is None or found.index is None:
            return None
        return found.include, (self.folder / self.said_by[found.index]).as_posix()

    def without(self, named: Path) -> Rules:
        """Less what would leave out this folder as a whole: whoever names it means it."""
        whole = f"{_below(self.folder, named)}/"
        ignored = bool(self.spec.check_file(whole).include)

        def leaves_out(pattern: GitIgnoreSpecPattern) -> bool:
            everything = pattern.match_file(whole + _ANYTHING) and not pattern.match_file(_ELSEWHERE)  # `docs/*`
            return bool(pattern.include and (everything or (ignored and pattern.match_file(whole))))

        pairs = zip(self.spec.patterns, self.said_by, strict=True)
        return _rules(self.folder, [(pattern, file) for pattern, file in pairs if not leaves_out(pattern)])


def rules_of(folder: Path) -> Rules | None:
    found = [(_pattern(line), name) for name in IGNORE_FILES for line in _lines(folder / name)]
    return _rules(folder, found) if found else None


def rules_said(folder: Path, lines: Sequence[str], said_by: str) -> Rules | None:
    """Lines as an ignore file of this folder would have them."""
    return _rules(folder, [(_pattern(line), said_by) for line in lines]) if lines else None


def _rules(folder: Path, patterns: Sequence[tuple[GitIgnoreSpecPattern, str]]) -> Rules:
    return Rules(folder, GitIgnoreSpec([each for each, _ in patterns]), tuple(file for _, file in patterns))


def ignored_by(path: Path, rules: Sequence[Rules], *, folder: bool) -> str:
    """The ignore file that leaves it out, or ""; the innermost that says anything about the path wins."""
    for each in reversed(rules):
        verdict = each.verdict(path, folder=folder)
        if verdict is not None:
            return verdict[1] if verdict[0] else ""
    return ""


def _below(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _lines(file: Path) -> list[str]:
    """As Git reads them: only a line feed ends a line, a byte order mark counts for nothing."""
    try:
        # Only a file: a pipe of that name would keep us waiting.
        lines = file.read_text("utf-8-sig", "surrogateescape").split("\n") if file.is_file() else []
    except OSError:
        return []
    return [line for line in lines if line]


def _pattern(line: str) -> GitIgnoreSpecPattern:
    """A line that makes no pattern says nothing, as in Git."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `re`, on what Git takes as it is: [[]
        try:
            return GitIgnoreSpecPattern(line)
        except (ValueError, re.error):
            return GitIgnoreSpecPattern("")
