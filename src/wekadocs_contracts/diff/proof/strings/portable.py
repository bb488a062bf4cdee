"""Patterns of ECMA-262 that Rust cannot read (`[^]`, `[^/\\0]`), written so that every engine can."""

from __future__ import annotations

from functools import cache

from . import charsets
from .regex_parser import Alt, Chars, Edge, Look, Node, Repeat, Seq, Undecided, parse


@cache
def portable(pattern: str) -> str:
    """The same pattern; unchanged where it is readable as it is, or not understood."""
    if _is_readable(pattern):
        return pattern
    try:
        return _written(parse(pattern))
    except (Undecided, RecursionError):
        return pattern


def _is_readable(pattern: str) -> bool:
    import jsonschema_rs

    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions())
    except (jsonschema_rs.ValidationError, ValueError):
        # Look-around is for the other engine, which reads it.
        return "(?=" in pattern or "(?!" in pattern or "(?<" in pattern
    return True


def _written(node: Node) -> str:
    match node:
        case Chars(chars):
            return _class(chars)
        case Seq(parts):
            return "".join(map(_written, parts))
        case Alt(options):
            return f"(?:{'|'.join(map(_written, options))})"
        case Repeat(body, least, most):
            return f"(?:{_written(body)}){{{least},{'' if most is None else most}}}"
        case Edge(kind):
            return kind if kind in "^$" else f"\\{kind}"
        case Look():
            raise Undecided("look-around")


def _class(chars: charsets.CharSet) -> str:
    if not chars:
        return "[^\\s\\S]"
    if chars == charsets.ANY:
        return "[\\s\\S]"
    return f"[{''.join(_point(low) if low == high else f'{_point(low)}-{_point(high)}' for low, high in chars)}]"


def _point(point: int) -> str:
    if chr(point).isascii() and chr(point).isalnum():
        return chr(point)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else chr(point)
