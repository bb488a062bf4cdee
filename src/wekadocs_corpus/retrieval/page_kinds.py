"""What names everything and explains little: lists of changes, lists of links. They come after what explains it."""

from __future__ import annotations

import re

_HISTORIC = re.compile(
    r"(?:^|[/_. -])"
    r"(?:change-?logs?|changes|history|what-?s-?new|release-?notes?|relnotes|releases?|releaselog|(?:old)?news|blog)"
    r"(?:[-_ .]?v?\d[\w.-]*)?(?=[/_. -]|$)",
    re.I,
)
_LINK = re.compile(r"\[([^\[\]]*)\]\((?!https?:)[^()\s]*\)")
_WORD = re.compile(r"[^\W_]+")
_FEW_LINKS = 8
_OUTSIDE = 0.4  # which share of a list's words may stand outside of its links


def is_historic(path: str) -> bool:
    """Whether a page is a list of changes, release notes or news, by where it stands."""
    return _HISTORIC.search(path) is not None


def is_listing(text: str) -> bool:
    """Whether most of its words lead to other pages of the same documentation: contents, an index, what to see also."""
    if text.count("](") < _FEW_LINKS:
        return False
    inside = [len(_WORD.findall(words)) for words in _LINK.findall(text)]
    outside = len(_WORD.findall(_LINK.sub("", text)))
    return len(inside) >= _FEW_LINKS and outside < _OUTSIDE * (outside + sum(inside))
