"""A whole document, or of a long one as much as may be sent at once; and the address it can be read at."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from wekadocs_mcp import json_size

if TYPE_CHECKING:
    from wekadocs_corpus import DocumentRow


@dataclass(frozen=True)
class DocumentPart:
    """`text` is that of the document from `start` to `end`; front matter is left out."""

    text: str
    start: int
    end: int
    first: int  # where the document begins, front matter aside
    last: int  # where it ends, or what was asked for

    @property
    def is_whole(self) -> bool:
        return self.start <= self.first and not self.goes_on

    @property
    def goes_on(self) -> bool:
        return self.end < self.last


def part_from(document: DocumentRow, start: int, most_bytes: int, last: int | None = None) -> DocumentPart:
    """From a character on, as many bytes as JSON may carry, to the end of a paragraph where there is one."""
    text, stop = document.text, len(document.text) if last is None else last
    begin = min(max(start, document.body), stop)
    longest = min(stop, begin + most_bytes)
    end = bisect_left(range(longest), True, begin, key=lambda at: json_size(text[begin : at + 1]) > most_bytes)
    if end < stop:
        end = _paragraph_end(text, begin, end)
    return DocumentPart(text[begin:end], begin, end, document.body, stop)


def _paragraph_end(text: str, begin: int, end: int) -> int:
    """Back to the last blank line, or else line, that leaves more than half."""
    for mark in ("\n\n", "\n"):
        found = text.rfind(mark, begin, end)
        if found > begin + (end - begin) // 2:
            return found + len(mark)
    return max(end, begin + 1)


def document_uri(path: str, anchor: str | None = None, start: int | None = None, document: str | None = None) -> str:
    """The resource that a document can be read at: from a section or a character on; by its id where paths are two."""
    asked = "&".join(f"{name}={value}" for name, value in (("start", start), ("document", document)) if value)
    where = f"wekadocs://doc/{quote(path)}"
    return f"{where}?{asked}" if asked else f"{where}#{quote(anchor, safe='')}" if anchor else where
