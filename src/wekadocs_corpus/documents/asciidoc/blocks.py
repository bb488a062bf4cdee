"""Blocks of AsciiDoc, line by line: headings, lists, delimited blocks, tables, admonitions."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS
from wekadocs_corpus.documents.conversion.lines import Lines, dedented, fenced, gap, labelled

from .attributes import Attributes
from .inline import Inline
from .lists import read_list, read_terms
from .marks import (
    ADMONITION,
    ANCHOR,
    ATTRIBUTE,
    BLOCK_ATTRIBUTES,
    BULLET,
    DELIMITER,
    MACRO,
    TERM,
    TITLE,
    after_delimited,
    interrupts,
    trimmed,
)
from .tables import table
from .titles import Title, heading_at
from .told import Told

_DEEPEST = 20
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|([^,\]]*))""")


class Blocks:
    """`read` is asked again for what stands in a list item, a delimited block or a cell."""

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.inline = Inline(attributes)
        self.anchors: list[str] = []  # of each heading, in order
        self._depth = 0

    def read(self, lines: Lines, *, top: bool = False) -> Lines:
        if self._depth >= _DEEPEST:
            return list(lines)
        self._depth += 1
        out: Lines = []
        at, told = 0, Told()
        while at < len(lines):
            words, number = lines[at]
            if not words.strip():
                gap(out, number)
                at += 1
                continue
            after = self._metadata(lines, at, told)
            if after:
                at = after
                continue
            at, told = self._block(lines, at, told, out, top=top), Told()
        self._depth -= 1
        return out

    def text(self, words: str) -> str:
        return " ".join(self.inline.shown(words).split())

    def _metadata(self, lines: Lines, at: int, told: Told) -> int:
        """The line after an attribute, a comment, a title or what is said of the next block; or 0."""
        words = lines[at][0]
        first = words[0]
        if first == ":" and (found := ATTRIBUTE.match(words)):
            value, end = found[2] or "", at + 1
            while value.endswith(" \\") and end < len(lines):
                value, end = value[:-1].rstrip() + " " + lines[end][0].strip(), end + 1
            self.attributes.set(found[1], value)
            return end
        if first == "/" and words.startswith("//") and not words.startswith("////"):
            return at + 1
        if first == "[":
            return self._bracketed(words, at, told)
        if first == "." and (found := TITLE.match(words)):
            told.title = found[1]
            return at + 1
        return 0

    def _bracketed(self, words: str, at: int, told: Told) -> int:
        named = ANCHOR.match(words)
        if named:
            told.anchor = named[1]
            return at + 1
        found = BLOCK_ATTRIBUTES.match(words)
        if not found or found[1].startswith("["):
            return 0
        told.learn(found[1])
        return at + 1

    def _block(self, lines: Lines, at: int, told: Told, out: Lines, *, top: bool) -> int:
        words, number = lines[at]
        heading = heading_at(lines, at)
        if heading:
            return self._heading(lines, at, heading, told, out, top=top)
        delimiter = DELIMITER.match(words) if words[0] in "-.=*_+/`|,:!" else None
        if delimiter:
            return self._delimited(lines, at, delimiter, told, out)
        self._title(told, number, out)
        macro = MACRO.match(words) if "::" in words else None
        if macro:
            shown = self._picture(macro)
            gap(out, number)
            out += [(shown, number), ("", number)] if shown else []
            return at + 1
        if words.strip() in ("'''", "<<<", "---", "***"):
            gap(out, number)
            return at + 1
        if told.style not in ("source", "listing", "literal"):
            if BULLET.match(words):
                return read_list(self, lines, at, out)
            if "::" in words or ";;" in words:
                after = read_terms(self, lines, at, out)
                if after:
                    return after
        return self._paragraph(lines, at, told, out)

    # headings and titles

    def _heading(self, lines: Lines, at: int, found: Title, told: Told, out: Lines, *, top: bool) -> int:
        number = lines[at][1]
        gap(out, number)
        title, anchor = found.words, told.anchor
        inside = re.search(r"\[\[([^\[\],]+)[^\[\]]*\]\]", title)
        if inside:
            anchor, title = anchor or inside[1], title.replace(inside[0], "")
        if top:
            self.anchors.append(anchor)
            out += [(f"{'#' * found.level} {self.text(title)}", number), ("", number)]
        else:
            out += [(f"**{self.text(title)}**", number), ("", number)]
        if at == 0 or (top and found.level == 1 and len(self.anchors) == 1):
            return self._header(lines, at + found.lines)
        return at + found.lines

    def _header(self, lines: Lines, at: int) -> int:
        """Author, revision and attributes directly under the title."""
        if at < len(lines) and re.match(r"[\w'.-]+(?: [\w'.-]+){0,3}(?: <[^<>\s]+>)?(?:; .*)?\Z", lines[at][0]):
            at += 1
            if at < len(lines) and re.match(r"v?\d[\w.]*(?:,|\Z)", lines[at][0]):
                at += 1
        return at

    def _title(self, told: Told, number: int, out: Lines) -> None:
        if told.title:
            gap(out, number)
            out += [(f"**{self.text(told.title).strip('*')}**", number), ("", number)]
            told.title = ""

    def _picture(self, found: re.Match[str]) -> str:
        if found[1] != "image":
            return ""
        alt, first = _ALT.search(found[3]), found[3].partition(",")[0].strip('" ')
        words = (alt[1] or alt[2] or "") if alt else "" if "=" in first else first
        return "" if words.lower() in ("image", "picture") else self.text(words)

    # delimited blocks

    def _delimited(self, lines: Lines, at: int, found: re.Match[str], told: Told, out: Lines) -> int:
        mark, number = found[1], lines[at][1]
        end = next((place for place in range(at + 1, len(lines)) if lines[place][0] == mark), len(lines))
        body, after = lines[at + 1 : end], min(end + 1, len(lines))
        if mark[0] == "/" or told.style == "comment":
            return after
        gap(out, number)
        shown = self._inside(mark, found[2], told, body, number)
        if shown:
            self._title(told, number, out)
            out += [*shown, ("", shown[-1][1])]
        return after

    def _inside(self, mark: str, language: str, told: Told, body: Lines, number: int) -> Lines:
        label = ADMONITIONS.get(told.style.lower()) if told.style.isupper() else None
        if mark[1:].startswith("===") and mark[0] in "|,:!":
            return table(self, mark[0], told.values, body)
        if mark[0] in "-.`" and mark != "--":
            return self._code(told, language, body, number)
        if mark == "--" and told.style in ("source", "listing", "literal", "mermaid", "plantuml"):
            return self._code(told, language, body, number)
        if mark[0] == "+":
            return [(re.sub(r"<[^<>]{0,500}>", "", words), place) for words, place in body]
        if label:
            if told.title:
                label, told.title = self.text(told.title), ""
            return labelled(label, trimmed(self.read(body)), number)
        if told.style == "tabs" or "tabs" in told.options:
            return self._tabs(body)
        return self.read(body)

    def _code(self, told: Told, language: str, body: Lines, number: int) -> Lines:
        if "attributes" in told.values.get("subs", "") or "normal" in told.values.get("subs", ""):
            body = [(self.attributes.shown(words), place) for words, place in body]
        named = (
            told.second if told.style in ("source", "") else "" if told.style in ("listing", "literal") else told.style
        )
        return fenced(trimmed(body), "" if (named or language) == "text" else named or language, number)

    def _tabs(self, body: Lines) -> Lines:
        """Terms are the labels of tabs, what belongs to them is their content."""
        out: Lines = []
        at = 0
        while at < len(body):
            found = TERM.match(body[at][0]) if "::" in body[at][0] else None
            end = at + 1
            while end < len(body) and not (body[end][0].endswith("::") and TERM.match(body[end][0])):
                end = after_delimited(body, end)
            inside = [(words if words != "+" else "", number) for words, number in body[at + (found is not None) : end]]
            if found:
                out += [("", body[at][1]), (f"**{self.text(found[1])}**", body[at][1]), ("", body[at][1])]
            out += self.read(inside)
            at = end
        return out

    # paragraphs

    def _paragraph(self, lines: Lines, at: int, told: Told, out: Lines) -> int:
        number = lines[at][1]
        gap(out, number)
        end = at
        while end < len(lines) and lines[end][0].strip() and (end == at or not interrupts(lines[end][0])):
            end += 1
        own = lines[at:end]
        if told.style in ("source", "listing", "literal") or (own[0][0].startswith(" ") and not told.style):
            out += self._code(told, "", dedented(own), number)
            return end
        own = [(words.strip(), place) for words, place in own if not words.startswith("//")]
        label = ADMONITIONS.get(told.style.lower()) if told.style.isupper() else None
        found = ADMONITION.match(own[0][0]) if own else None
        if found:
            label, own[0] = found[1].capitalize(), (own[0][0][found.end() :], own[0][1])
        shown = self._shown(own)
        out += labelled(label, shown, number) if label and shown else shown
        return end

    def _shown(self, own: Lines) -> Lines:
        if not own:
            return []
        words = self.inline.shown("\n".join([words for words, _ in own])).split("\n")
        return [(line.rstrip(), own[min(place, len(own) - 1)][1]) for place, line in enumerate(words)]
