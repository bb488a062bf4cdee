"""RIS entries as items of CSL-JSON, by rispy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rispy

from .records import year_in

_TYPES = {
    "JOUR": "article-journal",
    "BOOK": "book",
    "CHAP": "chapter",
    "CONF": "paper-conference",
    "CPAPER": "paper-conference",
    "THES": "thesis",
    "RPRT": "report",
    "ELEC": "webpage",
}
_FIELDS = {
    "DOI": ("doi",),
    "title": ("title", "primary_title"),
    "container-title": ("secondary_title", "journal_name", "alternate_title3"),
    "publisher": ("publisher",),
    "volume": ("volume",),
    "issue": ("number",),
    "publisher-place": ("place_published",),
}


def items(text: str) -> list[dict[str, Any]]:
    return [_item(entry) for entry in rispy.loads(text)]


def _item(entry: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": _TYPES.get(str(entry.get("type_of_reference")), "document")}
    found["id"] = _first(entry, ("id", "label"))
    found |= {csl: value for csl, names in _FIELDS.items() if (value := _first(entry, names))}
    found |= {"URL": url} if (url := _first(entry, ("urls", "url", "link1"))) else {}
    pages = "-".join(filter(None, (_first(entry, ("start_page",)), _first(entry, ("end_page",)))))
    found |= {"page": pages} if pages else {}
    year = year_in(_first(entry, ("year", "publication_year", "date")))
    found |= {"issued": {"date-parts": [[year]]}} if year else {}
    words = [str(each).strip() for each in entry.get("keywords") or []]
    found |= {"tags": words} if words else {}
    people = entry.get("authors") or entry.get("first_authors") or []
    found["author"] = [_person(str(each)) for each in people]
    return found


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> str:
    values = [entry[name] for name in names if entry.get(name)]
    value = values[0] if values else ""
    return str(value[0] if isinstance(value, list) else value).strip()


def _person(name: str) -> dict[str, str]:
    family, comma, given = name.partition(",")
    return {"family": family.strip(), "given": given.strip()} if comma else {"literal": name.strip()}
