"""Pictures in what is shown: address, words and caption, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wekadocs_web.pages import IMAGE

from .escaping import label
from .result import Evidence

_MOST = 60


class Image(NamedTuple):
    source: int
    url: str
    alt: str
    caption: str

    def line(self) -> str:
        said = f" — {label(self.caption)}" if self.caption else ""
        return f"- [{label(self.alt) or 'Image'}]({self.url}){said} (from Source [{self.source}])"


def images_of(evidence: Sequence[Evidence], numbers: Mapping[str, int]) -> tuple[list[Image], int]:
    """The first of them, and how many there are."""
    found: dict[str, Image] = {}
    for each in evidence:
        for match in IMAGE.finditer(each.text):
            alt, url, caption = match[1], match[2], match[3] or ""
            found.setdefault(url, Image(numbers[each.url], url, alt.strip(), caption.strip()))
    return list(found.values())[:_MOST], len(found)
