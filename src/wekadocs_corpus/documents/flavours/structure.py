"""What holds other lines: fences, MkDocs boxes and tabs, quotes that are notes, MyST directives, code in shortcodes."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS
from wekadocs_corpus.documents.conversion.lines import Lines, dedented, indentation
from wekadocs_corpus.documents.conversion.rows import open_table

from . import containers, docfx, html_blocks, modules, myst
from .myst import NO_DIALECT, Dialect
from .pieces import Piece
from .signs import END, bold, label

_DEEPEST = 20
_FAR = 200  # lines that are looked back for what indented lines belong to
_FENCE = re.compile(r"([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?)*)(`{3,}|~{3,})([^`]*)\Z")
_BOX = re.compile(r"""([ \t]*)(?:!!!|\?\?\?\+?)[ \t]*([\w-]*)[^"\n]*?(?:"([^\n]*)")?[ \t]*\Z""")
_TAB = re.compile(r"""([ \t]*)===[+!]{0,2}[ \t]+(["'])([^\n]*)\2[ \t]*\Z""")
_ALERT = re.compile(r"([ \t]*)>[ \t]*\[!(\w+)\][+-]?[ \t]*(.*)\Z")
_CODE_TAG = re.compile(
    r"([ \t]*)(?:\{\{([<%])[ \t]*(text|highlight|code|codeblock|code-block|command|shell|mermaid)\b([^<>%]*)[>%]\}\}"
    r"|\{%-?[ \t]*(highlight)[ \t]+([^%]*)%\})[ \t]*\Z"
)
_TITLE = re.compile(r"""\b(?:title|filename|name|caption)[ \t]*=[ \t]*["{]?["']?([^"'}\n]+)""")
_LANGUAGE = re.compile(r"""(?:syntax|lang|language)=["']?([\w+#-]+)|^[ \t]*["']?([\w+#-]+)(?![\w+#=-])""")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_HIDDEN = re.compile(r"[ \t]*#(?:[ \t]|\Z)")


class Structure:
    """Reads lines into pieces: those of code are not looked into any more."""

    def __init__(self, *, mdx: bool, dialect: Dialect = NO_DIALECT) -> None:
        self._mdx = mdx
        self._dialect = dialect
        self._depth = 0
        self._unclosed: set[str] = set()  # what was looked for to the end of the page in vain

    def read(self, lines: Lines, margin: str = "") -> list[Piece]:
        if self._depth >= _DEEPEST:
            return [Piece(margin + words if words else "", number) for words, number in lines]
        self._depth += 1
        out: list[Piece] = []
        at = 0
        while at < len(lines):
            after = self._held(lines, at, margin, out)
            if not after:
                words, number = lines[at]
                out.append(Piece(margin + words if words else "", number))
            at = after or at + 1
        self._depth -= 1
        return out

    def _held(self, lines: Lines, at: int, margin: str, out: list[Piece]) -> int:
        """The line after what this line opens, or 0."""
        bare = lines[at][0].lstrip()
        if not bare:
            return 0
        first = bare[0]
        if first in "<{" and (end := html_blocks.commented(lines, at, bare, self._unclosed)):
            return self._commented(lines, at, end, margin, out)
        if first != "|" and "|" in bare and (rows := open_table(lines, at)):
            out += [Piece(margin + words, number) for words, number in rows]
            return at + len(rows)
        if first in "`~>-*+0123456789" and ("```" in bare or "~~~" in bare) and (found := _FENCE.match(lines[at][0])):
            return self._fence(lines, at, found, margin, out)
        if first in "!?" and bare[:3] in ("!!!", "???") and (found := _BOX.match(lines[at][0])):
            return self._box(lines, at, found, margin, out)
        if first == "=" and (found := _TAB.match(lines[at][0])):
            out.append(Piece(margin + found[1] + bold(found[3]), lines[at][1]))
            return self._indented(lines, at + 1, len(found[1]), margin, out)
        if first == ">" and (found := _ALERT.match(lines[at][0])):
            return self._alert(lines, at, found, margin, out)
        if first == "{" and (found := _CODE_TAG.match(lines[at][0])):
            return self._code_tag(lines, at, found, margin, out)
        if first == "<":
            return self._html(lines, at, bare, margin, out)
        if first == ":" and bare.startswith(":::"):
            return self._colons(lines, at, margin, out)
        if first == "/" and (shown := containers.slashes(lines[at][0])) is not None:
            out.append(Piece(margin + shown, lines[at][1]))
            return containers.after_options(lines, at + 1)
        if first == "#" and (shown := docfx.tab(bare) or self._dialect.heading(bare)) is not None:
            out.append(Piece(margin + shown, lines[at][1]))
            return at + 1
        if first in "%+" and self._dialect.hides(lines[at][0]):
            out.append(Piece("", lines[at][1]))
            return at + 1
        if first in "[({*" and (shown := containers.line(lines[at][0])) is not None:
            out.append(Piece(margin + shown if shown else "", lines[at][1]))
            return at + 1
        if first in "ie" and (self._depth == 1 or self._mdx) and (after := modules.module_end(lines, at)):
            out.append(Piece("", lines[at][1]))
            return after
        if lines[at][0].startswith("    ") and self._is_code(lines, at):
            return self._indented_code(lines, at, margin, out)
        return 0

    # code

    def _fence(self, lines: Lines, at: int, found: re.Match[str], margin: str, out: list[Piece]) -> int:
        mark, info, number = found[2], found[3].strip(), lines[at][1]
        end = self._closing(lines, at, mark)
        body = lines[at + 1 : end]
        after = min(end + 1, len(lines))
        if info.startswith("{") and (named := myst.NAMED.match(info)):
            shown = myst.directive(self.read, named[1], named[2], dedented(body), number, margin + found[1])
            if shown is not None:
                out += shown
                return after
        if info == "mdx-code-block":
            out += self.read(body, margin)
            return after
        language = info.split(",")[0].split()[0].strip("{}.") if info else ""
        if title := _TITLE.search(info):
            out.append(Piece(margin + found[1] + bold(title[1]), number))
        if language == "rust":
            body = [line for line in body if not _HIDDEN.match(line[0])]
        out.append(
            Piece(
                f"{margin}{found[1]}{mark}{language if '[' not in language else language.partition('[')[0]}",
                number,
                True,
            )
        )
        out += [Piece(margin + words if words else "", place, True) for words, place in body]
        if end < len(lines):
            out.append(Piece(margin + lines[end][0], lines[end][1], True))
        return after

    def _closing(self, lines: Lines, at: int, mark: str) -> int:
        """The line that closes a fence; the end where none does."""
        for end in range(at + 1, len(lines)):
            words = lines[end][0].strip(" \t>")
            if words[:1] == mark[0] and words.startswith(mark) and not words.strip(mark[0]):
                return end
        return len(lines)

    def _code_tag(self, lines: Lines, at: int, found: re.Match[str], margin: str, out: list[Piece]) -> int:
        name = found[3] or found[5]
        closing = re.compile(
            rf"[ \t]*(?:\{{\{{[<%][ \t]*/[ \t]*{name}[ \t]*[>%]\}}\}}|\{{%-?[ \t]*end{name}[ \t]*-?%\}})[ \t]*\Z"
        )
        end = self._until(lines, at + 1, closing)
        if not end:
            return 0
        number, inside = lines[at][1], margin + found[1]
        language = _LANGUAGE.search(found[4] or found[6] or "")
        named = (language[1] or language[2]) if language else ""
        body = dedented(lines[at + 1 : end])
        out.append(Piece(f"{inside}```{'' if named in ('plain', 'none', 'text') else named}", number, True))
        out += [Piece(inside + words if words else "", place, True) for words, place in body]
        out.append(Piece(inside + "```", lines[end][1], True))
        return end + 1

    def _until(self, lines: Lines, at: int, closing: re.Pattern[str]) -> int:
        """The line that closes, or 0; what was once not found is not looked for again."""
        if closing.pattern in self._unclosed:
            return 0
        for end in range(at, len(lines)):
            if closing.match(lines[end][0]):
                return end
        self._unclosed.add(closing.pattern)
        return 0

    def _is_code(self, lines: Lines, at: int) -> bool:
        """Indented code: after a blank line, in no list, under no tag; MDX has none."""
        if self._mdx or (at and lines[at - 1][0]):
            return False
        above = at - 1
        while above >= 0 and (not lines[above][0] or lines[above][0][0] in " \t"):
            if at - above > _FAR or (lines[above][0] and _LIST.match(lines[above][0])):
                return False
            above -= 1
        if above < 0:
            return True
        if lines[above][0].startswith(("<", ":", "{")):
            return False
        while above >= 0 and lines[above][0] and not _LIST.match(lines[above][0]):  # an item goes on at the margin
            above -= 1
        return above < 0 or not lines[above][0]

    def _indented_code(self, lines: Lines, at: int, margin: str, out: list[Piece]) -> int:
        end = at
        while end < len(lines) and (not lines[end][0] or lines[end][0].startswith("    ")):
            end += 1
        while end > at and not lines[end - 1][0]:
            end -= 1
        out += [Piece(margin + words if words else "", number, True) for words, number in lines[at:end]]
        return end

    # boxes

    def _box(self, lines: Lines, at: int, found: re.Match[str], margin: str, out: list[Piece]) -> int:
        kind, title = found[2].lower(), found[3]
        words = title if title is not None else ADMONITIONS.get(kind, kind.replace("-", " ").capitalize())
        if words:
            out.append(Piece(margin + found[1] + label(words), lines[at][1]))
        after = self._indented(lines, at + 1, len(found[1]), margin, out)
        out.append(Piece(END, lines[after - 1][1]))
        return after

    def _indented(self, lines: Lines, at: int, column: int, margin: str, out: list[Piece]) -> int:
        end = at
        while end < len(lines) and (not lines[end][0] or indentation(lines[end][0].expandtabs(4)) > column):
            end += 1
        body = dedented([(words.expandtabs(4) if "\t" in words else words, number) for words, number in lines[at:end]])
        if body:
            out.append(Piece("", body[0][1]))
            out += self.read(body, margin + " " * column)
            out.append(Piece("", body[-1][1]))
        return end

    def _alert(self, lines: Lines, at: int, found: re.Match[str], margin: str, out: list[Piece]) -> int:
        kind = found[2].lower()
        words = found[3].strip() or ADMONITIONS.get(kind, kind.capitalize())
        out.append(Piece(margin + found[1] + label(words), lines[at][1]))
        end = at + 1
        while end < len(lines) and lines[end][0].lstrip().startswith(">") and not _ALERT.match(lines[end][0]):
            end += 1
        body = [(re.sub(r"\A[ \t]*> ?", "", line), number) for line, number in lines[at + 1 : end]]
        out += self.read(body, margin + found[1])
        out.append(Piece(END, lines[end - 1][1]))
        return end

    def _colons(self, lines: Lines, at: int, margin: str, out: list[Piece]) -> int:
        opened = myst.COLONS.match(lines[at][0])
        after = self._myst(lines, at, opened, margin, out) if opened else 0
        if not after:
            out.append(Piece(margin + containers.colons(lines[at][0]), lines[at][1]))
            after = containers.after_options(lines, at + 1) if containers.names_an_object(lines[at][0]) else at + 1
        return after

    def _myst(self, lines: Lines, at: int, found: re.Match[str], margin: str, out: list[Piece]) -> int:
        end = self._until(lines, at + 1, re.compile(rf"[ \t]*{found[2]}[ \t]*\Z"))
        if not end:
            return 0
        body = dedented(lines[at + 1 : end])
        shown = myst.directive(self.read, found[3], found[4], body, lines[at][1], margin + found[1])
        if shown is None:
            return 0
        out += shown
        return end + 1

    def _commented(self, lines: Lines, at: int, end: int, margin: str, out: list[Piece]) -> int:
        """Nothing of it, but for what stands behind it."""
        rest = lines[end][0].partition("-->" if lines[at][0].lstrip()[0] == "<" else "*/}")[2]
        out.append(Piece(margin + rest.strip() if rest.strip() else "", lines[end][1]))
        return end + 1

    def _html(self, lines: Lines, at: int, bare: str, margin: str, out: list[Piece]) -> int:
        """A table or a list of HTML that begins in this line."""
        found = html_blocks.html_block(lines, at, bare, self._unclosed)
        if not found:
            return 0
        shown, after = found
        out += [Piece(margin + words if words else "", number, code) for words, number, code in shown]
        return after
