"""One reference, whichever format it was read from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_RESOLVER = re.compile(r"^\s*(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")


@dataclass(frozen=True)
class Record:
    """Fields as CSL-JSON has them, with those that chunks are matched and cited by beside them."""

    citekey: str
    title: str
    doi: str
    url: str
    year: int | None
    authors: tuple[str, ...]
    csl: dict[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()

    @property
    def known(self) -> dict[str, Any]:
        """What a chunk's payload can take from it."""
        told = {
            "citekey": self.citekey,
            "doi": self.doi,
            "url": self.url,
            "year": self.year,
            "authors": list(self.authors),
            "tags": list(self.tags),
        }
        return {name: value for name, value in told.items() if value}


class Unreadable(Exception):
    """A bibliography that cannot be used; the message is a warning for the caller."""


def record(csl: dict[str, Any]) -> Record:
    """Of an item of CSL-JSON, as far as it makes sense; a DOI without its resolver, which styles write themselves."""
    doi = _RESOLVER.sub("", _text(csl.get("DOI")))
    return Record(
        citekey=_text(csl.get("citation-key") or csl.get("id")),
        title=_text(csl.get("title")),
        doi=doi,
        url=_text(csl.get("URL")),
        year=_year(csl.get("issued")),
        authors=tuple(filter(None, (_name(each) for each in _list(csl.get("author"))))),
        csl={**csl, "DOI": doi} if doi else csl,
        tags=tuple(_tags(csl)),
    )


def _tags(csl: dict[str, Any]) -> list[str]:
    """Zotero's, or the keywords of a file."""
    words = re.split(r"[,;]", _text(csl.get("keyword")))
    told = _list(csl.get("tags")) or words
    return [tag for each in told if (tag := _text(each))]


def year_in(text: str) -> int | None:
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _year(issued: object) -> int | None:
    if not isinstance(issued, dict):
        return year_in(_text(issued))
    for parts in _list(issued.get("date-parts")):
        if isinstance(parts, list) and parts:
            return year_in(_text(parts[0]))
    return year_in(_text(issued.get("raw") or issued.get("literal")))


def _name(person: object) -> str:
    if not isinstance(person, dict):
        return _text(person)
    family, given = _text(person.get("family")), _text(person.get("given"))
    whole = ", ".join(filter(None, (family, given)))
    return whole or _text(person.get("literal"))
