"""`format` as a check, spelled out with keywords that the proof knows; and patterns that not every engine can read.

Validators differ in what they take for an e-mail address. So a value counts as one of a format only if everybody
takes it (`values`), and is refused for it only if everybody refuses it (`judge`): no call is shown that some accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

from wekadocs_contracts.diff.proof.strings.portable import portable

Side = Literal["values", "judge"]
_DATA = ("enum", "const", "default", "examples")
_HEX = "[0-9a-fA-F]"
_DAY = r"\d{4}-(0[1-9]|1[0-2])-"
_CLOCK = r"([01]\d|2[0-3]):[0-5]\d"
_BYTE = r"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_SAME = ""
# what everybody takes for one → what somebody may take for one; where there is only one, all agree
_TEXTS: dict[str, tuple[str, str]] = {
    "uuid": (
        f"^{_HEX}{{8}}-{_HEX}{{4}}-[1-5]{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}$",
        f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",
    ),
    "date": (rf"^{_DAY}(0[1-9]|1\d|2[0-8])$", rf"^{_DAY}(0[1-9]|[12]\d|3[01])$"),
    "time": (rf"^{_CLOCK}:[0-5]\dZ$", r"^\d\d:\d\d(:\d\d)?([.,]\d+)?([zZ]|[+-]\d\d:?\d\d)?$"),
    "date-time": (
        rf"^{_DAY}(0[1-9]|1\d|2[0-8])T{_CLOCK}:[0-5]\dZ$",
        rf"^{_DAY}(0[1-9]|[12]\d|3[01])[Tt ]\d\d:\d\d(:\d\d)?([.,]\d+)?([zZ]|[+-]\d\d:?\d\d)?$",
    ),
    "duration": (r"^P(\d{1,4}D|T\d{1,4}[HMS])$", r"^[+-]?P\S+$"),
    "email": (r"^[a-z0-9]+(\.[a-z0-9]+)*@[a-z0-9]+(\.[a-z0-9]+)*\.[a-z]{2,6}$", r"^\S.*@.*\S$"),
    "hostname": (r"^[a-z][a-z0-9]{0,20}(\.[a-z][a-z0-9]{0,20}){0,2}\.[a-z]{2,6}$", r"^[A-Za-z0-9_.-]+$"),
    "ipv4": (rf"^({_BYTE}\.){{3}}{_BYTE}$", _SAME),
    "ipv6": (r"^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$", r"^[0-9a-fA-F:.]+(%\S+)?$"),
    "uri": (r"^https?://[a-z0-9]+(\.[a-z0-9]+)+(/[a-z0-9]*)*$", r"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"),
    "url": (r"^https?://[a-z0-9]+(\.[a-z0-9]+)+(/[a-z0-9]*)*$", r"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"),
    "uri-reference": (r"^(/[a-z0-9]+)+$", r"^\S*$"),
    "json-pointer": (r"^(/([^~/]|~[01])*)*$", _SAME),
}
_BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_NUMBERS = {name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in _BITS.items()}
_NUMBERS |= {f"u{name}": (0, 2**bits - 1) for name, bits in _BITS.items()}


def is_known(name: object) -> bool:
    """Whether anybody checks it; of any other format nobody does."""
    return name in _TEXTS or name in _NUMBERS


def asserted(schema: object, side: Side, *, formats: bool) -> Any:
    """The schema with its formats as checks, if they are any, and its patterns as every engine reads them."""
    if '"format"' not in (text := repr(schema).replace("'", '"')) and '"pattern' not in text:
        return schema
    return _spelled(schema, lambda name: _check(name, side) if formats else None)


def _spelled(node: object, check: Callable[[str], Mapping[str, Any] | None]) -> Any:
    if isinstance(node, list):
        return [_spelled(each, check) for each in node]
    if not isinstance(node, dict):
        return node
    out = {key: each if key in _DATA else _value(key, each, check) for key, each in node.items()}
    name = node.get("format")
    found = check(name) if isinstance(name, str) else None
    if found:
        also = out.get("allOf")
        out["allOf"] = [*(also if isinstance(also, list) else []), dict(found)]
    return out


def _value(key: str, each: object, check: Callable[[str], Mapping[str, Any] | None]) -> Any:
    if key == "pattern" and isinstance(each, str):
        return portable(each)
    if key == "patternProperties" and isinstance(each, dict):
        return {portable(text): _spelled(part, check) for text, part in each.items()}
    if key in ("properties", "$defs", "definitions", "dependentSchemas") and isinstance(each, dict):
        return {name: _spelled(part, check) for name, part in each.items()}
    return _spelled(each, check)


@cache
def _check(name: str, side: Side) -> dict[str, Any] | None:
    if name in _NUMBERS:
        low, high = _NUMBERS[name]
        return {"minimum": low, "maximum": high}
    if name not in _TEXTS:
        return None
    strict, loose = _TEXTS[name]
    return {"pattern": re.sub(r"\\d", "[0-9]", strict if side == "values" or not loose else loose)}
