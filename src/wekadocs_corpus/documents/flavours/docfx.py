"""What DocFX adds to Markdown, as in Microsoft's documentations: names of an API, tabs, code of other files."""

from __future__ import annotations

import re
from urllib.parse import unquote

from .signs import bold

_GENERIC = re.compile(r"`+\d+")
_ATTRIBUTE = re.compile(r"""([\w-]+)="([^"]*)\"""")
_TAB = re.compile(r"#{1,6}[ \t]+\[([^\[\]]+)\]\(#tab/[^()\s]*\)[ \t]*\Z")
_LINES = re.compile(r"L(\d{1,8})(?:-L(\d{1,8}))?\Z")
_OLD_CODE = re.compile(r"\[!code(?:-[\w+#]+)?[ \t]*\[[^\]\n]*\]\(([^)\s]+)[^)\n]*\)\]\Z", re.I)


def named(uid: str) -> str:
    """`<xref:System.String.Join%2A?displayProperty=nameWithType>` is shown as the name."""
    name = unquote(uid.partition("?")[0]).partition("(")[0].rstrip("*").rstrip(".")
    return f"`{_GENERIC.sub('', name)}`"


def tab(written: str) -> str | None:
    """The label of a tab, which is written as a heading that leads to it."""
    found = _TAB.match(written)
    return bold(found[1]) if found else None


def code_from(written: str) -> tuple[str, str] | None:
    """The file, and the part of it, that is shown as code here."""
    written = written.strip()
    if written.startswith(":::code"):
        said = dict(_ATTRIBUTE.findall(written))
        part = said.get("range", "").partition(",")[0].replace("-", ":") or said.get("id", "")
        return (said["source"], part) if said.get("source") else None
    found = _OLD_CODE.match(written)
    if not found:
        return None
    path, _, part = found[1].partition("#")
    lines = _LINES.match(part)
    part = f"{lines[1]}:{lines[2] or lines[1]}" if lines else f"snippet{part}" if part.isdigit() else part
    return path.partition("?")[0], part
