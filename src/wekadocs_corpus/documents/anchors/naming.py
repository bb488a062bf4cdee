"""The anchors of a page's headings, as its site's generator gives them: each once in its page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import PurePosixPath
from typing import NamedTuple

from wekadocs_corpus.documents.blocks import Heading

from . import slugs

_NUMBERED = re.compile(r"(.*)_(\d+)\Z", re.S)
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple)-[\w-]+:")  # an image by the time headings are named
_OF_FORMAT = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".rst", ".rest"), "sphinx"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "asciidoctor"),
}


class Naming(NamedTuple):
    """Which generator, and what its configuration says on anchors."""

    generator: str = ""  # "" = none: as GitHub shows a file
    options: Mapping[str, object] = {}  # never written to

    def option(self, name: str, otherwise: str = "") -> str:
        found = self.options.get(name)
        return found if isinstance(found, str) else otherwise


GITHUB = Naming()
Again = Callable[[str], Iterator[str]]  # a name that is taken → those to try next, in order


class Rules(NamedTuple):
    """How a generator names headings."""

    slug: Callable[[str], str]
    again: Again
    title_has_one: bool = True  # whether the page's own title can be linked to
    nameless: str = "section"  # what has no letters is called so; "" = by its number only
    author_first: bool = True  # whether what the author wrote is its name, or only another one


def anchors_of(naming: Naming, path: str, headings: Sequence[Heading]) -> list[str]:
    """One for each heading, in order, none twice; "" for a title that the site gives none."""
    rules = _rules(naming, _OF_FORMAT.get(PurePosixPath(path).suffix.lower(), naming.generator))
    taken: set[str] = set()
    numbered: dict[str, Iterator[str]] = {}  # what was taken once stays so: the search goes on where it ended
    found: list[str] = []
    for place, heading in enumerate(headings):
        if place == 0 and heading.level == 1 and not rules.title_has_one and not heading.anchor:
            found.append("")
            continue
        name = next(each for each in _names(rules, heading, numbered) if each and each not in taken)
        taken.add(name)
        found.append(name)
    return found


def _names(rules: Rules, heading: Heading, numbered: dict[str, Iterator[str]]) -> Iterator[str]:
    """What it may be called, the best first."""
    slug, own = rules.slug(heading.title), heading.anchor
    first: list[str] = []
    if rules.author_first:
        slug = own or slug
    elif own:  # both lead there; where the title's is taken, the author's does
        first = [slug, rules.slug(own)]
    slug = slug or rules.nameless
    if slug not in numbered:
        numbered[slug] = rules.again(slug)
    # Not a generator: it would end the numbers with itself.
    return chain(first, [slug], numbered[slug])


def _counted(sign: str, first: int = 1) -> Again:
    return lambda name: (f"{name}{sign}{number}" for number in count(first))


def _underscored(name: str) -> Iterator[str]:
    """Python-Markdown counts a number on that is there already."""
    found = _NUMBERED.match(name)
    stem, first = (found[1], int(found[2]) + 1) if found else (name, 1)
    return (f"{stem}_{number}" for number in count(first))


def _rules(naming: Naming, generator: str) -> Rules:
    if generator == "mkdocs":
        return Rules(_mkdocs(naming), _underscored, nameless="")
    if generator == "sphinx":
        numbers = (f"id{number}" for number in count(1))  # one count for all names
        return Rules(slugs.docutils, lambda _: numbers, nameless="", author_first=False)
    if generator in ("asciidoctor", "antora"):
        return _asciidoctor(naming)
    if generator == "hugo":
        ascii_only = naming.option("anchors") == "github-ascii"
        return Rules(partial(slugs.hugo, ascii_only=ascii_only), _counted("-"), nameless="heading")
    return _RULES.get(generator, _PLAIN)


_PLAIN = Rules(slugs.github, _counted("-"))
_RULES = {
    "docusaurus": _PLAIN._replace(title_has_one=False),
    "mdbook": Rules(slugs.mdbook, _counted("-")),
    "vitepress": Rules(slugs.vitepress, _counted("-")),
    "kramdown": Rules(slugs.kramdown, _counted("-")),
    "gitbook": Rules(slugs.gitbook, _counted("-"), title_has_one=False),
}


def _mkdocs(naming: Naming) -> Callable[[str], str]:
    separator = naming.option("separator", "-")
    slug = partial(slugs.python_markdown, separator=separator)
    if naming.option("slugs") == "pymdown":
        slug = partial(slugs.pymdown, separator=separator, case=naming.option("case"))
    return lambda title: slug(_ICON.sub("", title))


def _asciidoctor(naming: Naming) -> Rules:
    """Where no site says otherwise, as GitHub shows such a file."""
    by_itself = ("_", "_") if naming.generator in ("antora", "hugo", "jekyll") else ("", "-")
    prefix, separator = naming.option("idprefix", by_itself[0]), naming.option("idseparator", by_itself[1])[:1]
    slug = partial(slugs.asciidoctor, prefix=prefix, separator=separator)
    return Rules(slug, _counted(separator, 2), title_has_one=not naming.generator)
