"""Questions with gold facts, and what counts as an answer in a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MARKS = re.compile(r"[*_`\\]")


@dataclass(frozen=True)
class Question:
    """`facts` are alternatives, fact by fact; without any the documentation does not answer it."""

    name: str
    text: str
    page: str
    facts: tuple[tuple[str, ...], ...]

    @property
    def answered(self) -> bool:
        return bool(self.facts)

    def held_by(self, text: str) -> bool:
        """For every fact one way of saying it stands in the text, but for case, white space and marks."""
        said = normal(text)
        return all(any(normal(each) in said for each in fact) for fact in self.facts)


@dataclass(frozen=True)
class Tree:
    """A documentation: where it comes from, and what is asked about it."""

    name: str
    repository: str
    commit: str
    root: str
    questions: tuple[Question, ...]


def normal(text: str) -> str:
    return " ".join(_MARKS.sub("", text).lower().split())


def trees(folder: Path) -> Iterator[Tree]:
    for path in sorted(folder.glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        asked = tuple(
            Question(each["id"], each["question"], each.get("page") or "", _facts(each)) for each in said["questions"]
        )
        yield Tree(said["tree"], said["repository"], said["commit"], said["root"], asked)


def _facts(each: dict[str, list[list[str]]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, each.get("facts") or ())) if each["answer"] else ()
