"""What a vault is made of: notes, their links as they stand in the file, and nodes that only links know of."""

from __future__ import annotations

import unicodedata
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from wekadocs_kit import truncated

GHOST = "ghost_"
_LONGEST_TITLE = 500  # characters, as a caller may give one


class Link(NamedTuple):
    """One `[[target#fragment|display]]`, with where it stands in the file's text."""

    target: str  # trimmed; "" for a link into the same note
    fragment: str  # behind the first #: a heading, or ^ and a block's name; "" where there is none
    display: str | None
    start: int  # of `[[`
    end: int  # behind `]]`
    target_start: int  # of the target's own characters, without the spaces around them
    target_end: int
    is_embed: bool  # ![[…]]


@dataclass(frozen=True)
class Note:
    """A file, read. Offsets are characters of `source`, which is the file's text with its own line ends."""

    id: str  # its path relative to the vault, posix, in its own case
    title: str
    source: str
    front_start: int  # of the YAML between the fences; equal to front_end where there is none
    front_end: int
    body_start: int
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    links: tuple[Link, ...]
    properties: dict[str, Any]  # front matter but for title, tags and aliases
    hash: str
    has_title: bool  # said by the front matter, not by the file's name
    faults: tuple[str, ...] = ()  # for whoever asks next

    @property
    def content(self) -> str:
        return self.source[self.body_start :]


class Known(NamedTuple):
    """What is kept of a note while nobody reads it."""

    id: str
    title: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    targets: tuple[str, ...]  # of its links, each spelling once: case may tell two notes apart
    properties: dict[str, Any]
    hash: str = ""
    size: int = 0
    mtime_ns: int = 0
    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, note: Note, size: int, mtime_ns: int) -> Known:
        targets = tuple(dict.fromkeys(link.target for link in note.links if link.target))
        said = (note.title, note.tags, note.aliases, targets, note.properties)
        return cls(note.id, *said, note.hash, size, mtime_ns, note.faults)


@dataclass(frozen=True, slots=True)
class Ghost:
    """What links lead to and no file is."""

    id: str
    title: str  # as the first link writes it


class Resolved(NamedTuple):
    """What a link's target means."""

    id: str  # of a note or a ghost; "" for what is no node, such as a picture
    is_ghost: bool
    others: tuple[str, ...] = ()  # further notes that go by the same name


def name_key(name: str) -> str:
    """What two spellings of one name share: case and the way accents are composed do not count."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def ghost_id(title: str) -> str:
    made = sha256(title.strip().lower().encode("utf-8", "surrogatepass")).digest()
    return GHOST + urlsafe_b64encode(made).decode()[:12]


def shortened(title: str) -> str:
    """What names a node in every list: a page of text in its place is no name."""
    return truncated(title, _LONGEST_TITLE, "…")


def title_from_path(id: str) -> str:
    """`notes/my-first_note.md` → My First Note."""
    words = PurePosixPath(id).stem.replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words) or PurePosixPath(id).stem
