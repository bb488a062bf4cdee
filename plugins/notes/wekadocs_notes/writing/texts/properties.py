"""Title and tags in a note's front matter, set without touching any other byte of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import invalid
from ...vault.front_matter import FrontMatter, read_front_matter
from ...vault.yaml_values import yaml_loader
from .lines import line_end

if TYPE_CHECKING:
    from yaml import Node

Property = str | list[str]


class _Entry(NamedTuple):
    """Where a value stands within the YAML, and how it is written."""

    start: int
    end: int
    colon: int  # behind the key's colon
    kind: str  # empty, scalar, flow or block
    style: str
    column: int


def with_properties(source: str, values: Mapping[str, Property]) -> str:
    """The same text, with these properties; those that are so already stay as they are written."""
    front = read_front_matter(source)
    wanted = {name: value for name, value in values.items() if front.values.get(name) != value}
    if not wanted:
        return source
    if front.fault:
        message = f"The note's front matter cannot be read ({front.fault}). Mend it first, or change only the content."
        raise invalid(message, reason="bad_front_matter")
    changed = source
    for name, value in wanted.items():
        changed = _with(changed, read_front_matter(changed), name, value)
    after = read_front_matter(changed)
    kept = changed[after.body_start :] == source[front.body_start :]
    if after.fault or after.values != {**front.values, **wanted} or not kept:
        message = "The note's front matter is written in a way that cannot be changed safely: change it by hand."
        raise invalid(message, reason="front_matter")
    return changed


def _with(source: str, front: FrontMatter, name: str, value: Property) -> str:
    eol = line_end(source)
    if front.body_start <= 1:  # there is none: at most a byte order mark before the text
        made = f"---{eol}{_lines(name, value, eol)}---{eol}"
        return source[: front.body_start] + made + source[front.body_start :]
    inside = source[front.start : front.end]
    return source[: front.start] + _inside(inside, name, value, eol) + source[front.end :]


def _inside(inside: str, name: str, value: Property, eol: str) -> str:
    root = _composed(inside)
    entry = _entry(root, inside, name)
    if entry is not None:
        return _replaced(inside, entry, value, eol)
    if root is not None and root.flow_style:
        brace = root.start_mark.index + 1
        return f"{inside[:brace]}{name}: {_flow(value)}{', ' if root.value else ''}{inside[brace:]}"
    return inside + _lines(name, value, eol)


def _composed(inside: str) -> Any:
    import yaml

    return yaml.compose(inside, Loader=yaml_loader())


def _entry(root: Node | None, inside: str, name: str) -> _Entry | None:
    for key, value in root.value if root is not None else ():
        if key.value != name:
            continue
        colon = inside.index(":", key.end_mark.index) + 1
        kind, start, end = _span(value)
        return _Entry(start, end, colon, kind, getattr(value, "style", "") or "", value.start_mark.column)
    return None


def _span(value: Node) -> tuple[str, int, int]:
    start, end = value.start_mark.index, _end(value)
    if isinstance(value.value, str):
        return ("scalar" if end > start else "empty"), start, end
    return ("flow" if _is_flow(value) else "block"), start, end


def _is_flow(node: Node) -> bool:
    return bool(getattr(node, "flow_style", False))


def _end(node: Node) -> int:
    """Where its own characters end: a block's mark lies behind the comments that follow it."""
    if isinstance(node.value, str) or _is_flow(node) or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _replaced(inside: str, entry: _Entry, value: Property, eol: str) -> str:
    if entry.kind == "block":
        return _block_replaced(inside, entry, value, eol)
    if entry.style in ("|", ">"):
        written = inside[: entry.end].rstrip()  # empty lines behind it are counted as its own by YAML
        return (
            inside[: entry.colon] + f" {_flow(value)}{eol}" + inside[inside.find("\n", len(written)) + 1 or entry.end :]
        )
    text = _scalar(value, entry.style) if isinstance(value, str) else _flow(value)
    space = " " if inside[entry.start - 1 : entry.start] == ":" else ""
    return inside[: entry.start] + space + text + inside[entry.end :]


def _block_replaced(inside: str, entry: _Entry, value: Property, eol: str) -> str:
    if isinstance(value, list) and value:
        rows = f"{eol}{' ' * entry.column}".join(f"- {_scalar(each)}" for each in value)
        return inside[: entry.start] + rows + inside[entry.end :]
    line = inside.find("\n", entry.colon)
    comment = inside[entry.colon : line].rstrip("\r")
    return inside[: entry.colon] + f" {_flow(value)}{comment}" + inside[entry.end :]


def _lines(name: str, value: Property, eol: str) -> str:
    if isinstance(value, str):
        return f"{name}: {_scalar(value)}{eol}"
    if not value:
        return f"{name}: []{eol}"
    return f"{name}:{eol}" + "".join(f"  - {_scalar(each)}{eol}" for each in value)


def _flow(value: Property) -> str:
    return _scalar(value) if isinstance(value, str) else f"[{', '.join(map(_scalar, value))}]"


def _scalar(text: str, style: str = "") -> str:
    if style == "'":
        return "'" + text.replace("'", "''") + "'"
    return text if not style and _is_plain(text) else json.dumps(text, ensure_ascii=False)


def _is_plain(text: str) -> bool:
    """Whether YAML reads it as this text without quotes, wherever it stands."""
    import yaml

    try:
        alone, listed = yaml.safe_load(f"- {text}"), yaml.safe_load(f"[{text}]")
    except yaml.YAMLError:
        return False
    return bool(alone == listed == [text] and yaml.safe_load(f"k: {text}") == {"k": text})
