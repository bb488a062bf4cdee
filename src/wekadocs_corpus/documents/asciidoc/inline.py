"""What stands in a line: macros, links, formatting and attributes, as a reader sees them."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.entities import ENTITIES, entities

from .attributes import Attributes

_TEXT = r"(?:[^\[\]\\]|\\.|\[[^\[\]\n]{0,300}\]){0,1000}"
_ROLE = r"(?:(?<![\w\]`])\[[.#%]?[a-z][\w.#%-]{0,60}\])?"  # how the words after it look
_FOUND = re.compile(
    rf"\\(?P<escaped>[*_`\#^~\[{{<:+(\\])"
    rf"|`\+(?P<exact>[^\n]{{1,500}}?)\+`"
    rf"|(?<![\w`])\"`(?P<double>[^`\n]{{1,500}})`\"|(?<![\w`])'`(?P<single>[^`\n]{{1,500}})`'"
    rf"|{_ROLE}(?P<ticks>``?)(?P<code>[^`\n]{{1,1000}}(?:\n[^`\n]{{1,500}})?)(?P=ticks)"
    rf"|(?P<passed>\+\+\+?(?=\S)[^+\n]{{1,500}}\+\+\+?|pass:[a-z,]*\[{_TEXT}\])"
    rf"|(?:(?P<url>(?:https?|ftp|irc|mailto)(?:://|:)[^\s\[\]<>`]{{1,1000}})\[(?P<said>{_TEXT})\])"
    rf"|\b(?P<macro>xref|link|image|kbd|btn|menu|icon|footnote|footnoteref|stem|latexmath|asciimath|anchor|indexterm2?|"
    rf"mailto|term|counter2?|bibref|video|jira|issue|linkgit):(?P<target>[^\s\[\]]{{0,500}})\[(?P<text>{_TEXT})\]"
    rf"|(?P<nowhere>\{{[A-Za-z][\w-]*\}}(?:[/#][^\s\[\]]{{0,500}})?)\[(?P<there>(?=[^\]A-Za-z]{{0,500}}[A-Za-z]){_TEXT})\]"
    rf"|(?<![\w:/.])(?P<own>[a-z][a-z0-9_-]{{2,30}}):(?P<object>(?![:/])(?=[^\s\[\]`A-Za-z)]{{0,500}}[A-Za-z)])[^\s\[\]`]{{1,600}}+)"
    rf"\[(?P<options>(?![\s\d]+\]){_TEXT})\]"
    rf"|<<(?P<id>[^<>,\n]{{1,300}})(?:,(?P<title>[^<>]{{1,300}}))?>>"
    rf"|\[\[(?P<named>[^\[\]\n]{{1,200}})\]\]"
    rf"|\(\(\((?P<indexed>[^()\n]{{1,300}})\)\)\)|\(\((?P<index>[^()\n]{{1,300}})\)\)"
    rf"|(?:\[[^\[\]\n]{{1,100}}\])?(?:\#\#(?P<wide>[^\#\n]{{1,500}})\#\#|(?<![\w&\#])\#(?P<marked>[^\s\#][^\#\n]{{0,500}})\#(?!\w))"
    rf"|{_ROLE}(?:\*\*(?P<strong>[^*\n]{{1,500}})\*\*|(?<![\w*])\*(?P<bold>[^\s*][^*]{{0,500}})\*(?![\w*])"
    rf"|__(?P<emphasis>[^_\n]{{1,500}})__|(?<![\w_])_(?P<italic>[^\s_][^_]{{0,500}})_(?![\w_]))"
    rf"|(?<!\w)\+(?P<literal>[^\s+][^+\n]{{0,300}})\+(?!\w)"
    rf"|(?P<raised>\^[^\s^]{{1,100}}\^|~[^\s~]{{1,100}}~)"
    rf"|&(?P<entities>{ENTITIES})"
    rf"|(?P<broken>[ ]\+)$",
    re.M,
)
_SPECIAL = re.compile(r"[\\`*_#\[<+^~({&]|\(\(|::?\S")
_LINE_START = re.compile(r"^(?=#{1,6}[ \t]|-{3,}[ \t]*$|={3,}[ \t]*$)", re.M)
_PASSED_IN_CODE = re.compile(r"\+{3}([^+\n]{1,500})\+{3}")
_FIRST = re.compile(r"""\s*(?:"([^"]*)"|([^,=]*?))\s*(?:,|\Z)""")
_NAMED = re.compile(r"\s*[\w-]+=")
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|([^,\]]*))""")


class Inline:
    """Knows the attributes of the page."""

    def __init__(self, attributes: Attributes) -> None:
        self._attributes = attributes
        self._depth = 0

    def shown(self, text: str) -> str:
        """A paragraph, a heading or a cell as Markdown; line ends stay."""
        if not _SPECIAL.search(text):
            return text
        return _LINE_START.sub(r"\\", self._read(self._attributes.shown(text)))

    def _read(self, text: str) -> str:
        if self._depth > 5:
            return text
        self._depth += 1
        try:
            return _FOUND.sub(self._replace, text)
        finally:
            self._depth -= 1

    def _replace(self, found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        if kind in ("exact", "code"):
            return _code(
                found[kind] if kind == "exact" else _PASSED_IN_CODE.sub(r"\1", found[kind]).replace("\\{", "{")
            )
        if kind == "double":
            return f"“{self._read(found['double'])}”"
        if kind == "single":
            return f"\u2018{self._read(found['single'])}\u2019"
        if kind == "said":
            return self._link(found["said"], found["url"])
        if kind == "text":
            return self._macro(found["macro"], found["target"], found["text"])
        if kind == "there":  # a link whose address stands in an attribute that nobody explains
            return self._read(_first(found["there"])).rstrip("^")
        if kind == "options":
            return self._object(found["own"], found["object"], found["options"])
        if kind in ("id", "title"):
            return self._read(found["title"].strip()) if found["title"] else _readable(found["id"])
        if kind in ("strong", "bold"):
            return f"**{self._read(found[kind])}**"
        if kind in ("emphasis", "italic"):
            return f"*{self._read(found[kind])}*"
        if kind in ("wide", "marked", "index", "literal"):
            return self._read(found[kind]) if kind != "literal" else found[kind]
        if kind == "entities":
            text, start, end = found.string, found.start(), found.end()
            return entities(found[0], text[max(0, start - 1) : start], text[end : end + 1])
        if kind == "raised":
            return found["raised"][1:-1]
        if kind == "passed":
            return _passed(found["passed"])
        if kind == "escaped":
            return "\\" + found["escaped"] if found["escaped"] in "*_`[<\\" else found["escaped"]
        return ""  # a name for the index or for links, a forced line end

    def _link(self, said: str, target: str) -> str:
        words = self._read(_first(said)).rstrip("^")
        if not words:
            return target.removeprefix("mailto:")
        return f"[{words}]({target})" if not any(sign in target for sign in " ()") else words

    def _object(self, name: str, target: str, options: str) -> str:
        """A macro of some extension: its words, else what it names; of a class of Java only its own name."""
        words = "" if not options or _NAMED.match(options) else _first(options)
        if words:
            return self._read(words)
        if name != "javadoc":
            return _code(target)
        path, _, member = target.rpartition("}/")[2].partition("#")
        short = path.rpartition(".")[2].replace("$", ".") or path
        sign = "@" if "format=annotation" in options else ""
        return _code(sign + (f"{short}.{member}" if member else short))

    def _macro(self, name: str, target: str, text: str) -> str:
        if name in ("xref", "link", "mailto"):
            return self._link(text or _readable(target), f"mailto:{target}" if name == "mailto" else target)
        if name in ("image", "icon", "video"):
            alt = _ALT.search(text)
            return (alt[1] or alt[2] or "") if alt else _first(text) if name == "image" else ""
        if name == "kbd":
            return _code(text)
        if name == "btn":
            return f"**{text}**"
        if name == "menu":
            return f"**{' → '.join([target, *(part.strip() for part in text.split('>'))])}**"
        if name in ("footnote", "footnoteref"):
            return f" ({self._read(text)})" if text else ""
        if name in ("stem", "latexmath", "asciimath"):
            return f"${text}$"
        if name in ("anchor", "indexterm", "counter2", "bibref"):
            return ""
        if name == "linkgit":
            return f"{target}({text})" if text else target
        return self._read(_first(text)) or target


def _first(text: str) -> str:
    """The first of what stands in brackets; what else is there are options."""
    if "=" not in text and not text.startswith('"'):
        return text.strip()
    found = _FIRST.match(text)
    return (found[1] or found[2] or "").strip() if found else text


def _readable(target: str) -> str:
    page, _, part = target.strip().partition("#")
    name = part or page.rpartition("/")[2].rpartition("$")[2].removesuffix(".adoc")
    return name.strip("_").replace("_", " ").replace("-", " ") or target


def _passed(written: str) -> str:
    if written.startswith("pass:"):
        return written[written.index("[") + 1 : -1]
    return written.strip("+")


def _code(words: str) -> str:
    return f"`{words}`" if "`" not in words else f"`` {words} ``"
