"""What a line of Markdown opens: CommonMark and GFM, plus what GitBook, MkDocs, Docusaurus, Hugo and MDX add."""

from __future__ import annotations

import re

ATX = re.compile(r"(#{1,6})(?=[ \t]|$)")
FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
ITEM = re.compile(r"(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)([ \t]*)")
RULE = re.compile(r"(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$")
SETEXT = re.compile(r"(=+|-+)[ \t]*$")
DEFINITION = re.compile(r"\[[^\[\]]{1,300}\]:[ \t]*\S")
HTML_HEADING = re.compile(r"<h([1-6])\b", re.I)
CONTAINER = re.compile(r"""(?:!!!|\?\?\?\+?)[ \t]+[\w"]|===[+!]?[ \t]+["']""")  # MkDocs: its content is indented
MARKER = re.compile(r"\{%.*%\}$|:{3,}.*$|\{\{[<%].*[%>]\}\}$")
CLOSING_MARKER = re.compile(r"\{%-?[ \t]*end|:{3,}[ \t]*$|\{\{[<%][ \t]*/")
MODULE = re.compile(
    r"""import[ \t]+(?:["']|[\w*{].*[ \t]from[ \t]+["'])|export[ \t]+(?:const|let|default|function|\{|\*)"""
)
COMPONENT = re.compile(r"</?[A-Z][\w.]*(?=[\s/>]|$)")
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
HTML = re.compile(rf"</?(?:{_BLOCK_TAGS})(?=[\s/>]|$)", re.I)
_UNTIL = (
    (re.compile(r"<(pre|script|style|textarea)(?=[\s>]|$)", re.I), ""),
    (re.compile(r"<!--"), "-->"),
    (re.compile(r"<\?"), "?>"),
    (re.compile(r"<!\[CDATA\["), "]]>"),
    (re.compile(r"<![A-Za-z]"), ">"),
)
STARTERS = frozenset("#`~-*+_<>{:!?=|0123456789")  # a line that begins with anything else continues a paragraph
_DELIMITER = frozenset("|:- \t")


def indentation(line: str) -> int:
    """Columns before the first character that is no white space, tabs going to every fourth."""
    width = len(line) - len(line.lstrip(" "))
    if not line.startswith("\t", width):
        return width
    white = line[: len(line) - len(line.lstrip(" \t"))]
    return len(white.expandtabs(4))


def atx_words(stripped: str, level: int) -> str:
    """What an ATX heading says, without the signs before and after it."""
    words = stripped[level:].strip(" \t")
    bare = words.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else words


def is_delimiter(stripped: str) -> bool:
    """The row of dashes under a table's head."""
    return "-" in stripped and "|" in stripped and not set(stripped) - _DELIMITER


def html_ends_with(stripped: str) -> str:
    """What ends the HTML block that this line opens, lower case, where it is not a blank line."""
    for opening, until in _UNTIL:
        found = opening.match(stripped)
        if found:
            return until or f"</{found[1].lower()}>"
    return ""


def interrupts(stripped: str) -> bool:
    """Whether a line ends the paragraph before it by opening something else."""
    first = stripped[0]
    if first not in STARTERS:
        return False
    if first == "#":
        return ATX.match(stripped) is not None
    if first in "`~":
        return FENCE.match(stripped) is not None
    if first in "-*+_":
        item = ITEM.match(stripped)
        return RULE.match(stripped) is not None or (item is not None and item.end() < len(stripped))
    if first == "<":
        return bool(HTML.match(stripped) or COMPONENT.match(stripped) or html_ends_with(stripped))
    if first.isdigit():
        item = ITEM.match(stripped)
        return item is not None and item[1] == "1" and item.end() < len(stripped)
    return first == ">" or MARKER.match(stripped) is not None or CONTAINER.match(stripped) is not None
