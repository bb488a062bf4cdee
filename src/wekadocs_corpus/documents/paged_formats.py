"""Formats that are no text: which reader is for which ending of a name, loaded when the first file comes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, cast

from .decoding import Unreadable
from .paged import Allowance, Paged

PagedReader = Callable[[bytes, Allowance | None], Paged]


class _Format(NamedTuple):
    room: str
    reader: str
    name: str
    library: str = ""  # that the extra `documents` brings


PAGED = {
    ".pdf": _Format("pdf", "read_pdf", "PDF", "pypdfium2"),
    ".docx": _Format("office", "read_word", "Word"),
    ".pptx": _Format("office", "read_slides", "PowerPoint"),
    ".epub": _Format("office", "read_epub", "EPUB"),
}


@cache
def missing_library(suffix: str) -> str:
    """What is to be installed before files of this ending can be read, as a command; "" where nothing is."""
    library = PAGED[suffix].library if suffix in PAGED else ""
    return "pip install 'wekadocs-mcp[documents]'" if library and find_spec(library) is None else ""


def reader_of(suffix: str) -> PagedReader:
    wanted = PAGED[suffix]
    if command := missing_library(suffix):
        raise Unreadable(f"reading {wanted.name} needs {wanted.library}: {command}")
    return cast("PagedReader", getattr(import_module(f"{__package__}.{wanted.room}"), wanted.reader))
