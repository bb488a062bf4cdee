"""HTML that a program fills in before anybody sees it: Jinja, Liquid, Go, Handlebars, Vue, Angular."""

from __future__ import annotations

import re
from pathlib import Path

_HTML = frozenset({".html", ".htm"})
_LOOKED_AT = 16_384  # bytes
_BEGINS_AS_ONE = re.compile(
    rb"\s*(?:(?:\{#.{0,4000}?#\}|<!--.{0,4000}?-->)\s*){0,20}\{%-?\s*(?:extends|block|load|include|import|macro)\b",
    re.S,
)
_TITLE_FILLED_IN = re.compile(rb"<title>[^<]{0,300}\{[{%]", re.I)
_CODE = re.compile(rb"<(pre|code)\b.*?(?:</\1\s*>|\Z)", re.S | re.I)
_WHOLE_PAGE = re.compile(rb"\A\s*---|<!doctype|<html|<head|<body|<h1", re.I)
_FILLED_IN = re.compile(rb"\{%-?\s*(?:if|for|block|include)\b|\{\{[^<%]|<[^<>]{0,500}\s(?:v-\w|\*ng|@click)")


def is_template(file: Path) -> bool:
    """Whether it begins as one, leaves its title open, or is a piece without a page around it that has open places."""
    if file.suffix.lower() not in _HTML:
        return False
    try:
        with file.open("rb") as opened:
            head = opened.read(_LOOKED_AT)
    except OSError:
        return False
    if _BEGINS_AS_ONE.match(head) or _TITLE_FILLED_IN.search(head):
        return True
    return not _WHOLE_PAGE.search(head) and _FILLED_IN.search(_CODE.sub(b"", head)) is not None
