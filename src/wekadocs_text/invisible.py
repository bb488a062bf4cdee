"""Text without the characters that nobody sees: instructions for models are hidden in them."""

from __future__ import annotations

import re
import unicodedata

# Control characters, soft hyphen, zero-width and bidirectional marks, fillers, tags, selectors of variants.
_NEVER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS = re.compile("[\u200c\u200d\ufe0f]+")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")
_AS_PICTURES = frozenset("\u2139\u203c\u2049\u24c2\u3030\u303d")  # letters and marks that have an emoji's form
_SURROGATES = re.compile("[\ud800-\udfff]")


def without_invisible(text: str) -> str:
    """Joiners stay where a script or an emoji needs them: alone, between two characters that are not ASCII."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    return _JOINERS.sub(_joiner, _NEVER.sub("", text))


def _joiner(found: re.Match[str]) -> str:
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    if not before or ord(before) < 0x80:
        return ""
    if found[0] == "\ufe0f":
        return found[0] if _is_symbol(before) else ""
    if found[0] == "\ufe0f\u200d":
        return found[0] if _is_symbol(before) and _is_symbol(after) else ""
    return found[0][0] if len(found[0]) == 1 and after and ord(after) >= 0x80 else ""


def _is_symbol(letter: str) -> bool:
    return bool(letter) and (unicodedata.category(letter)[0] == "S" or letter in _AS_PICTURES)
