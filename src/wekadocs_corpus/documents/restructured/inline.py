"""What stands in a line: roles, references, substitutions and literals, as a reader sees them."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.admonitions import words

from .names import Names, key

_MARKUP = re.compile(
    r"``(?P<literal>[^`\n]{0,2000}(?:`(?!`)[^`\n]{0,500}|\n(?![ \t]*\n)[^`\n]{0,500}){0,30})``(?!`)"
    r"|(?<![\w`]):(?P<role>[A-Za-z][\w.+-]{0,40}(?::[\w.+-]{1,40}){0,3}):`(?P<inside>[^`\\]{0,2000}(?:\\.[^`\\]{0,500}){0,50})`"
    r"|(?<![\w`])_?`(?P<text>[^`\\\s][^`\\]{0,2000}(?:\\.[^`\\]{0,500}){0,50})`(?P<after>__?(?!\w)|:[A-Za-z][\w.+:-]{0,60}:(?!`))?"
    r"|\|(?P<name>[^|\s][^|\n]{0,200})\|(?:__?(?!\w))?"
    r"|\[(?P<note>[#*]?[\w.-]{0,60}|\*)\]_(?!\w)"
    r"|(?<![\w`/.:=\\-])(?P<word>[A-Za-z0-9](?:[\w.+-]{0,80}[A-Za-z0-9])?)__?(?![\w`])"
    r"|\\(?P<escaped>[\s\S])"
)
_SPECIAL = re.compile(r"[`|_\\]")
_TITLED = re.compile(r"([\s\S]*?)\s*<([^<>]*)>\s*\Z")
_LINE_START = re.compile(r"^(?=#{1,6}[ \t]|[=-]{3,}[ \t]*$|>|```|~~~)", re.M)
_PLAIN = words(
    "ref doc numref any term abbr abbreviation sub sup subscript superscript title index emphasis strong download eq "
    "keyword token text rst-class dfn cite title-reference del ins raw-html raw html math:numref bdg"
)
_ICONS = words("octicon fa fab fas far fa-solid fa-brands fa-regular material-regular material-outlined material-round "
               "material-sharp material-twotone bi icon")  # fmt: skip
_CALLS = words("func meth function method")
_SHORTENED = words("class func meth mod attr exc obj data const function method type var macro member")
_NUMBERED = {"pep": "PEP", "rfc": "RFC", "cve": "CVE-", "cwe": "CWE-"}
_BOLD = words("guilabel menuselection strong")
_BRACES = re.compile(r"\{([^{}]*)\}")


class Inline:
    """Knows the names of the page."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._depth = 0

    def shown(self, text: str) -> str:
        """A paragraph, a heading or a cell as Markdown; line ends stay."""
        if _SPECIAL.search(text):
            text = _MARKUP.sub(self._replace, text)
        return _LINE_START.sub(r"\\", text) if text[:1] in "#=->`~" or "\n" in text else text

    def _replace(self, found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind == "literal":
            return _code(found["literal"])
        if kind == "inside":
            return role(found["role"], _unescaped(found["inside"]))
        if kind in ("text", "after"):
            return self._interpreted(found)
        if kind == "name":
            return self._substituted(found)
        if kind == "note":
            return f"[{found['note'].lstrip('#*') or '*'}]"
        if kind == "word":
            target = self._names.targets.get(key(found["word"]))
            return found[0] if target is None else _link(found["word"], target)
        escaped = found["escaped"]
        return "" if escaped == " " else escaped if escaped.isspace() else _kept(escaped)

    def _interpreted(self, found: re.Match[str]) -> str:
        text, after = _unescaped(found["text"]), found["after"] or ""
        if after.startswith(":"):
            return role(after.strip(":"), text)
        if found[0].startswith("_"):
            return text  # a target in the line
        if not after:
            return _code(text) if "<" not in text else _titled(text)[0]
        title, target = _titled(text)
        known = target or self._names.targets.get(key(title))
        if target.endswith("_"):
            known = self._names.targets.get(key(target[:-1]), "")
        return _link(title or target, known or "")

    def _substituted(self, found: re.Match[str]) -> str:
        words = self._names.substitutions.get(found["name"].strip())
        if words is None or self._depth > 3:
            return found[0]
        self._depth += 1
        try:
            return _MARKUP.sub(self._replace, words[:2000])
        finally:
            self._depth -= 1


def role(name: str, inside: str) -> str:
    """What a role shows."""
    short = name.rpartition(":")[2].lower()
    if short in _ICONS:
        return ""
    title, target = _titled(inside)
    if short in _NUMBERED:
        return title if target else _NUMBERED[short] + ("" if short in ("cve", "cwe") else " ") + inside
    if short == "doc":
        return _link(title or _page(target), target or title) if target or title else ""
    if short == "menuselection":
        return f"**{inside.replace('-->', '→').replace('&', '')}**"
    if short in _BOLD:
        return f"**{title}**"
    if short in ("ref", "numref") and not target:
        return _readable(title)
    if short == "math":
        return f"${inside}$"
    if short == "emphasis":
        return f"*{inside}*"
    if short in _PLAIN:
        return title
    if target and " " in title:
        return title
    return _code(_object(short, title) if not target else title)


def _object(short: str, name: str) -> str:
    name = name.removeprefix("!")
    if name.startswith("~"):
        name = name[1:].rpartition(".")[2] if short in _SHORTENED else name[1:]
    if short in ("file", "samp"):
        name = _BRACES.sub(r"\1", name)
    if short in ("ansopt", "ansretval"):
        name = name.rpartition("#")[2].rpartition(":")[2] if "#" in name else name
    if short == "ansplugin":
        name = name.partition("#")[0]
    return name + "()" if short in _CALLS and not name.endswith(")") else name


def _titled(inside: str) -> tuple[str, str]:
    """`title <target>`; without a target the words are both."""
    found = _TITLED.match(inside) if inside.endswith(">") and "<" in inside else None
    if not found:
        return inside, ""
    return found[1] or found[2], found[2]


def _page(target: str) -> str:
    return target.rpartition("/")[2] or target


def _readable(label: str) -> str:
    """A label that no title is known for, as words."""
    return label if len(label.split()) > 1 else label.rpartition(":")[2].replace("_", " ").replace("-", " ")


def _link(words: str, target: str) -> str:
    if not target or any(sign in target for sign in " ()<>\n") or "](" in words:
        return words
    return f"[{words}]({target})"


def _code(words: str) -> str:
    if "`" not in words:
        return f"`{words}`"
    return f"`` {words} ``"


def _unescaped(words: str) -> str:
    return (
        re.sub(r"\\(\s?)(\S?)", lambda found: found[2] if found[1] else found[2] or "", words)
        if "\\" in words
        else words
    )


def _kept(sign: str) -> str:
    """What Markdown would take for markup too keeps its backslash."""
    return "\\" + sign if sign in "*_`[]<>#" else sign
