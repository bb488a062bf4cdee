"""Tags that settings give to documents, beside those that pages give themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.labels import label

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Tagging:
    """Patterns as an ignore file has them, on paths below the ingested folder, each with the tags of what it means."""

    def __init__(self, said: Mapping[str, Sequence[str]]) -> None:
        self._rules = [(_matcher(pattern), tuple(map(label, tags))) for pattern, tags in said.items()]

    def of(self, path: str) -> tuple[str, ...]:
        found = [tag for matches, tags in self._rules if matches.match_file(path) for tag in tags]
        return tuple(dict.fromkeys(found))


def _matcher(pattern: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # imported late: few have patterns

    return GitIgnoreSpec.from_lines([pattern])
