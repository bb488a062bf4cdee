"""Tags of HTML and components of JSX and Vue in Markdown: layout goes, words stay."""

from __future__ import annotations

import html
import re

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words
from wekadocs_corpus.documents.conversion.entities import ENTITIES, entities

from .signs import ANCHOR, END, bold, label

_HTML = words(
    "a abbr address area article aside audio b bdi bdo big blockquote body br button canvas caption center "
    "cite code col colgroup data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font "
    "footer form frame h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li "
    "link main map mark menu meta meter nav nobr noscript object ol optgroup option output p param picture pre "
    "progress q rp rt ruby s samp script search section select slot small source span strike strong style sub "
    "summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr "
    "path g rect circle"
)
_TAG = re.compile(r"""<(/?)([A-Za-z][\w.:-]*)((?:[^<>{}"'`]|"[^"]{0,2000}"|'[^']{0,2000}'){0,200})>""")
_NAME = re.compile(r"<(/?)([A-Za-z][\w.:-]*)")
_PAIRED = re.compile(
    r"<(?P<name>code|kbd|samp|tt|var|summary|h[1-6]|a)\b(?P<attributes>(?:[^<>\"']|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,50})>"
    r"(?P<inside>[^<]{0,800}(?:<(?!/?(?P=name)\b)[^<]{0,400}){0,20})</(?P=name)\s*>",
    re.I,
)
_RAW = re.compile(r"<(script|style|svg)\b[\s\S]{0,50000}?</\1\s*>", re.I)
_VALUE = re.compile(r"""([\w:@-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*["'`]([^"'`{}]*)["'`]\s*\})""")
_ENTITY = re.compile(f"&{ENTITIES}")
_ANY = re.compile(r"<[^<>]{0,500}>")
_CODE = words("code kbd samp tt var")
_BOXES = words("callout admonition alert aside hint notice message infobox")
_SHOWN = ("title", "label", "header", "heading", "summary", "text", "caption", "alt")
_TARGETS = ("to", "href", "link", "url")
_SAID = re.compile(r"""(?:([\w-]+)["']?\s*[:=]\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`)""")
_UNSAID = words("id key slug href link url src to icon type kind variant color lang language slot target rel cite")
_ADDRESS = re.compile(r"[\w+.-]*:?[./#][^\s]*|[\w.-]+(?:/[\w./-]*)+|\W*")
_LONGEST = 20_000  # characters of a tag
_DATA_LINES = 4
_NEAR = 2_000  # characters of a line that tell whether a tag stands among words
_SIGN = re.compile(r"[\"'`{}<>]")
_MOST_FAILED = 100  # tags that never end: a page with more is no page of components


class Tags:
    """Knows which names the page closes: `<name>` without `</name>` is what a user is to fill in."""

    def __init__(self, text: str, *, mdx: bool) -> None:
        self._mdx = mdx
        self._failed = 0
        self._closed = {name.lower() for name in re.findall(r"</([A-Za-z][\w.:-]*)", text)}

    def replaced(self, text: str, at: int, *, heading: bool) -> tuple[str, int]:
        """What stands for the tag at this place, and where it ends."""
        name = _NAME.match(text, at)
        if not name or text[max(0, at - 2) : at] == "](":  # a link's target may stand in angles
            return text[at], at + 1
        lower = name[2].lower()
        pair = self._pair(text, at, lower, heading=heading)
        if pair:
            return pair
        end = self._end(text, at)
        written = text[at:end]
        if not end or not self._is_tag(name[2], written):
            return text[at], at + 1
        if _is_data(written):
            return _said(written), end
        within = heading or (written.endswith("/>") and _is_within(text, at, end))
        return self._shown(name[2], bool(name[1]), written, within=within), end

    def _pair(self, text: str, at: int, name: str, *, heading: bool) -> tuple[str, int] | None:
        if name in ("script", "style", "svg"):
            raw = _RAW.match(text, at)
            return ("", raw.end()) if raw else None
        found = _PAIRED.match(text, at)
        if not found:
            return None
        values = _values(found["attributes"])
        inside = _ANY.sub("", found["inside"])
        if name not in _CODE:
            inside = _ENTITY.sub(lambda each: entities(each[0], "x", "x"), inside)
        return _paired(name, values, inside, heading=heading), found.end()

    def _end(self, text: str, at: int) -> int:
        """After the tag that begins here, or 0; braces may hold anything, tags among it."""
        found = _TAG.match(text, at)
        if found or self._failed > _MOST_FAILED:
            return found.end() if found else 0
        depth, quote = 0, ""
        for each in _SIGN.finditer(text, at + 1, at + _LONGEST):
            sign = each[0]
            if quote:
                quote = "" if sign == quote else quote
            elif sign in "\"'`":
                quote = sign
            elif sign in "{}":
                depth += 1 if sign == "{" else -1
            elif depth <= 0:
                return each.end() if sign == ">" else 0
        self._failed += 1
        return 0

    def _is_tag(self, name: str, written: str) -> bool:
        if name.lower() in _HTML:
            return True
        if self._mdx and name[0].isupper():
            return True
        return name.lower() in self._closed or written.endswith("/>") or "=" in written

    def _shown(self, name: str, closing: bool, written: str, *, within: bool) -> str:
        lower = name.lower()
        if lower in _HTML:
            return _element(lower, closing, written)
        kind = lower.rpartition(".")[2]
        if closing:
            return END if kind in ADMONITIONS or kind in _BOXES else ""
        values = _values(written)
        title = next((values[key] for key in _SHOWN if values.get(key)), "")
        if kind in _BOXES or kind in ADMONITIONS:
            named = ADMONITIONS.get(kind) or ADMONITIONS.get(
                values.get("type", values.get("variant", "")).lower(), "Note"
            )
            return label(title or named)
        if kind in ("tabitem", "tab") and not title:
            title = values.get("value", values.get("name", ""))
        if kind == "badge":
            return title
        return _words(title, values) if within else bold(title) + values.get("description", "")


def _is_data(written: str) -> bool:
    """What a component shows stands in its attributes, of which none is a title."""
    long = written.endswith("/>") and written.count("\n") > _DATA_LINES and "={" in written
    return long and not any(_values(written).get(key) for key in _SHOWN)


def _said(written: str) -> str:
    """The words among its data, those of a line as an item; what is for programs is left out."""
    lines = [
        [said for key, *quoted in _SAID.findall(line) if key.lower() not in _UNSAID and (said := _prose(quoted))]
        for line in written.split("\n")
    ]
    return "\n".join(f"- {', '.join(said)}" for said in lines if said)


def _prose(quoted: list[str]) -> str:
    said = "".join(quoted).strip()
    return "" if _ADDRESS.fullmatch(said) or "{" in said else html.unescape(said)


def _is_within(text: str, at: int, end: int) -> bool:
    """Whether it stands among words of its line, or is an item or a cell."""
    before, behind = text[max(0, at - _NEAR) : at], text[end : end + _NEAR]
    around = before.rpartition("\n")[2], behind.partition("\n")[0]
    return any(_ANY.sub("", each).strip(" \t>") for each in around)


def _words(title: str, values: dict[str, str]) -> str:
    """A component in a sentence."""
    target = next((values[key] for key in _TARGETS if values.get(key)), "")
    leads = title and target and not any(sign in target for sign in " ()\n{")
    return f"[{title}]({target})" if leads else title


def _element(name: str, closing: bool, written: str) -> str:
    if closing:
        return ""
    if name == "br":
        return " "
    if name == "li":
        return " - "
    if name in ("td", "th"):
        return " "
    return _values(written).get("alt", "") if name == "img" else ""


def _paired(name: str, values: dict[str, str], inside: str, *, heading: bool) -> str:
    if name == "summary":
        return bold(inside)
    if name[0] == "h" and name[1:].isdigit():
        anchor = f"{ANCHOR}{values['id']}{ANCHOR}" if values.get("id") else ""
        return f"{'#' * int(name[1])} {' '.join(inside.split())}{anchor}"
    if name == "a":
        anchor = values.get("id") or values.get("name") or ""
        target = values.get("href", "")
        if heading and anchor:
            return f"{inside}{ANCHOR}{anchor}{ANCHOR}"
        plain = target in ("", f"#{anchor}") or "](" in inside or any(sign in target for sign in " ()\n{")
        return inside if plain or not inside.strip() else f"[{inside}]({target})"
    code = " ".join(html.unescape(inside).split())
    return f"`{code}`" if code and "`" not in code else inside


def _values(written: str) -> dict[str, str]:
    return {name.lower(): html.unescape(a or b or c) for name, a, b, c in _VALUE.findall(written[:_LONGEST])}
