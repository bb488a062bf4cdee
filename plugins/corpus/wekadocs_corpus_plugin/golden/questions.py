"""A golden set, read strictly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wekadocs_contracts.format.checked_file import read_checked
from wekadocs_mcp import StartError

_SCHEMA = Path(__file__).parent / "golden.schema.json"


@dataclass(frozen=True)
class Question:
    id: str
    text: str
    pages: tuple[str, ...]  # that answer it; none: nothing does
    needs_all: bool
    answer: str | None
    keywords: tuple[str, ...]
    kind: str
    first: bool
    max_calls: int | None
    max_bytes: int | None

    @property
    def answered(self) -> bool:
        return bool(self.pages)


def read_questions(path: Path | str) -> list[Question]:
    source = read_checked(path, _SCHEMA)
    rows: Sequence[dict[str, Any]] = source.data["questions"]
    problems = [
        source.problem(("questions", at, key), message, hint) for at, key, message, hint in _contradictions(rows)
    ]
    if problems:
        raise StartError(problems)
    return [_question(row) for row in rows]


def _contradictions(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[int, str, str, str]]:
    """What the schema cannot say."""
    seen: set[str] = set()
    for at, row in enumerate(rows):
        if row["id"] in seen:
            yield at, "id", f"the id `{row['id']}` is there twice", "give each question an id of its own"
        seen.add(row["id"])
        for key in ("answer", "keywords", "first"):
            if row["document"] is None and row.get(key):
                yield at, key, f"`{key}` without a page that holds it", "name the document, or leave this out"


def _question(row: dict[str, Any]) -> Question:
    pages = row["document"]
    return Question(
        id=row["id"],
        text=row["question"],
        pages=() if pages is None else (pages,) if isinstance(pages, str) else tuple(pages),
        needs_all=row.get("needs", "all") == "all",
        answer=row.get("answer"),
        keywords=tuple(row.get("keywords", ())),
        kind=row.get("kind", ""),
        first=row.get("first", False),
        max_calls=row.get("max_calls"),
        max_bytes=row.get("max_bytes"),
    )
