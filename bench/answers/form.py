"""What is wrong with the form of a quote: where it ends, what it lacks, what is left of its markup, where it leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.M)
_CODE = re.compile(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)|`[^`\n]*`", re.M | re.S)
_ROLES = r":(?:ref|doc|term|class|meth|func|attr|envvar|option|program|file):`|^\.\. \w[\w-]*::"
_LEFT = re.compile(
    rf"{_ROLES}|\{{\{{[<%]|^(?:!!!|\?\?\?) \w|^:::|</?(?:a|div|span|p)\b|^\[source|^----$|xref:\S+\[|\{{/\*"
    r"|<xref:|\[!(?:INCLUDE|code)|&(?:[a-z]{2,8}|#\d{2,5});|^[ \t]*(?:[\w-]+=\{|\}?/>)[ \t]*$|^<(?:Tabs|Card)\b",
    re.M,
)
_RULE = re.compile(r"[|:\-+= \t]*-[|:\-+= \t]*")
_ENDS = ".!?:…)\"'”*`_"
_WORD = re.compile(r"\w")


def defects(quote: Mapping[str, str], after: str) -> Iterator[str]:
    """`after` is what stands behind the quote in its document."""
    text = quote["quote"]
    if len(_FENCE.findall(text)) % 2:
        yield "unbalanced fence"
    if _rows_alone(text.strip().splitlines(), "header" in quote):
        yield "row without header"
    if _LEFT.search(_CODE.sub("", text)):
        yield "leftover markup"
    goes_on = after[:1] in (" ", "\t") and after.strip(" \t")[:1] not in ("", "\n")
    if _WORD.match(after) or (goes_on and text[-1] not in _ENDS):
        yield "ends inside a sentence"


def _rows_alone(lines: Sequence[str], headed: bool) -> bool:
    begins = bool(lines) and lines[0].lstrip().startswith("|") and lines[0].rstrip().endswith("|")
    return begins and not headed and not (len(lines) > 1 and _RULE.fullmatch(lines[1].strip()))


def wrong_anchor(quote: Mapping[str, object], sections: Sequence[tuple[int, str]]) -> bool:
    """Whether the section that the quote begins in has another anchor; `sections` are where each begins, in order."""
    begun = [anchor for start, anchor in sections if start <= int(str(quote["start"]))]
    return bool(begun) and (quote["anchor"] or "") != begun[-1]
