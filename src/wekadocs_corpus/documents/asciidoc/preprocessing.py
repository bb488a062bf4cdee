"""Before blocks: files that are included, and what stands under conditions."""

from __future__ import annotations

import posixpath
import re

from wekadocs_corpus.documents.conversion.lines import Lines
from wekadocs_corpus.documents.conversion.neighbours import DEEPEST, Neighbours

from .attributes import Attributes

_DIRECTIVE = re.compile(r"(include|ifdef|ifndef|ifeval|endif)::([^\[\n]{0,500})\[(.*)\][ \t]*\Z")
_ATTRIBUTE = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+(.*))?\Z")
_TAG = re.compile(r"\b(tag|end)::([\w.-]+)\[\]")
_HEADING = re.compile(r"(={1,6})(?=[ \t]+\S)")
_RESOURCE = re.compile(r"(?:([\w.-]+):)?(?:([\w.-]+):)?(partial|example|page|attachment)\$(.+)")
_OPTION = re.compile(r"""([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|([^,]*))""")
_FOLDERS = {"partial": "partials", "example": "examples", "page": "pages", "attachment": "attachments"}
_MOST_LINES = 100_000


class Preprocessing:
    """Lines with their numbers; those of another file have the number of what includes it."""

    def __init__(self, neighbours: Neighbours, attributes: Attributes) -> None:
        self._neighbours, self._attributes = neighbours, attributes
        self._count = 0
        self._known = set(attributes.values)

    def read(self, text: str) -> Lines:
        lines = [(line.expandtabs(4).rstrip(), number) for number, line in enumerate(_split(text))]
        return self._read(lines, "", (), 0)

    def _read(self, lines: Lines, folder: str, within: tuple[str, ...], offset: int) -> Lines:
        out: Lines = []
        skipped: list[bool] = []  # for each condition that is open: whether what stands in it is left out
        for words, number in lines:
            found = _DIRECTIVE.match(words) if "::" in words and words[0] in "ie" else None
            if found and found[1] == "endif":
                skipped = skipped[:-1]
            elif found and found[1] != "include":
                self._condition(found, number, skipped, out)
            elif any(skipped):
                continue
            elif found:
                out += self._included(found, number, folder, within, offset)
            else:
                self._note(words)
                out.append((_moved(words, offset), number))
        return out

    def _note(self, words: str) -> None:
        """What is set is known to conditions and paths further down; blocks read it again, in their turn."""
        if words.startswith(":") and (found := _ATTRIBUTE.match(words)):
            name = found[1].strip("!").lower()
            if "!" in found[1]:
                self._known.discard(name)
            else:
                self._known.add(name)
                self._attributes.values.setdefault(name, found[2] or "")

    def _condition(self, found: re.Match[str], number: int, skipped: list[bool], out: Lines) -> None:
        kind, names, inside = found[1], found[2].strip(), found[3]
        shown = True
        if kind != "ifeval":
            known = [self._holds(name.strip()) for name in re.split("[,+]", names)]
            shown = all(known) if "+" in names else any(known)
            shown = (
                not any(name.strip().lower() in self._known for name in re.split("[,+]", names))
                if kind == "ifndef"
                else shown
            )
        if inside and kind != "ifeval":
            out += [(inside, number)] if shown and not any(skipped) else []
        else:
            skipped.append(not shown)

    def _holds(self, name: str) -> bool:
        """What a site's build may set is taken for set, unless it names another kind of output."""
        return name.lower() in self._known or not name.startswith(
            ("env-", "backend-pdf", "backend-docbook", "basebackend")
        )

    def _included(self, found: re.Match[str], number: int, folder: str, within: tuple[str, ...], offset: int) -> Lines:
        options = {name: a or b.strip() for name, a, b in _OPTION.findall(found[3])}
        target = self._attributes.shown(found[2])
        file = next(filter(None, (self._neighbours.find(each, folder) for each in _places(target))), None)
        if not file or file[0] in within or len(within) >= DEEPEST or self._count > _MOST_LINES:
            return []
        chosen = _chosen(_split(file[1]), options)
        self._count += len(chosen)
        deeper = offset + _offset(options.get("leveloffset", ""))
        lines = [(line.expandtabs(4).rstrip(), number) for line in chosen]
        return self._read(lines, posixpath.dirname(file[0]), (*within, file[0]), deeper)


def _split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _places(target: str) -> list[str]:
    """Antora names files by their family; others by path."""
    found = _RESOURCE.fullmatch(target)
    if not found:
        return [target, "/" + target.lstrip("./")]
    module = found[2] or found[1]
    inside = f"{_FOLDERS[found[3]]}/{found[4]}"
    return (
        [f"/{module}/{inside}", f"/modules/{module}/{inside}"] if module else ["/" + inside, f"/modules/ROOT/{inside}"]
    )


def _offset(written: str) -> int:
    digits = written.lstrip("+-")
    return (-1 if written.startswith("-") else 1) * int(digits) if digits.isdigit() and len(digits) == 1 else 0


def _moved(words: str, offset: int) -> str:
    found = _HEADING.match(words) if offset and words.startswith("=") else None
    return "=" * max(1, min(6, len(found[1]) + offset)) + words[found.end() :] if found else words


def _chosen(lines: list[str], options: dict[str, str]) -> list[str]:
    tags = options.get("tag") or options.get("tags") or ""
    wanted = {
        each.strip() for each in re.split("[,;]", tags) if each.strip() and not each.strip().startswith(("!", "*"))
    }
    if wanted:
        return _tagged(lines, wanted)
    if options.get("lines"):
        ranges = [_range(each, len(lines)) for each in re.split("[,;]", options["lines"])[:100]]
        return [line for first, last in ranges for line in lines[first:last]]
    return [line for line in lines if "::" not in line or not _TAG.search(line)]


def _tagged(lines: list[str], wanted: set[str]) -> list[str]:
    out: list[str] = []
    inside: set[str] = set()
    for line in lines:
        found = _TAG.search(line) if "::" in line else None
        if found:
            inside = inside | {found[2]} if found[1] == "tag" else inside - {found[2]}
        elif inside & wanted:
            out.append(line)
    return out


def _range(written: str, most: int) -> tuple[int, int]:
    first, between, last = written.strip().partition("..")
    a = int(first) if first.isascii() and first.isdigit() and len(first) < 9 else 1
    b = int(last) if last.isascii() and last.isdigit() and len(last) < 9 else most
    return max(0, a - 1), b if between else a
