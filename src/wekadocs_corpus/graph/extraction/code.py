"""Entities that code shows: commands, options, variables, configuration keys, API names, files, versions, errors.

A name is taken only where its form leaves no doubt; a code span that could be anything stays unnamed.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .names import words
from .regions import Block


class Mention(NamedTuple):
    """One place where a text names something."""

    label: str
    name: str
    start: int
    end: int


# The first character stands before its look-behind, so that the engine can leap to it.
_FLAG = re.compile(r"--(?<![\w\-/]--)[A-Za-z][A-Za-z0-9]{0,30}(?:[-_.][A-Za-z0-9]{1,30}){0,6}")
_VARIABLE = re.compile(r"[A-Z](?<![\w\-/.].)[A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?![\w-])")
_PATH = re.compile(r"[/~.](?<![\w/.:~\-].)(?:(?<=[~.])\.?/|(?<=/))[\w.@+-]{1,80}(?:/[\w.@+-]{1,80}){1,11}/?")
_FILE_NAME = re.compile(
    r"[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}"
    r"\.(?:ya?ml|json|toml|ini|conf|cfg|sh|py|js|ts|go|rs|java|xml|md|txt|log|env|sql|service)"
)
_VERSION = re.compile(r"(?<![\w.\-/])v?\d{1,4}(?:\.\d{1,6}){1,3}(?:-(?:rc|beta|alpha)[.\d]{0,6})?(?![\w\-/]|\.\d)")
_API = re.compile(
    r"[A-Za-z_]\w{0,60}(?:(?:\.|::)[A-Za-z_]\w{0,60}){0,6}\(\)|[A-Za-z_]\w{0,60}(?:::\w{1,60}){1,6}"
    r"|(?:GET|PUT|POST|PATCH|DELETE|HEAD) /[\w./{}:<>-]{1,120}|[a-z]{2,20}(?:[A-Z][a-z0-9]{1,20}){1,6}"
    r"|(?:[A-Z][a-z0-9]{1,20}){2,6}"
)
_KEY = re.compile(r"[a-z][a-z0-9]{0,30}(?:[._][a-z0-9]{1,30}){1,8}|[a-z][a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){1,6}(?=:)")
_ERROR = re.compile(
    r"[A-Z0](?<![\w-].)(?:(?<=E)RR_[A-Z0-9_]{2,50}|(?<=E)-?\d{3,6}|(?<=[A-Z])[A-Z]{1,7}-\d{4,7}|(?<=0)x[0-9A-Fa-f]{8})"
    r"(?![\w-])"
)
_ERRNO = frozenset(name for name in errno.errorcode.values() if len(name) > 4)
_PROMPT = re.compile(r"^[ \t>]*(?:[\w@~:./-]{0,60}[$#%>]|\$)[ \t]+(?=\S)", re.MULTILINE)
_PROMPT_END = re.compile(r"[$#%>][ \t]")  # without which there is none
_PLACEHOLDER = re.compile(r" <[a-z][\w -]{1,40}>")
_WORD = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z0-9]+)*")
_SETTING = re.compile(r"^[ \t]*-?[ \t]*([A-Za-z_][\w.-]{1,60})[ \t]*(?::(?=[ \t\n])|=)", re.MULTILINE)

_SHELL = frozenset({"bash", "sh", "shell", "zsh", "console", "shell-session", "terminal", "shellsession"})
_CONFIGURATION = frozenset({"yaml", "yml", "toml", "ini", "conf", "cfg", "properties", "env", "dotenv"})
# Commands whose next word is an argument, not a subcommand.
_SINGLE = words(
    """awk bash cat cd chmod chown cp curl cut date dd df dig du echo env exit export find grep gunzip gzip head id
    kill ln ls lsblk lscpu lsof man mkdir mkfs mount mv nc nano node nohup ping ps pwd python python3 read rm rmdir
    rsync scp sed sh sleep sort source ssh stat su tail tar tee test time top touch tr umount uname unzip vi vim watch
    wc wget which xargs zip"""
)
_NO_COMMAND = frozenset({"for", "if", "then", "else", "fi", "do", "done", "while", "case", "esac", "function", "set"})
_MOST_LINES = 400  # of one block
_LABEL = re.compile(r"[Cc]ommands?\**:\**[ \n]`{1,2}\Z")  # **Command:** `weka nfs kerberos service setup`
_WORDS_OF_COMMAND, _WORDS_OF_LABELLED = 3, 6  # what follows may be arguments; a label says that it is not


def in_span(text: str, start: int, end: int) -> Iterator[Mention]:
    """What a code span is, if its whole content has one form."""
    while end > start and text[end - 1] in " ,;":
        end -= 1
    content = text[start:end]
    label = _form(content)
    if label:
        yield Mention(label, content, start, end)
    elif " " in content:
        yield from _command(text, start, end, sure=False, labelled=bool(_LABEL.search(text, max(0, start - 16), start)))


@lru_cache(maxsize=8192)
def _form(content: str) -> str:
    bare = content.removeprefix("$").strip("{}") if content.startswith("$") else content
    if _FLAG.fullmatch(content.partition("=")[0].partition(" ")[0]) and len(content) < 60:
        return "Parameter"
    for label, pattern in _FORMS:
        if pattern.fullmatch(bare):
            return label
    return "Error" if content in _ERRNO else ""


_FORMS = (
    ("Error", _ERROR),
    ("Variable", _VARIABLE),
    ("Version", _VERSION),
    ("File", _PATH),
    ("File", _FILE_NAME),
    ("Api", _API),
    ("Configuration", _KEY),
)


def in_block(text: str, block: Block) -> Iterator[Mention]:
    """Command lines of shell blocks, keys of configuration blocks, variables and flags of both."""
    inside = text[block.start : block.end]
    prompts = list(_PROMPT.finditer(inside))[:_MOST_LINES] if _PROMPT_END.search(inside) else []
    if prompts:
        for prompt in prompts:
            yield from _line(text, block.start + prompt.end(), block.end)
    elif block.language in _SHELL:
        yield from _lines(text, block)
    if block.language in _CONFIGURATION:
        for match in list(_SETTING.finditer(inside))[:_MOST_LINES]:
            label = "Variable" if _VARIABLE.fullmatch(match[1]) else "Configuration"
            yield Mention(label, match[1], block.start + match.start(1), block.start + match.end(1))
    if prompts or block.language in _SHELL:
        for label, pattern in (("Variable", _VARIABLE), ("File", _PATH)):
            for match in pattern.finditer(inside):
                yield Mention(label, match[0], block.start + match.start(), block.start + match.end())


def _lines(text: str, block: Block) -> Iterator[Mention]:
    position, continued = block.start, False
    for line in text[block.start : block.end].splitlines(keepends=True)[:_MOST_LINES]:
        if not continued and not line.lstrip().startswith("#"):
            yield from _line(text, position + len(line) - len(line.lstrip()), block.end)
        continued = line.rstrip().endswith("\\")
        position += len(line)


def _line(text: str, start: int, limit: int) -> Iterator[Mention]:
    """One command line, which a backslash continues."""
    end = start
    while True:
        stop = text.find("\n", end, limit)
        end = limit if stop < 0 else stop
        if stop < 0 or text[end - 1 : end] != "\\" or end - start > 2_000:
            break
        end += 1
    yield from _command(text, start, min(end, start + 2_000), sure=True)


def _command(text: str, start: int, end: int, *, sure: bool, labelled: bool = False) -> Iterator[Mention]:
    """The command's words, then its options. Outside a shell block an option or a placeholder proves that it is one."""
    line = text[start:end]
    offset = 5 if line.startswith("sudo ") else 0
    flags = list(_FLAG.finditer(line))[:40]
    length = _command_length(line[offset : offset + 120], _WORDS_OF_LABELLED if labelled else _WORDS_OF_COMMAND)
    if length and (sure or labelled or flags or _PLACEHOLDER.search(line)):
        yield Mention("Command", line[offset : offset + length], start + offset, start + offset + length)
    for flag in flags:
        yield Mention("Parameter", flag[0], start + flag.start(), start + flag.end())


def _command_length(line: str, most: int) -> int:
    first = _WORD.match(line)
    if not first or first[0] in _NO_COMMAND or line[first.end() : first.end() + 1] not in ("", " ", "\n"):
        return 0
    length, words = first.end(), 1
    while words < most and first[0] not in _SINGLE and line[length : length + 1] == " ":
        word = _WORD.match(line, length + 1)
        if not word or line[word.end() : word.end() + 1] not in ("", " ", "\n", "\\"):
            break
        length, words = word.end(), words + 1
    return length


# With each what it cannot be without: a look that leaps from one rare sign to the next spares most searches.
_PROSE = (
    ("Parameter", _FLAG, (re.compile(r"--[A-Za-z]"),)),
    ("Variable", _VARIABLE, (re.compile(r"_(?<=[A-Z0-9]_)[A-Z0-9]"),)),
    ("Error", _ERROR, (re.compile(r"[E-](?:(?<=E)-?|(?<=[A-Z]-))\d{3}"), re.compile("ERR_"), re.compile("0x"))),
    ("File", _PATH, (re.compile(r"/[\w.@+-]{1,80}/[\w.@+-]"),)),
)
_DOTTED = re.compile(r"\.(?<=\d\.)\d")
_PRODUCT = re.compile(
    r"([A-Z](?<![\w.].)[A-Za-z+#]{1,30}(?: [A-Z][A-Za-z+#]{1,30}){0,2}) (?:versions? )?"
    r"(v?\d{1,4}(?:\.\d{1,6}){1,3})(?![\w-]|\.\d)"
)
_NO_PRODUCT = words(
    """Appendix April August Chapter December Equation February Figure In January July June March May November October
    Part Release Section See September Since Step Table The Until Version Versions"""
)


def in_prose(prose: str) -> Iterator[Mention]:
    """What is unmistakable outside code too; a product is a capitalised name with a version after it."""
    for label, pattern, signs in _PROSE:
        for match in pattern.finditer(prose) if any(sign.search(prose) for sign in signs) else ():
            if label != "Variable" or not match[0].startswith("ERR_"):
                yield Mention(label, match[0], match.start(), match.end())
    for match in _PRODUCT.finditer(prose) if _DOTTED.search(prose) else ():
        if _NO_PRODUCT.isdisjoint(match[1].split(" ")):
            yield Mention("Product", match[1], match.start(1), match.end(1))
            yield Mention("Version", match[2], match.start(2), match.end(2))
