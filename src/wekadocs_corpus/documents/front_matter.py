"""What stands above a document: YAML between `---`, TOML between `+++`, or a JSON object; safe and bounded."""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime
from typing import Any, NamedTuple

LARGEST = 65_536  # characters; more is no front matter
DEEPEST = 16
_OPENING = re.compile(r"(---|\+\+\+)(?:[ \t]*(?:yaml|toml|json))?[ \t]*(\r\n|\n|\r)", re.I)
_CLOSING = {
    "---": re.compile(r"(?<![^\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)"),
    "+++": re.compile(r"(?<![^\r\n])\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)"),
}
_PAIR = re.compile(r"^([A-Za-z_][\w .-]{0,60}):(?:[ \t]+(.*?))?[ \t]*$", re.M)


class FrontMatter(NamedTuple):
    values: dict[str, object]
    end: int  # where the document proper begins; 0 = there is none


NONE = FrontMatter({}, 0)


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
    except Exception:  # whatever a hostile or sloppy file makes the parser raise
        loaded = dict(_PAIR.findall(inside)) or None
        return None if loaded is None else _plain_dict({key: value.strip("\"' ") for key, value in loaded.items()})
    if loaded is None:
        return {}
    return _plain_dict(loaded) if isinstance(loaded, dict) else None


def _load_yaml(inside: str) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    depth = 0
    # Looked through before anything is built: deep nesting would overflow the C stack, aliases would multiply.
    for event in yaml.parse(inside, Loader=loader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("aliases are refused")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
    return yaml.load(inside, Loader=loader)  # noqa: S506  # it is the safe loader, in C where there is one


def _toml(inside: str) -> dict[str, object] | None:
    import tomllib

    try:
        return _plain_dict(tomllib.loads(inside.replace("\r\n", "\n")))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None


def _json(text: str) -> FrontMatter:
    try:
        loaded, end = json.JSONDecoder().raw_decode(text[:LARGEST])
    except (RecursionError, ValueError):
        return NONE
    line = re.compile(r"[ \t]*(?:\r\n|\n|\r|$)").match(text, end)
    return FrontMatter(_plain_dict(loaded), line.end()) if line and isinstance(loaded, dict) else NONE


def _plain_dict(loaded: dict[Any, Any], depth: int = 0) -> dict[str, object]:
    return {_words(str(key)): _plain(value, depth + 1) for key, value in loaded.items()}


def _plain(value: object, depth: int) -> object:
    """What JSON can say; dates become ISO text."""
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        return _plain_dict(value, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, depth + 1) for each in value]
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
