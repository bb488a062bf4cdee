"""Blocks of reStructuredText, line by line: sections, lists, definitions, tables, literal blocks, explicit markup."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.lines import (
    Lines,
    dedented,
    definition,
    fenced,
    gap,
    indentation,
    item,
    unindented,
)
from wekadocs_corpus.documents.conversion.neighbours import Neighbours

from . import directives, tables
from .inline import Inline
from .names import Names

_DEEPEST = 20  # blocks in blocks; what is deeper stays as it is written
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_BULLET = re.compile(r"[-*+•‣](?: +|\Z)")
_ENUMERATOR = re.compile(r"\(?(?:(\d{1,9})|(#)|([A-Za-z])|([ivxlcdm]{1,8}|[IVXLCDM]{1,8}))[.)](?: +|\Z)")
_FIELD = re.compile(r":((?:[^:\\`\s]|\\.)(?:[^:\\`]|\\.|:(?=\S)){0,100}):(?: +|\Z)")
_VALUE = r"(?:[ =][\w<\[{.|-][^\s,]*)?"
_OPTION = re.compile(rf"((?:--?|/|\+)[\w?][\w-]*{_VALUE}(?:, (?:--?|/)[\w?][\w-]*{_VALUE}){{0,9}})(?:  +|\Z)")
_GRID = re.compile(r"\+(?:[-=]+\+)+\Z")
_SIMPLE = re.compile(r"={2,}(?: +={2,})+\Z")
_EXPLICIT = re.compile(r"\.\.(?: +|\Z)")
_DIRECTIVE = re.compile(r"([A-Za-z][\w.+-]*(?::[\w.+-]+)*) ?::(?: +(.*)|\Z)")
_NOTE = re.compile(r"\[([#*]?[^\]\s]*)\](?: +(.*)|\Z)")
_NO_BLOCK = frozenset({"orphan", "nosearch", "no-search", "tocdepth", "nocomments", "hide-toc", "sd_hide_title"})


class Blocks:
    """`read` is asked again for what stands in a list item, a directive or an included file."""

    def __init__(self, names: Names, neighbours: Neighbours) -> None:
        self.names = names
        self.neighbours = neighbours
        self.folder = ""  # of the file that is being read, relative to the page
        self.including: tuple[str, ...] = ()
        self.inline = Inline(names)
        self.language = ""  # of code that names none
        self._levels: dict[str, int] = {}
        self._depth = 0

    def read(self, lines: Lines, *, top: bool = False) -> Lines:
        """The lines as Markdown; sections stand at the top only."""
        if self._depth >= _DEEPEST:
            return list(lines)
        self._depth += 1
        out: Lines = []
        at = 0
        while at < len(lines):
            words, number = lines[at]
            if not words:
                gap(out, number)
                at += 1
                continue
            at = self._block(lines, at, out, top=top)
        self._depth -= 1
        return out

    def _block(self, lines: Lines, at: int, out: Lines, *, top: bool) -> int:
        words = lines[at][0]
        first = words[0]
        if first == " ":
            return self._quoted(lines, at, out)
        if first == "." and _EXPLICIT.match(words):
            return self._explicit(lines, at, out, top=top)
        if first == "_" and words.startswith("__ "):
            return at + 1
        after = self._section(lines, at, out, top=top)
        if after:
            return after
        if first in "-*+•‣" and _BULLET.match(words):
            return self._list(lines, at, out)
        if (first in "(#" or first.isalnum()) and _enumerates(lines, at):
            return self._list(lines, at, out)
        if first == ":" and _FIELD.match(words):
            return self._fields(lines, at, out)
        if first in "-/+" and _OPTION.match(words) and not _GRID.match(words):
            return self._options(lines, at, out)
        if first == "+" and _GRID.match(words):
            if at + 1 == len(lines) or not lines[at + 1][0]:
                return at + 1  # one line too many under a table
            return self._table(lines, at, out, tables.grid_end(lines, at), tables.grid)
        if first == "=" and _SIMPLE.match(words):
            return self._table(lines, at, out, tables.simple_end(lines, at), tables.simple)
        if first == ">" and words.startswith(">>> "):
            return self._doctest(lines, at, out)
        if first == "|" and (words == "|" or words.startswith("| ")):
            return self._line_block(lines, at, out)
        return self._paragraph(lines, at, out)

    def paragraph(self, lines: Lines) -> Lines:
        """Inline markup read; each line keeps its number as long as none is lost."""
        shown = self.inline.shown("\n".join([words for words, _ in lines])).split("\n")
        last = len(lines) - 1
        return [(words, lines[min(place, last)][1]) for place, words in enumerate(shown)]

    def text(self, words: str) -> str:
        return " ".join(self.inline.shown(words).split())

    # sections

    def _section(self, lines: Lines, at: int, out: Lines, *, top: bool) -> int:
        """The line after a heading, or 0."""
        words, number = lines[at]
        below = lines[at + 1][0] if at + 1 < len(lines) else ""
        mark = _ADORNMENT.match(below) if below and below[0] in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" else None
        if mark and not _ADORNMENT.match(words) and (len(below) >= len(words) or len(below) >= 4):
            return self._heading(words, number, below[0], at + 2, out, top=top)
        mark = _ADORNMENT.match(words) if not words[0].isalnum() and len(words) > 1 else None
        if not mark:
            return 0
        under = lines[at + 2][0] if at + 2 < len(lines) else ""
        if below and under == words:
            return self._heading(below.strip(), number, words[0] * 2, at + 3, out, top=top)
        if len(words) >= 4 and not below:
            gap(out, number)
            out.append(("---", number))
            return at + 1
        return 0

    def _heading(self, words: str, number: int, style: str, after: int, out: Lines, *, top: bool) -> int:
        gap(out, number)
        title = self.text(words)
        if top:
            level = self._levels.setdefault(style, min(6, len(self._levels) + 1))
            out.append((f"{'#' * level} {title}", number))
        else:
            out.append((f"**{title}**", number))
        out.append(("", number))
        return after

    # what is indented

    def _quoted(self, lines: Lines, at: int, out: Lines) -> int:
        end = indented_end(lines, at)
        gap(out, lines[at][1])
        out += self.read(dedented(lines[at:end]))
        return end

    def _explicit(self, lines: Lines, at: int, out: Lines, *, top: bool) -> int:
        words, number = lines[at]
        end = indented_end(lines, at + 1)
        rest = words[2:].strip()
        found = _DIRECTIVE.match(rest)
        if found:
            body = unindented(lines[at + 1 : end])
            shown = directives.directive(self, found[1].lower(), found[2] or "", body, number, top=top)
            if shown:
                gap(out, number)
                out += shown
                out.append(("", shown[-1][1]))
            return end
        note = _NOTE.match(rest)
        if note:
            gap(out, number)
            body = self.read([(note[2] or "", number), *dedented(lines[at + 1 : end])])
            label = f"[{note[1].lstrip('#*') or '*'}]"
            out += [(f"{label} {body[0][0]}" if body else label, number), *body[1:], ("", number)]
        return end  # a target, a substitution or a comment: nothing is shown

    # lists

    def _list(self, lines: Lines, at: int, out: Lines) -> int:
        if not (out and _is_item(out[-1][0])):
            gap(out, lines[at][1])
        count = 0
        while at < len(lines):
            words, number = lines[at]
            bullet, enumerator = _BULLET.match(words), None
            if not bullet:
                enumerator = _ENUMERATOR.match(words) if _enumerates(lines, at) else None
                if not enumerator:
                    break
            found = bullet or enumerator
            count += 1
            end = indented_end(lines, at + 1)
            body = self.read(_body(lines, at, end, found.end() if found else 2))
            out += item("- " if bullet else f"{_ordinal(enumerator, count)}. ", body, number)
            if end < len(lines) and not lines[end - 1][0]:
                gap(out, lines[end - 1][1])
            at = end
        return at

    def _fields(self, lines: Lines, at: int, out: Lines) -> int:
        first = not out
        while at < len(lines) and (found := _FIELD.match(lines[at][0])):
            number, end = lines[at][1], indented_end(lines, at + 1)
            body = self.read(_body(lines, at, end, found.end()))
            if not first and found[1] not in _NO_BLOCK:
                out += definition(_field(found[1]), body, number)
            at = end
        gap(out, lines[at - 1][1])
        return at

    def _options(self, lines: Lines, at: int, out: Lines) -> int:
        gap(out, lines[at][1])
        while at < len(lines) and (found := _OPTION.match(lines[at][0])):
            number, end = lines[at][1], indented_end(lines, at + 1)
            out += definition(f"`{found[1]}`", self.read(_body(lines, at, end, found.end())), number)
            at = end
        gap(out, lines[at - 1][1])
        return at

    # others

    def _table(self, lines: Lines, at: int, out: Lines, end: int, parse: tables.Parse) -> int:
        if not end:
            return self._paragraph(lines, at, out)
        gap(out, lines[at][1])
        out += tables.markdown(self, *parse(lines[at:end]))
        out.append(("", lines[end - 1][1]))
        return end

    def _doctest(self, lines: Lines, at: int, out: Lines) -> int:
        end = at
        while end < len(lines) and lines[end][0]:
            end += 1
        gap(out, lines[at][1])
        out += fenced(lines[at:end], "python", lines[at][1])
        out.append(("", lines[end - 1][1]))
        return end

    def _line_block(self, lines: Lines, at: int, out: Lines) -> int:
        gap(out, lines[at][1])
        while at < len(lines) and (lines[at][0][:2] in ("|", "| ")):
            out += self.paragraph([(lines[at][0][1:].strip(), lines[at][1])])
            at += 1
        return at

    def _paragraph(self, lines: Lines, at: int, out: Lines) -> int:
        number = lines[at][1]
        end = at + 1
        while end < len(lines) and lines[end][0] and lines[end][0][0] != " ":
            if _EXPLICIT.match(lines[end][0]) and _DIRECTIVE.match(lines[end][0][2:].strip()):
                break  # sloppy: a directive without a blank line before it
            end += 1
        goes_on = end < len(lines) and lines[end][0][:1] == " "
        last = lines[end - 1][0]
        if goes_on and end == at + 1 and not last.endswith("::"):
            return self._definition(lines, at, out)
        gap(out, number)
        if not last.endswith("::"):
            out += self.paragraph(lines[at:end])
            return end
        bare = last[:-1] if last[-3:-2] not in ("", " ") else last[:-2].rstrip()
        said = [*lines[at : end - 1], (bare, lines[end - 1][1])] if bare else lines[at : end - 1]
        out += self.paragraph(said) if said else []
        return self._literal(lines, end, out)

    def _literal(self, lines: Lines, at: int, out: Lines) -> int:
        start = at
        while start < len(lines) and not lines[start][0]:
            start += 1
        end = indented_end(lines, start) if start < len(lines) else start
        if end == start:  # nothing is indented: a block whose lines all begin with one sign, or nothing
            while end < len(lines) and lines[end][0][:1] in tuple(">|$#%"):
                end += 1
        code = dedented(lines[start:end])
        if not code:
            return at
        gap(out, code[0][1])
        out += fenced(code, self.language, code[0][1])
        out.append(("", code[-1][1]))
        return end

    def _definition(self, lines: Lines, at: int, out: Lines) -> int:
        words, number = lines[at]
        end = indented_end(lines, at + 1)
        if not (out and _is_item(out[-1][0])):
            gap(out, number)
        term, *kinds = words.split(" : ")
        shown = self.text(term) + (f" ({self.text(', '.join(kinds))})" if kinds else "")
        out += definition(shown, self.read(dedented(lines[at + 1 : end])), number)
        if end < len(lines) and not lines[end - 1][0]:
            gap(out, lines[end - 1][1])
        return end


def indented_end(lines: Lines, at: int) -> int:
    """The line after all that is indented or blank."""
    while at < len(lines) and (not lines[at][0] or lines[at][0][0] == " "):
        at += 1
    return at


def _body(lines: Lines, at: int, end: int, column: int) -> Lines:
    """What a list item holds, without its marker and margin."""
    words, number = lines[at]
    margin = min((indentation(line) for line, _ in lines[at + 1 : end] if line), default=column)
    margin = min(margin, column)
    body = [(words[column:], number), *((line[margin:], place) for line, place in lines[at + 1 : end])]
    while len(body) > 1 and not body[-1][0]:
        body.pop()
    return body if body[0][0] else body[1:]


def _enumerates(lines: Lines, at: int) -> bool:
    """Whether it is an item and no sentence that begins like one: what follows is blank, indented or the next."""
    words = lines[at][0]
    if not _ENUMERATOR.match(words):
        return False
    below = lines[at + 1][0] if at + 1 < len(lines) else ""
    return not below or below[0] == " " or bool(_ENUMERATOR.match(below)) or words[0].isdigit()


def _ordinal(found: re.Match[str] | None, count: int) -> str:
    return found[1] if found and found[1] else str(count)


def _field(name: str) -> str:
    kind, _, rest = name.partition(" ")
    if kind in ("param", "parameter", "arg", "argument", "key", "keyword", "kwarg") and rest:
        *types, what = rest.split()
        return f"`{what}`" + (f" ({' '.join(types)})" if types else "")
    return {"returns": "Returns", "return": "Returns", "rtype": "Return type", "raises": "Raises"}.get(kind, kind) + (
        f" `{rest}`" if rest else ""
    )


def _is_item(words: str) -> bool:
    return words.startswith(("- ", "  ")) or words[:1].isdigit()
