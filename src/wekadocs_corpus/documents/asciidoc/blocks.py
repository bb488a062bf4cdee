"""Blocks of AsciiDoc, line by line: headings, lists, delimited blocks, tables, admonitions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS
from wekadocs_corpus.documents.conversion.lines import Lines, dedented, definition, fenced, gap, item, labelled

from .attributes import Attributes
from .inline import Inline
from .tables import table

_DEEPEST = 20
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?\Z")
_ATTRIBUTE = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+(.*))?\Z")
_BLOCK_ATTRIBUTES = re.compile(r"\[(?!\[)([^\n]*)\]\Z")
_ANCHOR = re.compile(r"\[\[([^\[\],]+)[^\[\]]*\]\]\Z")
_TITLE = re.compile(r"\.([^\s.].*)\Z")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}|[|,:!]={3,})(\w*)\Z")
_BULLET = re.compile(r"[ \t]*(\*{1,6}|-{1}|\.{1,6}|\d{1,9}\.|<(?:\d{1,3}|\.)>)[ \t]+(\S.*)\Z")
_TERM = re.compile(r"[ \t]*(\S.{0,500}?)(:{2,4}|;;)(?:[ \t]+(.*))?\Z")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION|INFO):[ \t]+")
_MACRO = re.compile(r"([a-zA-Z][\w-]{0,40})::([^\s\[]*)\[(.*)\]\Z")
_CHECKED = re.compile(r"\[[ x*]\][ \t]+", re.I)
_VALUE = re.compile(r"""([\w%-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^,]*))""")
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|([^,\]]*))""")


@dataclass
class Told:
    """What stands above a block and is said of it."""

    style: str = ""
    second: str = ""  # for code its language
    values: dict[str, str] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    title: str = ""
    anchor: str = ""


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
        if first == ":" and (found := _ATTRIBUTE.match(words)):
            value, end = found[2] or "", at + 1
            while value.endswith(" \\") and end < len(lines):
                value, end = value[:-1].rstrip() + " " + lines[end][0].strip(), end + 1
            self.attributes.set(found[1], value)
            return end
        if first == "/" and words.startswith("//") and not words.startswith("////"):
            return at + 1
        if first == "[":
            return self._bracketed(words, at, told)
        if first == "." and (found := _TITLE.match(words)):
            told.title = found[1]
            return at + 1
        return 0

    def _bracketed(self, words: str, at: int, told: Told) -> int:
        named = _ANCHOR.match(words)
        if named:
            told.anchor = named[1]
            return at + 1
        found = _BLOCK_ATTRIBUTES.match(words)
        if not found or found[1].startswith("["):
            return 0
        _learn(told, found[1])
        return at + 1

    def _block(self, lines: Lines, at: int, told: Told, out: Lines, *, top: bool) -> int:
        words, number = lines[at]
        heading = _HEADING.match(words) if words[0] in "=#" else None
        if heading:
            return self._heading(lines, at, heading, told, out, top=top)
        delimiter = _DELIMITER.match(words) if words[0] in "-.=*_+/`|,:!" else None
        if delimiter:
            return self._delimited(lines, at, delimiter, told, out)
        self._title(told, number, out)
        macro = _MACRO.match(words) if "::" in words else None
        if macro:
            shown = self._picture(macro)
            gap(out, number)
            out += [(shown, number), ("", number)] if shown else []
            return at + 1
        if words.strip() in ("'''", "<<<", "---", "***"):
            gap(out, number)
            return at + 1
        if told.style not in ("source", "listing", "literal"):
            if _BULLET.match(words):
                return self._list(lines, at, out)
            if "::" in words or ";;" in words:
                after = self._terms(lines, at, out)
                if after:
                    return after
        return self._paragraph(lines, at, told, out)

    # headings and titles

    def _heading(self, lines: Lines, at: int, found: re.Match[str], told: Told, out: Lines, *, top: bool) -> int:
        number = lines[at][1]
        gap(out, number)
        title, anchor = found[2], told.anchor
        inside = re.search(r"\[\[([^\[\],]+)[^\[\]]*\]\]", title)
        if inside:
            anchor, title = anchor or inside[1], title.replace(inside[0], "")
        if top:
            self.anchors.append(anchor)
            out += [(f"{'#' * len(found[1])} {self.text(title)}", number), ("", number)]
        else:
            out += [(f"**{self.text(title)}**", number), ("", number)]
        if at == 0 or (top and len(found[1]) == 1 and len(self.anchors) == 1):
            return self._header(lines, at + 1)
        return at + 1

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
            return labelled(label, _trimmed(self.read(body)), number)
        if told.style == "tabs" or "tabs" in told.options:
            return self._tabs(body)
        return self.read(body)

    def _code(self, told: Told, language: str, body: Lines, number: int) -> Lines:
        if "attributes" in told.values.get("subs", "") or "normal" in told.values.get("subs", ""):
            body = [(self.attributes.shown(words), place) for words, place in body]
        named = (
            told.second if told.style in ("source", "") else "" if told.style in ("listing", "literal") else told.style
        )
        return fenced(_trimmed(body), "" if (named or language) == "text" else named or language, number)

    def _tabs(self, body: Lines) -> Lines:
        """Terms are the labels of tabs, what belongs to them is their content."""
        out: Lines = []
        at = 0
        while at < len(body):
            found = _TERM.match(body[at][0]) if "::" in body[at][0] else None
            end = at + 1
            while end < len(body) and not (body[end][0].endswith("::") and _TERM.match(body[end][0])):
                end = _after_delimited(body, end)
            inside = [(words if words != "+" else "", number) for words, number in body[at + (found is not None) : end]]
            if found:
                out += [("", body[at][1]), (f"**{self.text(found[1])}**", body[at][1]), ("", body[at][1])]
            out += self.read(inside)
            at = end
        return out

    # lists

    def _list(self, lines: Lines, at: int, out: Lines) -> int:
        """Items of every depth; each holds what is attached to it."""
        markers: list[str] = []
        counts: list[int] = []
        if not (out and out[-1][0].lstrip().startswith("- ")):
            gap(out, lines[at][1])
        while at < len(lines) and (found := _BULLET.match(lines[at][0])):
            kind = re.sub(r"\d+|(?<=<)\.", "1", found[1])
            if kind in markers:
                del markers[markers.index(kind) + 1 :], counts[markers.index(kind) + 1 :]
            else:
                markers.append(kind)
                counts.append(0)
            counts[-1] += 1
            margin = "".join("   " if _is_ordered(each) else "  " for each in markers[:-1])
            body, after = self._item(lines, at, found[2])
            marker = f"{counts[-1]}. " if _is_ordered(kind) else "- "
            out += [
                (margin + words if words else "", number)
                for words, number in item(marker, self.read(body), lines[at][1])
            ]
            at = _next_item(lines, after)
        gap(out, lines[at - 1][1])
        return at

    def _item(self, lines: Lines, at: int, words: str) -> tuple[Lines, int]:
        """Its own lines, and what `+` attaches to it."""
        body: Lines = [(_CHECKED.sub("", words), lines[at][1])]
        at += 1
        while at < len(lines):
            line, number = lines[at]
            if line == "+":
                body.append(("", number))
                end = _attached(lines, at + 1)
                body += lines[at + 1 : end]
                at = end
            elif not line.strip() or _BULLET.match(line) or _ends_item(line):
                break
            else:
                body.append((line.strip(), number))
                at += 1
        return body, at

    def _terms(self, lines: Lines, at: int, out: Lines) -> int:
        """A list of definitions; 0 where this line begins none."""
        first = at
        while at < len(lines) and (found := _term(lines[at][0])):
            terms, number = [found[1]], lines[at][1]
            words = found[3] or ""
            while not words and at + 1 < len(lines) and (again := _term(lines[at + 1][0])):
                at += 1
                terms.append(again[1])
                words = again[3] or ""
            body, after = self._meaning(lines, at, words)
            if at == first:
                gap(out, number)
            out += definition(", ".join(self.text(term) for term in terms), _trimmed(self.read(body)), number)
            at = _next_item(lines, after, terms=True)
        if at > first:
            gap(out, lines[at - 1][1])
        return at if at > first else 0

    def _meaning(self, lines: Lines, at: int, words: str) -> tuple[Lines, int]:
        body, after = self._item(lines, at, words)
        if words or len(body) > 1:
            return body, after
        at = after
        while at < len(lines) and not lines[at][0].strip():
            at += 1
        if at < len(lines) and _BULLET.match(lines[at][0]):
            end = at
            while end < len(lines) and (lines[end][0].strip() and not _term(lines[end][0])):
                end += 1
            return lines[at:end], end
        if at < len(lines) and not (_ends_item(lines[at][0]) or _term(lines[at][0]) or _HEADING.match(lines[at][0])):
            return self._item(lines, at, lines[at][0].strip())
        return [], after

    # paragraphs

    def _paragraph(self, lines: Lines, at: int, told: Told, out: Lines) -> int:
        number = lines[at][1]
        gap(out, number)
        end = at
        while end < len(lines) and lines[end][0].strip() and (end == at or not _interrupts(lines[end][0])):
            end += 1
        own = lines[at:end]
        if told.style in ("source", "listing", "literal") or (own[0][0].startswith(" ") and not told.style):
            out += self._code(told, "", dedented(own), number)
            return end
        own = [(words.strip(), place) for words, place in own if not words.startswith("//")]
        label = ADMONITIONS.get(told.style.lower()) if told.style.isupper() else None
        found = _ADMONITION.match(own[0][0]) if own else None
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


def _learn(told: Told, written: str) -> None:
    """`[style#id.role%option, second, name=value]`"""
    told.values |= {name.lower(): a or b or c.strip() for name, a, b, c in _VALUE.findall(written)}
    plain = [each.strip() for each in _VALUE.sub("", written).split(",")]
    style = re.match(r"[\w-]*", plain[0]) if plain else None
    told.style = style[0] if style and style[0] else told.style
    told.second = plain[1] if len(plain) > 1 and plain[1] else told.second
    told.options |= set(re.findall(r"%([\w-]+)", written)) | set(
        re.split(r"[,;]\s*", told.values.get("options", told.values.get("opts", "")))
    )
    named = re.search(r"#([\w:.-]+)", plain[0]) if plain else None
    told.anchor = (named[1] if named else "") or told.values.get("id", "") or told.anchor


def _term(words: str) -> re.Match[str] | None:
    found = _TERM.match(words) if "::" in words or ";;" in words else None
    return found if found and not _MACRO.match(words) and not words.lstrip().startswith("//") else None


def _interrupts(words: str) -> bool:
    return bool(_DELIMITER.match(words) or (words.startswith("[") and _BLOCK_ATTRIBUTES.match(words)) or words == "+")


def _ends_item(words: str) -> bool:
    return (
        _interrupts(words)
        or bool(_term(words))
        or words.startswith(("//", "= ", "== ", "=== "))
        or bool(_TITLE.match(words))
    )


def _is_ordered(kind: str) -> bool:
    return kind[0] in ".1<"


def _next_item(lines: Lines, at: int, *, terms: bool = False) -> int:
    """Over blank lines and comments, if another item follows them."""
    place = at
    while place < len(lines) and (not lines[place][0].strip() or lines[place][0].startswith("//")):
        place += 1
    if place < len(lines) and (_term(lines[place][0]) if terms else _BULLET.match(lines[place][0])):
        return place
    return at


def _attached(lines: Lines, at: int) -> int:
    """The line after the block that `+` attaches, with what is said of it."""
    while at < len(lines) and (
        _BLOCK_ATTRIBUTES.match(lines[at][0])
        or _TITLE.match(lines[at][0])
        or lines[at][0].startswith("//")
        or _ANCHOR.match(lines[at][0])
    ):
        at += 1
    if at < len(lines) and _DELIMITER.match(lines[at][0]):
        return _after_delimited(lines, at)
    while at < len(lines) and lines[at][0].strip() and lines[at][0] != "+":
        at += 1
    return at


def _after_delimited(lines: Lines, at: int) -> int:
    found = _DELIMITER.match(lines[at][0])
    if not found:
        return at + 1
    end = next((place for place in range(at + 1, len(lines)) if lines[place][0] == found[1]), at)
    return end + 1


def _trimmed(lines: Lines) -> Lines:
    first, last = 0, len(lines)
    while first < last and not lines[first][0].strip():
        first += 1
    while last > first and not lines[last - 1][0].strip():
        last -= 1
    return lines[first:last]
