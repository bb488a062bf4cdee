"""Sentences of a page's text that never end within a link: `[7.3. Title](…)` is one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wekadocs_corpus import sentences

_LINK = re.compile(r"\[(?:[^\[\]\\]|\\.){1,300}\]\([^()\s]{1,2000}\)")


def whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    links = _LINK.finditer(text)
    link = next(links, None)
    begun: int | None = None
    for start, end in sentences(text):
        while link is not None and link.end() <= end:
            link = next(links, None)
        begun = start if begun is None else begun
        if link is None or not link.start() < end < link.end():
            yield begun, end
            begun = None
    if begun is not None:
        yield begun, end
