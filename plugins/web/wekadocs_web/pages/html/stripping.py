"""The plainest reading of a page: no tags, no scripts, paragraphs two lines apart."""

from __future__ import annotations

import re
from html import unescape

_UNSEEN = re.compile(
    r"<(script|style|template|noscript|head)\b[^>]{0,4000}>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S
)
_ENDS = re.compile(r"</?(?:p|div|h[1-6]|li|tr|table|ul|ol|br|section|article)\b[^<>]{0,4000}>", re.I)
_TAG = re.compile(r"<[^<>]{0,4000}>")
_BLANK = re.compile(r"(?<!\s)\s*\n\s*")


def stripped_of_tags(html: str) -> str:
    text = unescape(_TAG.sub(" ", _ENDS.sub("\n", _UNSEEN.sub(" ", html))))
    return re.sub(r"[ \t]+", " ", _BLANK.sub("\n\n", text)).strip() + "\n"
