"""The old relationship types in the graph's own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wekadocs_kit import invalid_argument

# Sections are nodes of their own here, so what a document "has" is one step longer; the same edge had three names.
_OURS: dict[str, tuple[str, ...]] = {
    "HAS_CHUNK": ("HAS_SECTION", "HAS_CHUNK"),
    "CHILD_OF": ("PARENT_OF",),
    "PARENT_HEADING": ("PARENT_OF",),
    "MENTIONED_IN": ("MENTIONS",),
    "IN_SECTION": ("HAS_CHUNK",),
}
_REVERSED = frozenset({"CHILD_OF", "PARENT_HEADING", "MENTIONED_IN", "IN_SECTION"})
# The former graph knew these; this one has no such edges.
_NOWHERE = frozenset(
    [
        "ANSWERED_AS",
        "EXECUTES",
        "FOCUSED_ON",
        "HAS_CITATION",
        "HAS_QUERY",
        "IN_CHUNK",
        "RELATED_TO",
        "RESOLVES",
        "RETRIEVED",
        "SUPPORTED_BY",
    ]
)


@dataclass(frozen=True)
class Types:
    """`follow` is None for all; `unsupported` were asked for and have no edges here."""

    follow: tuple[str, ...] | None
    unsupported: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return self.follow == ()


def read(asked: Sequence[str] | None, direction: str = "both", allowed: Sequence[str] = ()) -> Types:
    if not asked:
        return Types(None)
    allowed = allowed or _known()
    unknown = sorted(set(asked) - set(allowed))
    if unknown:
        shown = ", ".join(each[:80] for each in unknown[:5])
        raise invalid_argument("rel_types", f"Invalid relationship type(s): {shown}. Allowed: {', '.join(allowed)}.")
    backwards = _REVERSED if direction != "both" else frozenset()
    lost = [each for each in dict.fromkeys(asked) if each in _NOWHERE or each in backwards]
    follow = [ours for each in asked if each not in lost for ours in _OURS.get(each, (each,))]
    return Types(tuple(dict.fromkeys(follow)), tuple(lost))


def _known() -> list[str]:
    from wekadocs_corpus import RELATIONSHIPS

    return sorted({*RELATIONSHIPS, *_OURS, *_NOWHERE})
