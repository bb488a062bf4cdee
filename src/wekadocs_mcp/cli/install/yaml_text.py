"""A YAML file changed in one mapping; every other line stays."""

from __future__ import annotations

import json
from typing import Any

import yaml


def parsed(text: str) -> Any:
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    return {} if data is None else data


def snippet(place: str, name: str, entry: dict[str, object]) -> str:
    return "\n".join([f"{place}:", *_rows(name, entry, "  ")])


def with_entry(text: str, place: str, name: str, entry: dict[str, object]) -> str:
    if place not in parsed(text):
        gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
        return text + gap + snippet(place, name, entry) + "\n"
    key, servers = _child(_root(text), place)
    if not parsed(text)[place]:
        return _first(text, key, servers, _rows(name, entry, "  "))
    _block(servers, place)
    if name not in parsed(text)[place]:
        return _inserted(text, _end_line(servers), _rows(name, entry, " " * servers.value[0][0].start_mark.column))
    for inner, value in entry.items():
        text = _put(text, place, name, inner, value)
    return text


def without(text: str, place: str, name: str) -> str:
    key, servers = _child(_root(text), place)
    _block(servers, place)
    own, value = _child(servers, name)
    lines = text.splitlines(keepends=True)
    del lines[own.start_mark.line : _end_line(value)]
    if len(servers.value) == 1:
        at = key.end_mark.column + 1
        line = lines[key.start_mark.line]
        lines[key.start_mark.line] = f"{line[:at]} {{}}{line[at:]}"
    return "".join(lines)


def _put(text: str, place: str, name: str, key: str, value: object) -> str:
    entry = _child(_child(_root(text), place)[1], name)[1]
    _block(entry, name)
    if key not in parsed(text)[place][name]:
        return _inserted(text, _end_line(entry), [" " * entry.value[0][0].start_mark.column + _said(key, value)])
    if parsed(text)[place][name][key] == value:
        return text
    node = _child(entry, key)[1]
    start, end = node.start_mark.index, _last(node).end_mark.index
    if "#" in text[start:end]:
        raise ValueError(f"there may be a comment in `{key}`, which would be lost")
    return text[:start] + json.dumps(value, ensure_ascii=False) + text[end:]


def _first(text: str, key: yaml.Node, servers: yaml.Node, rows: list[str]) -> str:
    """The first entry of a mapping that is empty: nothing at all, or {}."""
    line = key.start_mark.line
    if servers.start_mark.index != servers.end_mark.index:
        text = text[: servers.start_mark.index].rstrip(" ") + text[servers.end_mark.index :]
    return _inserted(text, line + 1, rows)


def _inserted(text: str, line: int, rows: list[str]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    lines[line:line] = [row + newline for row in rows]
    return "".join(lines)


def _root(text: str) -> yaml.MappingNode:
    found = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(found, yaml.MappingNode):
        raise ValueError("it is no mapping")
    return found


def _child(node: yaml.Node, name: str) -> tuple[yaml.Node, Any]:
    for key, value in node.value:
        if key.value == name:
            return key, value
    raise ValueError(f"`{name}` comes from elsewhere in the file")


def _block(node: yaml.Node, name: str) -> None:
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        raise ValueError(f"`{name}` is not written line by line")


def _last(node: yaml.Node) -> yaml.Node:
    """What stands last in it: a block ends only where the next begins, comments between them."""
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        final = node.value[-1]
        return _last(final[1] if isinstance(final, tuple) else final)
    return node


def _end_line(node: yaml.Node) -> int:
    mark = _last(node).end_mark
    return mark.line if mark.column == 0 else mark.line + 1


def _rows(name: str, entry: dict[str, object], indent: str) -> list[str]:
    return [f"{indent}{_word(name)}:", *(f"{indent}  {_said(key, value)}" for key, value in entry.items())]


def _said(key: str, value: object) -> str:
    return f"{key}: {json.dumps(value, ensure_ascii=False)}"


def _word(name: str) -> str:
    return name if yaml.safe_load(name) == name else json.dumps(name)  # `yes` is no word in YAML
