"""What a document says of itself and its path says of it: title, tag, date, language."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import PurePosixPath

from wekadocs_corpus.labels import label
from wekadocs_corpus.model import ParsedDocument

from .blocks import Outline
from .headings import LONGEST
from .language import guess_language

# fmt: off
_DATES = (
    "updated_at", "updated", "last_updated", "last_modified", "lastmod", "last_update", "modified", "date_modified",
    "date", "published",
)
# fmt: on
_MOST_TAGS = 32  # of one document
_NO_TITLE = "<no title>"  # as Sphinx says it
_SOURCE = re.compile(r"\.(?:rst|rest|md|html?|txt)\Z", re.I)  # Sphinx keeps its sources as `index.rst.txt`
_INDEXES = frozenset({"index", "readme", "_index", "overview"})


def document_title(outline: Outline, path: str) -> str:
    """Front matter, else the first heading of level 1, else what else the file says, else its name made readable.

    Where there is none of level 1, a lower one that stands above all else is the page's, as many books have it.
    """
    stated = outline.front_matter.get("title")
    if isinstance(stated, str | int | float) and str(stated).strip():
        return " ".join(str(stated).split())[:LONGEST]
    tops = [heading.title for heading in outline.headings if heading.level == 1 and heading.title]
    page = "" if outline.title.startswith(_NO_TITLE) else outline.title
    if len(tops) > 1 and page:
        return page  # the headings name its parts
    return _own(outline, path) or (tops[0] if tops else "") or page or _above_all(outline, path) or _readable(path)


def _above_all(outline: Outline, path: str) -> str:
    """The heading that the page begins with, if all others are deeper or the file is called after it."""
    if not outline.headings or not outline.blocks:
        return ""
    first, *others = outline.headings
    begins = outline.blocks[0].end if outline.blocks[0].kind == "front_matter" else 0
    alone = all(each.level > first.level for each in others) or not _words(first.title).isdisjoint(
        _words(PurePosixPath(path).stem)
    )
    return first.title if alone and not outline.text[begins : first.start].strip() else ""


def _words(name: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{4,}", name.casefold()))


def _own(outline: Outline, path: str) -> str:
    """The second heading, where the first has nothing below it and the file is called as the second."""
    if len(outline.headings) < 2 or not outline.blocks:
        return ""
    first, second = outline.headings[:2]
    between = outline.text[first.start : second.start]
    if first.level != 1 or second.level > 2 or len(between.strip().splitlines()) > 1:
        return ""
    return second.title if _letters(second.title) == _letters(_readable(path)) != _letters(first.title) else ""


def _letters(words: str) -> str:
    return "".join(filter(str.isalnum, words.casefold()))


def _readable(path: str) -> str:
    where = PurePosixPath(path)
    stem = where.parent.name if where.stem.lower() in _INDEXES and where.parent.name else where.stem
    stem = _SOURCE.sub("", stem)
    words = re.sub(r"[\s_-]+", " ", stem.rpartition("__")[2] or stem).strip()
    return (words[:1].upper() + words[1:])[:LONGEST] or "Untitled"


def document_language(outline: Outline) -> str:
    """What the front matter or the file states, else a guess."""
    for key in ("lang", "language", "locale"):
        stated = outline.front_matter.get(key)
        if stated is False:
            return "no"  # YAML reads Norwegian as a boolean
        if isinstance(stated, str) and re.fullmatch(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*", stated.strip()):
            return stated.strip().replace("_", "-").split("-")[0].lower()
    return outline.language or guess_language(outline.text)


def doc_tags(parsed: ParsedDocument, path: str) -> tuple[str, ...]:
    """What the front matter says as `doc_tag`, `doc_tags` or `tags`, each once; the first stands in every answer.

    Where neither of the first two says one, it is told by the path: `tags` alone name what a page is about, too.
    """
    front_matter = parsed.front_matter
    first = [*_tags(front_matter.get("doc_tag")), *_tags(front_matter.get("doc_tags"))] or [_placed(path)]
    return tuple(dict.fromkeys([*first, *_tags(front_matter.get("tags"))]))[:_MOST_TAGS]


def _tags(stated: object) -> list[str]:
    """One, or those of a list."""
    several = stated if isinstance(stated, list) else [stated]
    words = [str(each).strip() for each in several if isinstance(each, str | int) and not isinstance(each, bool)]
    return [tag for each in words if each and (tag := label(each[:LONGEST]))]


def _placed(path: str) -> str:
    """The slug of a `scope__slug` file name, else the first folder, else the stem."""
    where = PurePosixPath(path)
    scope, between, slug = where.stem.partition("__")
    if scope and between and slug:
        return slug
    return where.parts[0] if len(where.parts) > 1 else where.stem


def updated_at(parsed: ParsedDocument) -> float | None:
    """When the front matter says it was last changed, in seconds since 1970; a date without zone is UTC."""
    for key in _DATES:
        stated = parsed.front_matter.get(key)
        if isinstance(stated, dict):  # Docusaurus: last_update: {date: …}
            stated = stated.get("date")
        moment = _moment(stated) if isinstance(stated, str) else None
        if moment is not None:
            return moment
    return None


def _moment(stated: str) -> float | None:
    text = stated.strip().replace("/", "-")
    for candidate in (text, text[:10]):
        try:
            moment = datetime.fromisoformat(candidate)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            continue
    return None
