"""One page: what its conf.py puts around it, its names, then its blocks."""

from __future__ import annotations

from wekadocs_corpus.documents.conversion.lines import Converted, Lines, converted
from wekadocs_corpus.documents.conversion.neighbours import Neighbours

from .blocks import Blocks
from .names import Names, configured


def convert_restructured(text: str, neighbours: Neighbours) -> Converted:
    """The page as Markdown, includes resolved."""
    names = Names()
    names.learn(text)
    conf = neighbours.above("conf.py")
    if conf:
        around, stated = configured(conf[1])
        names.learn(around)
        for name, value in stated:
            names.substitutions.setdefault(name, value)
    return converted(Blocks(names, neighbours).read(source(text), top=True))


def source(text: str, number: int | None = None) -> Lines:
    """Lines without tabs and trailing space; those of an included file all have the number of the include."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [
        ((line.expandtabs(8) if "\t" in line else line).rstrip(), at if number is None else number)
        for at, line in enumerate(lines)
    ]
