"""An item of Zotero as CSL-JSON has it."""

from __future__ import annotations

import re
from typing import Any

from .items import Item

_TYPES = {
    "journalArticle": "article-journal",
    "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper",
    "book": "book",
    "bookSection": "chapter",
    "conferencePaper": "paper-conference",
    "thesis": "thesis",
    "report": "report",
    "webpage": "webpage",
    "blogPost": "post-weblog",
    "preprint": "article",
    "manuscript": "manuscript",
    "patent": "patent",
    "presentation": "speech",
    "dataset": "dataset",
    "computerProgram": "software",
    "encyclopediaArticle": "entry-encyclopedia",
    "dictionaryEntry": "entry-dictionary",
    "letter": "personal_communication",
    "interview": "interview",
    "case": "legal_case",
    "statute": "legislation",
    "film": "motion_picture",
    "map": "map",
}
_FIELDS = {
    "DOI": ("DOI",),
    "URL": ("url",),
    "ISBN": ("ISBN",),
    "ISSN": ("ISSN",),
    "volume": ("volume",),
    "issue": ("issue",),
    "page": ("pages",),
    "edition": ("edition",),
    "abstract": ("abstractNote",),
    "language": ("language",),
    "publisher": ("publisher", "university", "institution", "company", "studio"),
    "publisher-place": ("place",),
    "collection-title": ("series", "seriesTitle"),
    "container-title": (
        "publicationTitle",
        "bookTitle",
        "proceedingsTitle",
        "websiteTitle",
        "blogTitle",
        "encyclopediaTitle",
    ),
    "genre": ("thesisType", "reportType"),
    "number": ("reportNumber", "patentNumber"),
    "title-short": ("shortTitle",),
}
_ROLES = {"author": "author", "editor": "editor", "translator": "translator", "bookAuthor": "container-author"}
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


def csl_of(item: Item) -> dict[str, Any]:
    made: dict[str, Any] = {"id": item.citekey or item.key, "type": _TYPES.get(item.kind, "document")}
    made |= {"title": item.title} if item.title else {}
    for name, sources in _FIELDS.items():
        value = next((item.fields[each] for each in sources if item.fields.get(each)), "")
        made |= {name: value} if value else {}
    for role, family, given in item.people:
        person = {"family": family, "given": given} if given else {"literal": family}
        made.setdefault(_ROLES.get(role, "author"), []).append(person)
    made |= {"tags": item.tags} if item.tags else {}  # no field of CSL: for the chunks that are matched to it
    if parts := _date(item.fields.get("date", "")):
        made["issued"] = {"date-parts": [parts]}
    return made


def _date(text: str) -> list[int]:
    """Zotero writes `2017-09-00 September 2017`: what is not known is 0."""
    found = _DATE.match(text)
    parts = [int(each) for each in found.groups() if each] if found else []
    while parts and not parts[-1]:
        parts.pop()
    return parts
