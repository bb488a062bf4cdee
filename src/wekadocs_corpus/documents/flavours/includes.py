"""Files that a page takes in: MkDocs snippets, mdBook, GitBook, Hugo, VitePress and partials that MDX imports."""

from __future__ import annotations

import posixpath
import re

from wekadocs_corpus.documents.conversion.lines import Line, Lines
from wekadocs_corpus.documents.conversion.neighbours import DEEPEST, Neighbours
from wekadocs_corpus.documents.front_matter import read_front_matter

from . import docfx

_INCLUDE = re.compile(
    r"""([ \t]*)(?:
    -+8<-+[ \t]+["'](?P<snippet>[^"'\n]+)["']
    |(?P<mdbook>\{\{\#(?:include|rustdoc_include|playground|playpen)[ \t]+(?P<file>[^\s{}]+)[^{}]*\}\})
    |\{%-?[ \t]*include(?:_relative)?[ \t]+["'](?P<gitbook>[^"'\n]+)["'][^%]*%\}
    |\{\{[<%][ \t]*(?:include|readfile|boilerplate|include-file|snippet)[ \t]+
        (?:file=)?["']?(?P<hugo>[^"'\s<>%]+)["']?[^<>%]*[>%]\}\}
    |<<<[ \t]+(?P<vitepress>@?[^\s{}\#]+)[^\n]*
    |<!--[ \t]*@include:[ \t]*(?P<comment>[^\s]+?)(?:\{[^}]*\})?[ \t]*-->
    |<(?P<component>[A-Z]\w*)(?P<props>(?:[ \t]+\w+=(?:"[^"\n]*"|'[^'\n]*'|\{[^{}\n]*\}))*)[ \t]*/>
    |(?P<item>(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[!INCLUDE[ \t]*\[[^\]\n]*\][ \t]*\([ \t]*(?P<docfx>[^)\s]+)[^)\n]*\)[ \t]*\]
    |(?P<code>:::code[ \t][^\n]*|\[!code[^\n]*)
    |\{\{[<%][ \t]*(?P<short>(?:code|file|example|snippet|manifest|sample|literal)[\w-]*)[ \t]+(?:[^<>%]{0,500}?[ \t])??
        (?:file|src|path|filename)=["']?(?P<sample>[^"'\s<>%]{1,500}\.(?!mdx?\b|html?\b)\w{1,10})["']?[^<>%]{0,500}[>%]\}\}
    )[ \t]*""",
    re.X | re.I,
)
_WORTH = re.compile(
    r"[ \t]*(?:-+8<|\{[{%]|<<<|<!--|<[A-Z]|:::code|(?:[-*+]|\d{1,9}[.)])?[ \t]*\[!(?:INCLUDE|code))", re.I
)
_BLOCK = re.compile(r"[ \t]*-+8<-+[ \t]*")
_IMPORT = re.compile(r"""import[ \t]+([A-Z]\w*)[ \t]+from[ \t]+["']([^"'\n]+\.mdx?)["']""")
_ANCHOR = re.compile(r"(?:ANCHOR(_END)?|-+8<-+[ \t]*\[(start|end)):[ \t]*([\w-]+)")
_REGION = re.compile(
    r"\#[ \t]*(?P<end>end)?[ \t]*region\b[ \t]*\"?(?P<name>[\w.-]*)"
    r"|<(?P<close>/)?(?P<tag>\w+)>[ \t]*(?:-->)?[ \t]*\Z",
    re.I,
)
_CLOSING = re.compile(r"\{\{[<%][ \t]*/[ \t]*([\w-]+)")
_PROP = re.compile(r"""(\w+)=(?:"([^"\n]*)"|'([^'\n]*)')""")
_PROPS = re.compile(r"\{props\.(\w+)\}")
_MOST_LINES = 100_000


class Includes:
    """What one page includes; each file may come several times, but never inside itself."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self._count = 0
        self._closed: set[str] = set()  # names of shortcodes that enclose what they show

    def read(self, lines: Lines, folder: str = "", within: tuple[str, ...] = ()) -> Lines:
        imported = {found[1]: found[2] for words, _ in lines if (found := _IMPORT.match(words))}
        self._closed |= {found[1] for words, _ in lines for found in _CLOSING.finditer(words)}
        out: Lines = []
        block = False
        for line in lines:
            if "8<" in line[0] and _BLOCK.fullmatch(line[0]):
                block = not block
                continue
            shown = self._included(line, folder, within, imported, block=block)
            out += [line] if shown is None else shown
        return out

    def _included(
        self, line: Line, folder: str, within: tuple[str, ...], imported: dict[str, str], *, block: bool
    ) -> Lines | None:
        words, number = line
        named, found = None, None
        if block and words.strip():
            margin, target, code = words[: len(words) - len(words.lstrip())], words.strip(), False
        elif not _WORTH.match(words):
            return None
        else:
            found = _INCLUDE.fullmatch(words)
            named = found["component"] if found else None
            if not found or (named and named not in imported) or found["short"] in self._closed:
                return None
            margin, code = (
                found[1] + (found["item"] or ""),
                bool(found["vitepress"] or found["code"] or found["sample"]),
            )
            target = _target(found, imported)
        shown = self._file(target, folder, within, number)
        if shown and named and found and found["props"]:
            shown = _with_props(shown, found["props"])
        if shown is None:
            return [] if block or any(sign in words for sign in ("8<", "[!", ":::", "{{#")) else None
        if code:
            language = target.partition("#")[0].rpartition(".")[2]
            shown = [("```" + language, number), *shown, ("```", number)]
        later = " " * len(margin)  # below the marker of an item
        return [((later if at else margin) + each if each else "", place) for at, (each, place) in enumerate(shown)]

    def _file(self, target: str, folder: str, within: tuple[str, ...], number: int) -> Lines | None:
        path, part = _part(target)
        found = next(filter(None, (self._neighbours.find(each, folder) for each in _candidates(path))), None)
        if not found or found[0] in within or len(within) >= DEEPEST or self._count > _MOST_LINES:
            return None
        text = found[1][read_front_matter(found[1]).end :].replace("\r\n", "\n").strip("\n")
        chosen = _chosen(text.split("\n"), part)
        self._count += len(chosen)
        lines = [(line.rstrip(), number) for line in chosen]
        return self.read(lines, posixpath.dirname(found[0]), (*within, found[0]))


def with_includes(lines: Lines, neighbours: Neighbours) -> Lines:
    """The lines with those of other files in place of what names them."""
    return Includes(neighbours).read(lines)


def _with_props(lines: Lines, written: str) -> Lines:
    """A partial with what its props are told to be."""
    props = {name: a or b for name, a, b in _PROP.findall(written)}
    return [
        (_PROPS.sub(lambda each: props.get(each[1], each[0]), words) if "props." in words else words, number)
        for words, number in lines
    ]


def _target(found: re.Match[str], imported: dict[str, str]) -> str:
    if found["component"]:
        return imported[found["component"]]
    if found["code"]:
        path, part = docfx.code_from(found["code"]) or ("", "")
        return f"{path}#{part}" if part else path
    hugo = found["hugo"] or found["docfx"] or found["sample"]
    return found["snippet"] or found["file"] or found["gitbook"] or hugo or found["vitepress"] or found["comment"]


def _candidates(path: str) -> list[str]:
    """Where generators look: beside the page, from the root, in the folders they keep for it."""
    if path.startswith("@site/"):
        return ["/" + path[6:]]
    if path.startswith(("@/", "~/")):
        return ["/" + path[2:]]
    bare = path.removeprefix("./")
    if path.startswith(("/", "../")):
        return [path]
    folders = ("/", "/docs/", "/includes/", "/_includes/", "/snippets/", "/boilerplates/", "/content/en/boilerplates/",
               "/examples/", "/content/en/examples/", "/static/", "/assets/")  # fmt: skip
    endings = ("",) if "." in posixpath.basename(bare) else (".md", "")
    return [each + ending for ending in endings for each in (path, *(folder + bare for folder in folders))]


def _part(target: str) -> tuple[str, str]:
    """A file, and the part that is wanted: lines or an anchor, after `:` or `#`."""
    path, sign, part = target.partition("#") if "#" in target else target.partition(":")
    return path, part if sign else ""


def _chosen(lines: list[str], part: str) -> list[str]:
    if part and not part[0].isdigit() and part[0] != ":":
        return _anchored(lines, part.partition(":")[0])
    if part:
        first, _, last = part.partition(":")
        a, b = (int(each) if each.isascii() and each.isdigit() and len(each) < 9 else None for each in (first, last))
        end = b if ":" in part else a
        lines = lines[max(0, (a or 1) - 1) : end]
    return [line for line in lines if not ("ANCHOR" in line or "8<-" in line) or not _ANCHOR.search(line)]


def _anchored(lines: list[str], name: str) -> list[str]:
    inside, out = False, list[str]()
    for line in lines:
        found = _ANCHOR.search(line)
        region = None if found else _REGION.search(line)
        if found:
            if found[3] == name:
                inside = not (found[1] or found[2] == "end")
        elif region and (region["end"] or region["close"]):
            inside = inside and bool(region["tag"]) and not _same(region["tag"], name)
        elif region and _same(region["name"] or region["tag"] or "", name):
            inside = True
        elif inside:
            out.append(line)
    return out


def _same(said: str, name: str) -> bool:
    """Names of regions are told without regard to capitals; a number alone is that of a snippet."""
    return said.lower() in (name.lower(), f"snippet{name.lower()}")
