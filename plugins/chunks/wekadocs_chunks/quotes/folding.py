"""A text without what printing did to it: ligatures, soft hyphens, curly quotes, words broken at a line's end."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
    }
)
_BROKEN = re.compile(r"(?<=\w)-\s+(?=\w)")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
_LEFT_OUT = re.compile(r"\s*\[?\.\.\.\]?\s*")
_AT_THE_ENDS = " .,;:!?'\"()[]"


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, str, str]:
    """With words that were broken at a hyphen joined, with the hyphen kept, and without any: nobody can tell which
    it was, and whoever read the page may have decided otherwise."""
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    joined, kept = _BROKEN.sub("", plain), _BROKEN.sub("-", plain)
    without = _HYPHEN.sub("", kept)
    return _SPACE.sub(" ", joined).strip(), _SPACE.sub(" ", kept).strip(), _SPACE.sub(" ", without).strip()


def holds(text: str, quote: str) -> bool:
    """Whether the quotation stands in the text word for word, but for how it was printed and what it leaves out."""
    wanted = [parts for each in dict.fromkeys(folded(quote)) if (parts := _parts(each))]
    return any(_in_order(form, parts) for form in folded(text) for parts in wanted)


def _parts(quote: str) -> list[str]:
    """Between its ellipses, without the marks that the sentence around it put at its ends."""
    return [part for each in _LEFT_OUT.split(quote) if (part := each.strip(_AT_THE_ENDS))]


def _in_order(text: str, parts: list[str]) -> bool:
    at = 0
    for part in parts:
        at = _whole_words(text, part, at)
        if at < 0:
            return False
    return True


def _whole_words(text: str, part: str, at: int) -> int:
    """Where it ends; -1 where it stands nowhere without cutting a word in two."""
    while (at := text.find(part, at)) >= 0:
        end = at + len(part)
        if not (_joins(text, at) or _joins(text, end)):
            return end
        at += 1
    return -1


def _joins(text: str, place: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < place < len(text) and _is_letter(text[place - 1]) and _is_letter(text[place])


def _is_letter(sign: str) -> bool:
    return sign.isalnum()
