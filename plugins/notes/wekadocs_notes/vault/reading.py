"""Bytes of a file → a note."""

from __future__ import annotations

from hashlib import sha256

from . import tags
from .canvas import canvas_text
from .code import Code
from .front_matter import FrontMatter, body_start, read_front_matter
from .links import links_in
from .model import Note, shortened, title_from_path
from .walking import CANVASES

MOST_BYTES = 10_000_000
_OWN = ("title", "tags", "tag", "aliases", "alias")


class Unreadable(ValueError):
    """The file is no note; the message says why in a few words."""


def note_hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def read_note(id: str, data: bytes) -> Note:
    """Raises Unreadable for what is no text."""
    source = _source(id, data)
    front = read_front_matter(source)
    code = Code(source)
    said, written = stated_tags(front), tags.inline(source, front.body_start, code)
    own, twice = tags.told_once(said, written)
    title = stated_title(front)
    return Note(
        id=id,
        title=shortened(title) if title else title_from_path(id),
        source=source,
        front_start=front.start,
        front_end=front.end,
        body_start=front.body_start,
        tags=own,
        aliases=_aliases(front),
        links=links_in(source, front.body_start, code),
        properties={name: value for name, value in front.values.items() if name not in _OWN},
        hash=note_hash(data),
        has_title=bool(title),
        faults=(
            *((f"Bad front matter: {id}: {front.fault}",) if front.fault else ()),
            *(f"Duplicate tag ignored: {tag}" for tag in twice),
        ),
    )


def read_content(id: str, data: bytes) -> str:
    """Only what a note's content is, which takes a tenth of the time. Raises Unreadable too."""
    source = _source(id, data)
    return source[body_start(source) :]


def _source(id: str, data: bytes) -> str:
    source = decoded(data)
    return canvas_text(source) if id.lower().endswith(CANVASES) else source


def decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it has {len(data):,} bytes, the limit is {MOST_BYTES:,}")
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")
    except UnicodeDecodeError:
        raise Unreadable("it is no UTF-8 text") from None


def stated_title(front: FrontMatter) -> str:
    value = front.values.get("title")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def stated_tags(front: FrontMatter) -> list[str]:
    return [*tags.stated(front.values.get("tags")), *tags.stated(front.values.get("tag"))]


def _aliases(front: FrontMatter) -> tuple[str, ...]:
    found: list[str] = []
    for name in ("aliases", "alias"):
        value = front.values.get(name)
        some = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        found += [each.strip() for each in some if isinstance(each, str) and each.strip()]
    return tuple(dict.fromkeys(found))
