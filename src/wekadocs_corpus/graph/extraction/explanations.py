"""Where a text explains a name instead of merely using it."""

from __future__ import annotations

from .code import Mention

_NEVER = frozenset({"Product", "Version"})  # a table of what is supported explains neither
_FAR = 12  # characters between the beginning of a line and its first word
_AFTER = (":", " — ", " – ", " - ")  # noqa: RUF001 (dashes as people write them)


def heads(mention: Mention, heading_end: int) -> bool:
    """Whether it stands in the heading of its section."""
    return mention.start < heading_end and mention.label not in _NEVER


def explains(text: str, mention: Mention) -> bool:
    """The first cell of a table's row; or, marked as code or bold, what begins a line or item and has a colon after."""
    start = mention.start
    line = text.rfind("\n", max(0, start - _FAR), start) + 1
    if mention.label in _NEVER or (not line and start > _FAR):
        return False
    before = text[line:start].strip(" \t*`")
    if before == "|":
        return True
    marked = text[start - 1 : start] in ("`", "*")  # the keys of a YAML block begin lines too
    return marked and before in ("", "-", "+") and text[mention.end : mention.end + 8].lstrip("`*").startswith(_AFTER)
