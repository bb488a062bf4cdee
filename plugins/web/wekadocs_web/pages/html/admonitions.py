"""Notes and warnings as labelled text: which element is one, of what kind, and what it calls itself."""

from __future__ import annotations

import re

from .nodes import Node, attributes, classes, plain_text, seen_children

_ALERT, _TOLD, _ADVICE = "⚠️", "\u2139\ufe0f", "💡"
_ICONS = {
    **dict.fromkeys(("warning", "caution", "danger", "attention", "important", "error", "deprecated"), _ALERT),
    **dict.fromkeys(("note", "info", "seealso", "success", "question", "example"), _TOLD),
    **dict.fromkeys(("tip", "hint"), _ADVICE),
}
_OTHER_NAMES = {"secondary": "note", "primary": "note", "warn": "warning", "critical": "danger"}
_SHOWN = {"seealso": "SEE ALSO"}
_MARKS = frozenset(
    {"admonition", "admonitionblock", "alert", "callout", "markdown-alert", "theme-admonition", "custom-block"}
    | {"starlight-aside", "hint-block", "notice", "message", "notification", "panel"}
)
_HOLDERS = frozenset(("div", "aside", "section", "blockquote", "details", "table", "article", "dl"))
_PREFIXED = re.compile(
    r"(?:alert|callout|markdown-alert|theme-admonition|admonition|starlight-aside-|notice|message|is|bd-callout)-+(\w+)"
)
_TITLES = frozenset(
    {"admonition-title", "admonition-heading", "markdown-alert-title", "custom-block-title", "callout-title", "title"}
    | {"alert-title", "alert-heading", "starlight-aside__title", "admonitionheading", "notice-title"}
)
_HASHED = re.compile(r"_[\w+-]{4,8}\Z")  # as CSS modules end their names
_WRITTEN = re.compile(r"\s*\[!(\w+)\]\s*", re.I)


def kind_of(node: Node) -> str:
    """`warning`, `note`, …; empty for what is no admonition: the class `note-list` makes none."""
    tag, its = node.tag or "", attributes(node)
    if tag not in _HOLDERS or not its:
        return ""
    names = _without_looks(classes(its))
    told = {_OTHER_NAMES.get(name, name) for name in names}
    told |= {_OTHER_NAMES.get(found[1], found[1]) for name in names if (found := _PREFIXED.fullmatch(name))}
    marked = not names.isdisjoint(_MARKS) or "data-callout" in its
    stated = its.get("data-callout", "").lower()
    kinds = [kind for kind in _ICONS if kind in told or kind == stated]
    if kinds:
        return kinds[0] if marked or tag != "table" else ""
    return "note" if marked and (names & {"admonition", "admonitionblock"} or its.get("role") == "note") else ""


def _without_looks(names: frozenset[str]) -> frozenset[str]:
    """Docusaurus says what it is, and beside it which colours it has."""
    itself = any(name.startswith("theme-admonition-") for name in names)
    return frozenset(name for name in names if not name.startswith("alert--")) if itself else names


def label(kind: str) -> str:
    return f"{_ICONS.get(kind, _TOLD)} {_SHOWN.get(kind, kind.upper())}:"


def title_of(node: Node) -> Node | None:
    """The element in which it names itself, among the first ones inside."""
    for child in seen_children(node):
        if child.tag == "summary" or ((child.tag or "").startswith("h") and (child.tag or "")[1:].isdigit()):
            return child
        if _is_title(child):
            return child
        if child.tag not in ("-text", "br") or (child.text_content or "").strip():
            return None if child.tag not in ("div", "svg", "span") else _inner_title(child)
    return None


def _inner_title(node: Node) -> Node | None:
    found = next((child for child in seen_children(node) if child.tag != "-text"), None)
    return found if found is not None and _is_title(found) else None


def _is_title(node: Node) -> bool:
    names = classes(attributes(node))
    return not _TITLES.isdisjoint(names) or any(_HASHED.sub("", name) in _TITLES for name in names)


def said_by_title(title: str, kind: str) -> str:
    """What a title tells beside its kind: `Warning` tells nothing, `Before you upgrade` does."""
    bare = title.strip().rstrip(":!.").strip()
    return "" if bare.casefold().replace(" ", "") in (kind, f"{kind}s", "") else bare


def written_kind(text: str) -> tuple[str, str]:
    """Of a quotation that begins with `[!NOTE]`: the kind and the rest; else no kind."""
    found = _WRITTEN.match(text)
    if found is None or found[1].lower() not in _ICONS:
        return "", text
    return found[1].lower(), text[found.end() :]


def names_its_kind(node: Node, kind: str) -> bool:
    return plain_text(node).casefold().strip(" :!.") == kind
