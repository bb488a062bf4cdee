"""What a fetched page becomes before it is a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .links import Link

Format = Literal["clean", "markdown", "plain"]


class NotAPage(Exception):
    """What was fetched holds no text that can be read; the message goes to the caller."""


@dataclass(frozen=True)
class Page:
    """Its text is clean Markdown, or Markdown or plain text as it was fetched; `data`, where only a reader of the
    corpus can make text of it."""

    title: str
    text: str = ""
    language: str = ""
    links: tuple[Link, ...] = ()
    canonical: str = ""  # as the page states it
    description: str = ""
    scripted: bool = False  # it shows nothing without its scripts
    format: Format = "clean"
    data: bytes = b""
    suffix: str = ""  # of `data`
