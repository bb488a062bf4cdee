"""What filters mean, and which payload fields can be asked for: declared once, for every store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_corpus import FULL_TEXT, KEYWORD

from .errors import invalid
from .rendering import part

# Payload fields with an index, and of which kind.
FIELDS = (
    ("project", KEYWORD),
    ("zotero.tags", KEYWORD),
    ("zotero.year", KEYWORD),
    ("zotero.citekey", KEYWORD),
    ("zotero.doi", KEYWORD),
    ("doc.id", KEYWORD),
    ("doc.section_path", KEYWORD),
    ("fulltext", FULL_TEXT),
)
_BETWEEN = "\x1f"  # headings of a path
KNOWN = ("tags", "year", "citekey", "doi", "section_prefix", "doc")
_SINGLE = {"citekey": "zotero.citekey", "doc": "doc.id"}


def keywords(payload: Mapping[str, Any], doc: str) -> tuple[tuple[str, str], ...]:
    """What filters can find a chunk by."""
    zotero = part(payload, "zotero")
    found = [("zotero.tags", str(tag)) for tag in zotero.get("tags") or []]
    found += [("zotero.citekey", zotero["citekey"])] if zotero.get("citekey") else []
    found += [("zotero.doi", plain_doi(zotero["doi"]))] if zotero.get("doi") else []
    found += [("zotero.year", str(zotero["year"]).strip())] if zotero.get("year") is not None else []
    found += [("doc.id", doc)] if doc else []
    path = part(payload, "doc").get("section_path") or []
    found += [("doc.section_path", _BETWEEN.join(path[:depth])) for depth in range(1, len(path) + 1)]
    return tuple(dict.fromkeys(found))


def conditions(filters: Mapping[str, Any] | None, most: int) -> list[tuple[str, str]]:
    """(field, value), all of which must hold; the project's own is none of them and cannot be widened."""
    found: dict[tuple[str, str], None] = {}
    for name, value in (filters or {}).items():
        if name not in KNOWN:
            raise _unknown(name)
        if value is not None:
            found |= dict.fromkeys(_condition(name, value))
    if len(found) > most:
        raise invalid(f"filters ask for {len(found)} things at once; at most {most} are looked for.", path="/filters")
    return list(found)


def _condition(name: str, value: object) -> list[tuple[str, str]]:
    match name:
        case "tags":
            return [("zotero.tags", tag) for tag in _words(name, value)]
        case "section_prefix":
            path = _words(name, value.split(" > ") if isinstance(value, str) else value)
            return [("doc.section_path", _BETWEEN.join(path))] if path else []
        case "year":
            value = int(value) if isinstance(value, float) and value.is_integer() else value
            if isinstance(value, bool) or not isinstance(value, int | str):
                raise _wrong(name, "a year, such as 2023")
            return [("zotero.year", str(value).strip())]
        case "doi":
            return [("zotero.doi", plain_doi(_word(name, value)))]
    return [(_SINGLE[name], _word(name, value))]


def _words(name: str, value: object) -> Sequence[str]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise _wrong(name, "a list of texts")
    return given


def _word(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong(name, "a text")
    return value


def _wrong(name: str, wanted: str) -> Exception:
    return invalid(f"filters.{name} must be {wanted}.", path=f"/filters/{name}")


def _unknown(name: str) -> Exception:
    message = f"Unknown filter {name[:100]!r}. Known filters: {', '.join(KNOWN)}."
    if name in ("project", "project_id"):
        message += " The project is the call's own and cannot be widened."
    return invalid(message, path=f"/filters/{name[:100]}", known_filters=list(KNOWN))


def plain_doi(doi: str) -> str:
    """Lower case, without resolver or `doi:`."""
    plain = doi.strip().lower()
    for prefix in ("https://", "http://", "dx.", "doi.org/", "doi:"):
        plain = plain.removeprefix(prefix).strip()
    return plain
