"""BibTeX entries as items of CSL-JSON, by bibtexparser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.middlewares import LatexDecodingMiddleware
from bibtexparser.middlewares.names import (
    InvalidNameError,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import Entry, Field

_TYPES = {
    "article": "article-journal",
    "book": "book",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "conference": "paper-conference",
    "thesis": "thesis",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "report": "report",
    "techreport": "report",
    "online": "webpage",
}
_FIELDS = {
    "title": "title",
    "doi": "DOI",
    "url": "URL",
    "series": "collection-title",
    "keywords": "keyword",
    "volume": "volume",
    "number": "issue",
    "pages": "page",
    "isbn": "ISBN",
    "edition": "edition",
    "address": "publisher-place",
}
_AROUND = ("journal", "journaltitle", "booktitle")
_PUBLISHER = ("publisher", "institution", "school", "organization")
_PEOPLE = ("author", "editor")
_VERBATIM = ("url", "doi")  # in which % begins no comment
_ESCAPED = re.compile(r"[{}]|\\(?=[^A-Za-z])")


def items(text: str) -> list[dict[str, Any]]:
    return [
        _item(
            entry.key, entry.entry_type, {name.lower(): str(field.value) for name, field in entry.fields_dict.items()}
        )
        for entry in parse_string(text).entries
    ]


def _item(key: str, kind: str, written: Mapping[str, str]) -> dict[str, Any]:
    """People are told apart by their braces, which go when letters are decoded."""
    fields = _decoded({name: value for name, value in written.items() if name not in (*_PEOPLE, *_VERBATIM)})
    fields |= {name: _ESCAPED.sub("", written[name]).strip() for name in _VERBATIM if name in written}
    found: dict[str, Any] = {"id": key, "type": _TYPES.get(kind.lower(), "document")}
    found |= {csl: fields[name] for name, csl in _FIELDS.items() if fields.get(name)}
    for csl, names in (("container-title", _AROUND), ("publisher", _PUBLISHER)):
        if told := next((fields[name] for name in names if fields.get(name)), ""):
            found[csl] = told
    years = [fields.get(name, "")[:4] for name in ("year", "date")]
    if year := next(filter(str.isdecimal, years), ""):
        found["issued"] = {"date-parts": [[int(year)]]}
    found |= {name: _people(written[name]) for name in _PEOPLE if written.get(name)}
    if "page" in found:
        found["page"] = found["page"].replace("--", "-")
    return found


def _people(names: str) -> list[dict[str, str]]:
    return [_person(each) for each in split_multiple_persons_names(names) if each.strip(" ,{}") not in ("", "others")]


def _person(name: str) -> dict[str, str]:
    if name.startswith("{") and name.endswith("}"):  # an organisation
        return {"literal": _decoded({"": name})[""]}
    try:
        parts = parse_single_name_into_parts(name, strict=False)
    except InvalidNameError:
        return {"literal": _decoded({"": name})[""]}
    family, given, suffix = [*parts.von, *parts.last], parts.first, parts.jr
    told = _decoded({"family": " ".join(family), "given": " ".join(given), "suffix": " ".join(suffix)})
    return told if given else {"literal": told.get("family", "")}


def _decoded(fields: Mapping[str, str]) -> dict[str, str]:
    """Without LaTeX's ways to write letters; what is empty then is left out."""
    entry = Entry("misc", "", [Field(name, value) for name, value in fields.items()])
    LatexDecodingMiddleware().transform_entry(entry, Library())
    plain = {field.key: " ".join(str(field.value).translate(_BRACES).split()) for field in entry.fields}
    return {name: value for name, value in plain.items() if value}


_BRACES = str.maketrans("", "", "{}")
