"""XML of strangers to a tree: without entities of its own making, without what it includes, and only so deep."""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from wekadocs_corpus.documents.decoding import Unreadable

_DEEPEST = 500
_MOST = 5_000_000  # elements


def parsed(data: bytes) -> Element:
    """Names are those of their elements alone, as `p` for `{…}p`; attributes keep theirs."""
    return _Parser().parse(data)


class _Parser:
    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._depth = self._count = 0
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._builder.data
        parser.EntityDeclHandler = _refuse
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser = parser

    def parse(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
            return self._builder.close()
        except (expat.ExpatError, AssertionError):
            raise Unreadable("it is damaged: XML in it cannot be read") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth, self._count = self._depth + 1, self._count + 1
        if self._depth > _DEEPEST:
            raise Unreadable("it is nested too deeply")
        if self._count > _MOST:
            raise Unreadable(f"it has more than {_MOST:,} elements")
        self._builder.start(name.rpartition("}")[2], {key.rpartition("}")[2]: each for key, each in attributes.items()})

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(name.rpartition("}")[2])


def _refuse(*_: object) -> None:
    raise Unreadable("XML in it declares entities, which no such file needs")
