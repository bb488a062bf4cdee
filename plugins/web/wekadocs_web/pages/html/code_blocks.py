"""Blocks of code, fenced, in the language that the page says: on `pre`, on `code`, or on what stands around them."""

from __future__ import annotations

import re

from .nodes import Node, attributes, children, classes, plain_text, seen_children

_AROUND = 4  # elements above `pre` that may say it
_BESIDE = frozenset(("lang", "line-numbers", "line-numbers-wrapper", "copy"))  # classes beside `pre`
_SAID = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|src|code)[-:]([a-z0-9+#_.-]{1,24})"
    r"|(?:^|\s)brush:?\s?([a-z0-9+#_.-]{1,24})",
    re.I,
)
_HASHED = re.compile(r"_(?=[A-Za-z]*[A-Z0-9])[A-Za-z0-9]{4,6}\Z")  # as CSS modules end their names
_BARE = re.compile(
    r"(?:^|\s)(?:hljs|sourcecode|prettyprint|highlight|codehilite|src)\s+([a-z][a-z0-9+#_-]{0,23})", re.I
)
# fmt: off
_NONE = frozenset({
    "default", "none", "notranslate", "plain", "plaintext", "source", "text", "txt", "highlight", "block", "wrapper",
    "toolbar", "container", "example", "nohighlight", "no-highlight", "undefined", "auto", "sourcecode", "code",
    "lines", "copy", "content", "box", "table", "literal-block", "snippet", "body", "area", "editor", "element",
    "frame", "group", "header", "inner", "inline", "listing", "outer", "pre", "section", "tab", "tabs", "title",
    "view", "viewer",
})
# fmt: on
_OTHER_NAMES = {"html-basic": "html", "source-shell": "shell", "py3": "python", "ipython3": "python"}


def fenced(pre: Node) -> str:
    """The code as it stands, between fences that nothing in it can close; empty where there is none."""
    code = plain_text(pre, verbatim=True).strip("\n").rstrip()
    if not code.strip():
        return ""
    runs = re.findall(r"`{3,}", code)
    fence = "`" * (max((len(run) for run in runs), default=2) + 1)
    return f"{fence}{language(pre)}\n{code}\n{fence}"


def code_of(node: Node) -> list[Node]:
    """The `pre` of what only stands around code, as generators put it with the language, numbers and a button."""
    if node.tag != "div" or not any(name.startswith("language-") for name in classes(attributes(node))):
        return []
    inside = list(seen_children(node))
    if not all(child.tag == "pre" or _only_names_it(child) for child in inside):
        return []
    return [child for child in inside if child.tag == "pre"]


def _only_names_it(node: Node) -> bool:
    if node.tag == "-text":
        return not (node.text_content or "").strip()
    return node.tag == "button" or not _BESIDE.isdisjoint(classes(attributes(node)))


def language(pre: Node) -> str:
    inside = next((child for child in children(pre) if child.tag in ("code", "samp", "kbd")), None)
    own = (_of(inside) if inside is not None else "") or _of(pre)
    above, steps = pre.parent, 0
    while not own and above is not None and steps < _AROUND and above.tag in ("div", "figure", "td", "span", "section"):
        own = _of(above)
        above, steps = above.parent, steps + 1
    return own


def _of(node: Node) -> str:
    its = attributes(node)
    stated = its.get("data-lang") or its.get("data-language") or (its.get("lang", "") if node.tag == "pre" else "")
    said = its.get("class", "")[:500]
    names = [stated, *(one or other for one, other in _SAID.findall(said)), *_BARE.findall(said)]
    for name in (_HASHED.sub("", each) for each in names):
        low: str = _OTHER_NAMES.get(name.lower().strip(), name.lower().strip())
        if low and low not in _NONE and re.fullmatch(r"[a-z0-9+#_.-]{1,24}", low):
            return low
    return ""
