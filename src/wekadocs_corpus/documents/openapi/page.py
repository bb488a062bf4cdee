"""The description of an API as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from wekadocs_corpus.documents.conversion.lines import Converted, Lines, converted
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.conversion.rows import table_lines
from wekadocs_corpus.documents.decoding import Unreadable

from .operations import Operation
from .places import Places
from .schemas import Json, Schemas, mapping, words

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_MOST_SCHEMAS = 2000
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*)$", re.M)
_FIELDS = ["Field", "Type", "Required", "Description"]


def convert_openapi(text: str, neighbours: Neighbours) -> Converted:
    del neighbours
    lines: Lines = []
    for part, number in _parts(_parsed(text), Places(text)):
        lines += [(line, number) for line in (*part.split("\n"), "")]
    return converted(lines)


def _parsed(text: str) -> Json:
    import yaml

    try:
        whole = json.loads(text) if text.lstrip()[:1] == "{" else yaml.load(text, yaml.CSafeLoader)
    except (ValueError, RecursionError, yaml.YAMLError):
        raise Unreadable("it is no description of an API: its JSON or YAML cannot be read") from None
    if not isinstance(whole, dict):
        raise Unreadable("it is no description of an API")
    return whole


def _parts(whole: Json, places: Places) -> Iterator[tuple[str, int]]:
    """What the page says, piece by piece, and the line of the file that each is told from."""
    schemas, info = Schemas(whole), mapping(whole.get("info"))
    title = f"# {_line(info.get('title')) or 'API'} {_line(info.get('version'))}".rstrip()
    yield from ((part, 0) for part in (title, _prose(info.get("description")), _servers(whole)))
    at = 0
    for path, item in mapping(whole.get("paths")).items():
        at = places.key(str(path), at)
        shared = schemas.resolved(item)
        for method in _METHODS:
            if isinstance(shared.get(method), dict):
                line = places.line(places.key(method, at))
                operation = Operation(method, str(path), mapping(shared[method]), shared, whole, schemas)
                yield from ((part, line) for part in _section(operation))
    named = mapping(mapping(whole.get("components")).get("schemas")) or mapping(whole.get("definitions"))
    at = places.key("schemas" if "components" in whole else "definitions")
    for name, each in islice(named.items(), _MOST_SCHEMAS):
        line = places.line(places.key(str(name), at))
        yield from ((part, line) for part in _schema(str(name), each, schemas))


def _servers(whole: Json) -> str:
    listed = whole.get("servers")
    found = [words(mapping(each).get("url")) for each in listed] if isinstance(listed, list) else []
    if words(whole.get("host")):
        found.append(f"{words(whole.get('host'))}{words(whole.get('basePath'))}")
    return f"Servers: {', '.join(f'`{each}`' for each in found if each)}" if any(found) else ""


def _section(operation: Operation) -> Iterator[str]:
    summary = _line(operation.said.get("summary"))
    yield f"## {operation.method.upper()} {_line(operation.path)}" + (f": {summary}" if summary else "")
    yield "Deprecated." if operation.said.get("deprecated") is True else ""
    yield _prose(operation.said.get("description"))
    yield operation.named()
    yield _table("Parameters:", ["Name", "In", "Type", "Required", "Description"], operation.parameters())
    for label, rows in operation.bodies():
        yield _table(label, _FIELDS, rows) or label
    yield _table("Responses:", ["Status", "Meaning", "Content"], operation.responses())
    for label, rows in operation.answers():
        yield _table(label, _FIELDS, rows)


def _schema(name: str, schema: object, schemas: Schemas) -> Iterator[str]:
    whole, rows = schemas.resolved(schema), schemas.rows(schema, own=True)
    told = _prose(whole.get("description"))
    values = whole.get("enum")
    if isinstance(values, list):
        told = f"{told}\n\nOne of {', '.join(f'`{value}`' for value in values)}.".strip()
    if rows or told:
        yield f"## Schema {_line(name)}"
        yield told
        yield _table("Fields:", _FIELDS, rows)


def _table(label: str, head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    return "\n".join([label, "", *(line for line, _ in table_lines([(head, 0), *((row, 0) for row in rows)]))])


def _line(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _prose(value: object) -> str:
    """Markdown; its headings would cut the section of an operation in pieces."""
    return _HEADING.sub(r"**\1**", words(value))
