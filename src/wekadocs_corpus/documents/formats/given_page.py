"""A page that somebody else has read already: its title, its language and its text travel together as JSON.

What the text says at its top is no front matter: a stranger's page must not choose its own tags.
"""

from __future__ import annotations

import json
from typing import Literal

from wekadocs_corpus.documents.blocks import Outline
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.flavours import convert_markdown
from wekadocs_corpus.documents.front_matter import read_front_matter

from .links import markdown_links
from .markdown_scan import Scan
from .plain import read_plain

SUFFIX = ".page"  # what a path to one ends with
Form = Literal["clean", "markdown", "plain"]


def page_bytes(text: str, *, title: str = "", language: str = "", form: Form = "clean") -> bytes:
    """`clean` Markdown is kept to the letter, `markdown` is read as its site would show it, `plain` has no marks."""
    return json.dumps({"title": title, "language": language, "form": form, "text": text}).encode()


def read_given_page(data: bytes) -> Outline:
    given = _checked(data)
    if given["form"] == "plain":
        outline = read_plain(given["text"])
    else:
        outline = _of_markdown(given["text"], clean=given["form"] == "clean")
    outline.language = given["language"] or outline.language
    title = given["title"] or outline.title
    outline.front_matter = {"title": title} if title else {}  # it counts over the headings of the page
    return outline


def _checked(data: bytes) -> dict[str, str]:
    try:
        given = json.loads(data)
        return {name: str(given[name]) for name in ("title", "language", "form", "text")}
    except (ValueError, TypeError, KeyError):
        raise Unreadable("it is no page as page_bytes writes it") from None


def _of_markdown(text: str, *, clean: bool) -> Outline:
    title = ""
    if not clean:
        values, begin = read_front_matter(text)
        stated = values.get("title")
        title = " ".join(stated.split()) if isinstance(stated, str) else ""
        text = convert_markdown(text[begin:], Neighbours("page.md", None)).text
    outline = Outline(text, title=title)
    scan = Scan(text)
    outline.blocks, outline.headings = scan.blocks(), scan.headings
    outline.links = markdown_links(text, outline.blocks)
    return outline
