"""From a heading as written to its words and its anchor."""

from __future__ import annotations

import html
import re

LONGEST = 300  # characters of a title: it is repeated in every section below it

# `{#id .class key=value}` in any order, Docusaurus' comment `{/* #id */}`, or an empty link to itself.
_ID = re.compile(
    r"\s*(?:\{:?\s*(?P<attributes>(?:[.#][^\s{}]+|[\w-]+=(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}]+))(?:\s+[^{}]*)?)\}"
    r"|\{/\*\s*#(?P<comment>[^\s*]+)\s*\*/\}|\[\]\(#(?P<link>[^\s()]+)\))\s*$"
)
_NAME = re.compile(r"""(?:^|\s)(?:#|id=["']?)([^\s{}"']+)""")
_ANCHOR = re.compile(r"""<a\b[^<>]*?\b(?:id|name)\s*=\s*["']?([^\s"'<>]+)[^<>]*>(?:\s*</a>)?""", re.I)
_MARKUP = re.compile(
    r"(`+)(?P<code>[^`]+)\1"
    r"|!?\[(?P<text>[^\[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\[\]]*\])"
    r"|</?[A-Za-z][^<>]*>|<!--.*?-->"
    r"|(?P<mark>\*{1,3}|~~|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


def heading_words(written: str) -> tuple[str, str]:
    """The words of a heading without markup, and the id its author gave it."""
    if len(written) > 4 * LONGEST:
        written = written[: 4 * LONGEST]
    anchor = ""
    given = _ID.search(written) if written.rstrip().endswith(("}", ")")) else None
    if given:
        name = _NAME.search(given["attributes"] or "")
        anchor, written = given["comment"] or given["link"] or (name[1] if name else ""), written[: given.start()]
    if "<" in written:
        inside = _ANCHOR.search(written)
        anchor = anchor or (inside[1] if inside else "")
    words = _MARKUP.sub(_bare, written)
    if "](" in words:  # an image inside a link
        words = _MARKUP.sub(_bare, words)
    if "&" in words:
        words = html.unescape(words)
    return " ".join(words.split())[:LONGEST], anchor[:LONGEST]


def _bare(found: re.Match[str]) -> str:
    return found["code"] or found["text"] or found["escaped"] or ""


def slug(title: str) -> str:
    """The anchor GitHub gives a heading."""
    return _NOT_IN_SLUG.sub("", title.strip().lower()).replace(" ", "-") or "section"
