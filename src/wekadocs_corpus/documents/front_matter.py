"""What stands above a document: YAML between `---`, TOML between `+++`, or a JSON object; safe and bounded."""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime
from typing import Any, NamedTuple

from .decoding import Unreadable

LARGEST = 65_536  # characters; more is no front matter
DEEPEST = 16
MOST_VALUES = 5_000
_MOST_DOTS = 256  # in a line of TOML: each may be a table in a table, for which its reader takes memory by the square
_OPENING = re.compile(r"(---|\+\+\+)(?:[ \t]*(?:yaml|toml|json))?[ \t]*(\r\n|\n|\r)", re.I)
_CLOSING = {
    "---": re.compile(r"(?<![^\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)"),
    "+++": re.compile(r"(?<![^\r\n])\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)"),
}
_PAIR = re.compile(r"^([A-Za-z_][\w .-]{0,60}):(?:[ \t]+(.*))?$", re.M)


class FrontMatter(NamedTuple):
    values: dict[str, object]
    end: int  # where the document proper begins; 0 = there is none


NONE = FrontMatter({}, 0)
_NESTING = (dict, list, tuple, set, frozenset)
_TOO_DEEP = f"its front matter is nested more than {DEEPEST} deep"
_TOO_MUCH = f"its front matter has more than {MOST_VALUES:,} values"


def read_front_matter(text: str) -> FrontMatter:
    """The values and where they end; a rule at the top of a document is no front matter."""
    if text.startswith("{"):
        return _json(text)
    opening = _OPENING.match(text)
    if not opening:
        return NONE
    end = _CLOSING[opening[1]].search(text[: opening.end() + LARGEST], opening.end())
    if not end:
        return NONE
    inside = text[opening.end() : end.start()]
    values = _toml(inside) if opening[1] == "+++" else _yaml(inside)
    if values is None:
        return NONE
    return FrontMatter(values, end.end())


def _yaml(inside: str) -> dict[str, object] | None:
    try:
        loaded = _load_yaml(inside)
    except Unreadable:
        raise
    except Exception:  # whatever a hostile or sloppy file makes the parser raise
        loaded = dict(_PAIR.findall(inside)) or None
        return None if loaded is None else _plain_dict({key: value.strip("\"' ") for key, value in loaded.items()})
    if loaded is None:
        return {}
    return _plain_dict(loaded) if isinstance(loaded, dict) else None


def _load_yaml(inside: str) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = values = 0
    # Looked through before anything is built: deep nesting would overflow the C stack, aliases would multiply.
    for event in yaml.parse(inside, Loader=loader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("aliases are refused")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.ScalarEvent)
        _bound(depth, values // 2)  # a key and what it says are two
    return yaml.load(inside, Loader=loader)  # noqa: S506  # it is the safe loader, in C where there is one


def _toml(inside: str) -> dict[str, object] | None:
    import tomllib

    if any(line.count(".") > _MOST_DOTS for line in inside.splitlines()):
        raise Unreadable(_TOO_DEEP)
    try:
        loaded = tomllib.loads(inside.replace("\r\n", "\n"))
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    except ValueError:
        return None
    return _plain_dict(loaded)


def _json(text: str) -> FrontMatter:
    try:
        loaded, end = json.JSONDecoder().raw_decode(text[:LARGEST])
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    except ValueError:
        return NONE
    line = re.compile(r"[ \t]*(?:\r\n|\n|\r|$)").match(text, end)
    return FrontMatter(_plain_dict(loaded), line.end()) if line and isinstance(loaded, dict) else NONE


def _plain_dict(loaded: dict[Any, Any]) -> dict[str, object]:
    """What JSON can say, if it is not too much."""
    _measure(loaded)
    return {_words(str(key)): _plain(value) for key, value in loaded.items()}


def _measure(loaded: object) -> None:
    """Level by level: a value may be nested deeper than calls may be."""
    depth, values, level = 0, 0, [loaded]
    while level:
        inside = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, _NESTING)]
        level = [value for each in inside for value in each]
        depth, values = depth + bool(inside), values + len(level)
        _bound(depth, values)


def _bound(depth: int, values: int) -> None:
    if depth > DEEPEST:
        raise Unreadable(_TOO_DEEP)
    if values > MOST_VALUES:
        raise Unreadable(_TOO_MUCH)


def _plain(value: object) -> object:
    """Dates become ISO text."""
    if isinstance(value, dict):
        return {_words(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, _NESTING):
        return [_plain(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < 2**63):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _words(value if isinstance(value, str) else repr(value)[:1000])


def _words(text: str) -> str:
    """Without lone surrogates, which JSON and YAML can spell, and without NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "�")
