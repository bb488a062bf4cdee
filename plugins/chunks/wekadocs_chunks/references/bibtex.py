"""BibTeX entries as items of CSL-JSON, by bibtexparser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware

_TYPES = {
    "article": "article-journal",
    "book": "book",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "techreport": "report",
    "online": "webpage",
}
_FIELDS = {
    "title": "title",
    "doi": "DOI",
    "url": "URL",
    "publisher": "publisher",
    "volume": "volume",
    "number": "issue",
    "pages": "page",
    "isbn": "ISBN",
    "edition": "edition",
    "address": "publisher-place",
}


def items(text: str) -> list[dict[str, Any]]:
    library = parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    return [
        _item(
            entry.key, entry.entry_type, {name.lower(): str(field.value) for name, field in entry.fields_dict.items()}
        )
        for entry in library.entries
    ]


def _item(key: str, kind: str, fields: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": key, "type": _TYPES.get(kind.lower(), "document")}
    found |= {csl: _plain(fields[name]) for name, csl in _FIELDS.items() if fields.get(name)}
    around = fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle")
    if around:
        found["container-title"] = _plain(around)
    year = fields.get("year") or fields.get("date", "")
    if year[:4].isdigit():
        found["issued"] = {"date-parts": [[int(year[:4])]]}
    for name in ("author", "editor"):
        if fields.get(name):
            found[name] = [_person(each) for each in fields[name].replace("\n", " ").split(" and ") if each.strip()]
    if "page" in found:
        found["page"] = found["page"].replace("--", "-")
    return found


def _person(name: str) -> dict[str, str]:
    if name.strip().startswith("{"):
        return {"literal": _plain(name)}
    if "," in name:
        family, _, given = name.partition(",")
        return {"family": _plain(family), "given": _plain(given)}
    given, _, family = name.strip().rpartition(" ")
    return {"family": _plain(family), "given": _plain(given)} if given else {"literal": _plain(family)}


def _plain(text: str) -> str:
    return " ".join(text.replace("{", "").replace("}", "").split())
