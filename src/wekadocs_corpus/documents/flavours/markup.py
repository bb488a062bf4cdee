"""What stands in and between lines outside of code: comments, tags, shortcodes, attribute lists and other signs.

Every replacement keeps its line ends, so that lines stay what they are.
"""

from __future__ import annotations

import html
import re
from itertools import groupby

from wekadocs_corpus.documents.conversion.entities import ENTITIES, entities
from wekadocs_corpus.documents.restructured.inline import role

from . import docfx, shortcodes, tags
from .pieces import Piece
from .signs import ANCHOR

# The first sign stands before all else, so that the engine can leap to it.
_FOUND = re.compile(
    r"[\\`<{:+=&[](?:"
    r"(?<=\\)[\s\S]"
    r"|(?<=`)(?<!``)(?P<span>(?P<ticks>`{0,7})(?!`)"
    r"(?:[^`\n]|\n(?![ \t]*(?:\n|\||>|#{1,6}[ ]|[-*+][ ]|\d{1,9}[.)][ ]))"  # it ends with its paragraph, item or row
    r"|(?<!`)`(?!(?P=ticks)(?!`))`{0,20}){1,800}?(?<!`)`(?P=ticks)(?!`))"
    r"|(?<=<)!--[ \t]*md:(?P<badge>\w+)[ \t]*(?P<told>[^\n]*?)[ \t]*-->"
    r"|(?<=<)(?P<comment>!--)"
    r"|(?<=<)xref:(?P<uid>[^<>\s]{1,500})>"
    r"|(?<=<)(?P<tag>/?[A-Za-z](?=[\w.:-]{0,60}(?:[\s/>]|$)))"
    r"|(?<=\{)(?P<role>[A-Za-z][\w:+-]{0,40})\}`(?P<inside>[^`\n]{1,500})`"
    r"|(?<=\{)(?P<hidden>\#[ \t][^\n]{0,2000}?\#\}|\{\#\w[^{}\n]{0,500}\}\})"
    r"|(?<=\{)(?P<remark>\{?/\*)"
    r"|(?<=\{)(?P<short>\{-?[<%](?:(?:[^{}]|\{\{<[^{}]{0,200}\}\}){0,3000}?|[^\n]{0,1000}?)[>%]-?\}\})"
    r"|(?<=\{)(?P<liquid>%[^%\n]{0,2000}%\})"
    r"|(?<=\{)(?P<critic>(?:\+\+|--|~~|==|>>)[^{}\n]{0,1000}?(?:\+\+|--|~~|==|<<)\})"
    r"|(?<=\{)(?P<attributes>:?[ \t]*(?:[.#][\w-][^{}\n]{0,300}|toc|data-preview"
    r"|:?[\w-]+=(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s{}\"]{1,200})[^{}\n]{0,300})[ \t]*\})"
    r"|(?<=\{)(?P<space>(?:' '|\" \")\})"
    r"|(?<=:)(?P<icon>(?:material|octicons|fontawesome|simple)-[\w-]{1,100}:)"
    r"|(?<=\+)(?<![\w+]\+)\+(?P<keys>[\w\"-]{1,40}(?:\+[\w\"-]{1,40}){0,5})\+\+(?![\w+])"
    r"|(?<==)(?<![\w=]=)=(?P<marked>[^\s=][^=\n]{0,300})==(?![\w=])"
    rf"|(?<=&)(?P<entities>{ENTITIES})"
    r"|(?<=\[)(?P<named>(?:[^\[\]\n`]|`[^`\n]{1,200}`){1,200}+)\]\[(?P<object>(?:[A-Za-z_]\w*(?:\.\w+)+)?)\]"
    r"|(?<=\[)(?P<docfx>!(?:INCLUDE|code(?:-\w+)?|div|VIDEO|Video)\b[^\]\n]{0,500}\](?:\([^)\n]{0,500}\)\])?)"
    r")",
    re.M | re.I,
)
_TARGET = re.compile(r"^ {0,3}\[([^\[\]\n]{1,200})\]:", re.M)
_CRITIC = re.compile(r"\{(..)(.*?)(?:~>(.*?))?..\}", re.S)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_ID = re.compile(r"""(?:#|\bid=["']?)([^\s{}"']+)""")
_ID_IN_COMMENT = re.compile(r"\{/\*\s*#?([^\s*]+)\s*\*/\}")  # as Docusaurus writes it, and react.dev
_WORTH = re.compile(r"[<{\\:=&]|\+\+|\[!|\]\[")


class Markup:
    """For one page: which names have closing tags in it."""

    def __init__(self, text: str, *, mdx: bool) -> None:
        self._tags = tags.Tags(text, mdx=mdx)
        self._targets = {name.lower() for name in _TARGET.findall(text)}

    def read(self, pieces: list[Piece]) -> list[Piece]:
        out: list[Piece] = []
        for code, several in groupby(pieces, key=lambda piece: piece.code):
            run = list(several)
            out += run if code else self._prose(run)
        return out

    def _reference(self, found: re.Match[str]) -> str:
        """What leads to an object that mkdocstrings documents is words, unless the page says where it leads."""
        target = found["object"] or found["named"]
        known = target.strip("`").lower() in self._targets or (not found["object"] and "." not in target)
        return found[0] if known else found["named"]

    def _prose(self, run: list[Piece]) -> list[Piece]:
        text = "\n".join([piece.words for piece in run])
        if not _WORTH.search(text):
            return run
        lines = self.shown(text).split("\n")
        return [Piece(words, piece.number) for words, piece in zip(lines, run, strict=True)]

    def shown(self, text: str) -> str:
        """The text with as many line ends."""
        out: list[str] = []
        nowhere: set[str] = set()
        at = 0
        while found := _FOUND.search(text, at):
            out.append(text[at : found.start()])
            if found["tag"]:
                words, at = self._tags.replaced(text, found.start(), heading=_in_heading(text, found.start()))
            elif found["comment"] or found["remark"]:
                words, at = _without(text, found, nowhere)
            elif found["named"]:
                words, at = self._reference(found), found.end()
            else:
                words, at = _replaced(text, found), found.end()
            taken = text[found.start() : at]
            if "\n" in taken:
                words += "\n" * (taken.count("\n") - words.count("\n"))
            out.append(words)
        return "".join([*out, text[at:]])


def _without(text: str, found: re.Match[str], nowhere: set[str]) -> tuple[str, int]:
    """A comment goes; one that never ends is text, and what was once not found is not looked for again.

    What names a heading is kept.
    """
    named = _ID_IN_COMMENT.match(text, found.start()) if found["remark"] else None
    if named and _in_heading(text, found.start()):
        return f"{ANCHOR}{named[1]}{ANCHOR}", named.end()
    end = "-->" if found["comment"] else "*/}"
    at = -1 if end in nowhere else text.find(end, found.end())
    if at < 0:
        nowhere.add(end)
        return found[0], found.end()
    at += len(end)
    return "", at + (found[0] == "{{/*" and text.startswith("}", at))


def _in_heading(text: str, at: int) -> bool:
    return _HEADING.match(text, text.rfind("\n", 0, at) + 1) is not None


def _replaced(text: str, found: re.Match[str]) -> str:
    kind = found.lastgroup
    written = found[0]
    if kind in ("hidden", "icon"):
        return ""
    if kind == "inside":
        return role(found["role"], found["inside"])
    if kind == "told":
        return _badge(found["badge"], found["told"])
    if kind == "short":
        return shortcodes.shortcode(written, alone=_alone(text, found))
    if kind == "liquid":
        return shortcodes.liquid(written, alone=_alone(text, found))
    if kind == "critic":
        return _critic(written)
    if kind == "attributes":
        return _attributes(text, found)
    if kind == "entities":
        return entities(written, text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1])
    if kind == "uid":
        return docfx.named(found["uid"])
    if kind == "docfx":
        return ""
    if kind == "keys":
        return "`" + "+".join(key.strip('"').capitalize() for key in found["keys"].split("+")) + "`"
    return {"marked": found["marked"], "space": " "}.get(kind or "", written)


def _alone(text: str, found: re.Match[str]) -> bool:
    """Whether nothing else stands in its line."""
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    return not (text[start : found.start()] + text[found.end() : end if end >= 0 else len(text)]).strip()


def _attributes(text: str, found: re.Match[str]) -> str:
    """Of a heading the id is kept; what follows a word without a space is no such list."""
    start = found.start()
    if _in_heading(text, start):
        named = _ID.search(found[0])
        return f"{ANCHOR}{named[1]}{ANCHOR}" if named else ""
    before = text[start - 1 : start]
    return found[0] if before.isalnum() and not found[0].startswith("{:") else ""


def _critic(written: str) -> str:
    found = _CRITIC.fullmatch(written)
    if not found or found[1] in ("--", ">>"):
        return ""
    return found[3] or found[2] if found[1] == "~~" else found[2]


def _badge(name: str, told: str) -> str:
    """What Material for MkDocs shows for its own comments."""
    told = html.unescape(told.replace("<code>", "`").replace("</code>", "`"))
    if name in ("version", "default") and told:
        return f"({name} {told})"
    return told if name in ("setting", "option", "plugin", "extension", "feature") else f"({told})" if told else ""
