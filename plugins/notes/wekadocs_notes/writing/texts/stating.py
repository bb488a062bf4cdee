"""What a note says of itself: a title where its file name cannot give it back, and tags."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ...errors import invalid
from ...vault import name_key
from ...vault.front_matter import read_front_matter
from ...vault.model import title_from_path
from ...vault.reading import stated_tags, stated_title
from .properties import Property, with_properties


def plain_title(title: str) -> str:
    return " ".join(title.split())


def with_title(source: str, id: str, title: str) -> str:
    """A title that stands there is changed; none is added where the file's name says it."""
    stated = stated_title(read_front_matter(source))
    if stated == title or (not stated and title_from_path(id) == title):
        return source
    return with_properties(source, {"title": title})


def with_tags(source: str, tags: Sequence[str]) -> str:
    front = read_front_matter(source)
    if stated_tags(front) == list(tags):
        return source
    if "tag" in front.values and "tags" not in front.values:
        return with_properties(source, {"tag": [*tags]})
    values: dict[str, Property] = {"tags": [*tags]}
    return with_properties(source, values | ({"tag": []} if "tag" in front.values else {}))


def plain_tags(tags: Sequence[str]) -> tuple[list[str], list[str]]:
    """Each once, as first spelled, and a warning for every one that came twice."""
    kept: dict[str, str] = {}
    warnings = []
    for tag in tags:
        plain = tag.strip().removeprefix("#").strip().strip("/")
        if not plain or any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in plain):
            raise invalid(f"tags: {tag!r} is no tag. A tag is one line with a letter in it.", path="/tags")
        if name_key(plain) in kept:
            warnings.append(f"Duplicate tag ignored: {plain}")
        kept.setdefault(name_key(plain), plain)
    return list(kept.values()), list(dict.fromkeys(warnings))
