"""A note's text changed in one place: line ends, byte order marks and encodings stay as they are."""

from __future__ import annotations

import codecs

_MARKS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def encoded(text: str, like: bytes) -> bytes:
    """As the file it goes into was encoded."""
    for mark, name in _MARKS:
        if like.startswith(mark):
            return mark + text.encode(name)
    return text.encode()


def line_end(text: str) -> str:
    """`\\r\\n` only where every line ends so."""
    breaks = text.count("\n")
    return "\r\n" if breaks and breaks == text.count("\r\n") else "\n"


def in_lines_of(text: str, around: str) -> str:
    """What a caller wrote with plain line ends, with those of the text it goes into."""
    if "\r" in text or line_end(around) == "\n":
        return text
    return text.replace("\n", "\r\n")
