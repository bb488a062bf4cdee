"""Which projects there are: from tools.yaml and from a citeloom.toml; what each is set to, its collection's name."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from wekadocs_corpus import told_apart

_PLAIN = re.compile(r"[A-Za-z0-9_./-]+")
_IN_TOML = {"references_json": "references"}  # what the file's first reader called it


@dataclass(frozen=True)
class Project:
    """As it is set; what is stored may be bound to another model."""

    id: str
    hybrid_enabled: bool
    min_batch: int
    max_chars_per_chunk: int
    collection: str = ""
    embedding_model: str = ""  # empty: the server's own
    embedding: Mapping[str, Any] | None = None
    dimension: int = 0
    references: str = ""
    folders: tuple[str, ...] = ()
    watch: bool = False
    zotero: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Configured:
    projects: dict[str, Project]
    faults: tuple[str, ...] = ()  # for doctor


def configured(settings: Mapping[str, Any]) -> Configured:
    """Those of tools.yaml first, in its order."""
    told: dict[str, Mapping[str, Any]] = {name: given or {} for name, given in settings["projects"].items()}
    path = Path(settings["toml"])
    there, faults = _in_toml(path)
    for name, given in there.items():
        told[name] = {**given, **told.get(name, {})}
    return Configured({name: Project(name, **_known(given)) for name, given in told.items()}, tuple(faults))


def _known(given: Mapping[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(Project)} - {"id"}
    told = {name: value for name, value in {**_defaults(), **given}.items() if name in names}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in told.items()}


@cache
def _schema() -> dict[str, Any]:
    """Of the settings' projects: what tools.yaml is held to, a citeloom.toml is held to as well."""
    schema = json.loads(Path(__file__).with_name("settings.schema.json").read_text("utf-8"))
    projects: dict[str, Any] = schema["properties"]["projects"]
    return projects


def _of_one() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = _schema()["additionalProperties"]["properties"]
    return found


@cache
def _defaults() -> dict[str, Any]:
    return {name: child["default"] for name, child in _of_one().items() if "default" in child}


def _in_toml(path: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}, [] if path.name == "citeloom.toml" else [f"{path}: there is no such file (plugins.chunks.toml)"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, [f"{path}: cannot be read: {str(error).splitlines()[0]}"]
    projects, faults = {}, []
    tables = data.get("project", {})
    for name, given in tables.items() if isinstance(tables, dict) else ():
        if not isinstance(given, dict) or not _fits({"type": "string", **_schema()["propertyNames"]}, name):
            faults.append(f'{path}: [project.{name!r}] is no project: write [project."namespace/name"]')
            continue
        taken, wrong = _checked(given, path.parent)
        projects[name] = taken
        faults += [f"{path}: [project.{name!r}] {each}" for each in wrong]
    return projects, faults


def _checked(given: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], list[str]]:
    known = {name: child for name, child in _of_one().items() if child["type"] in _TYPES}
    taken: dict[str, Any] = {}
    wrong: list[str] = []
    for written, value in given.items():
        name = _IN_TOML.get(written, written)
        if name not in known:
            wrong.append(f"{written}: not understood; known: {', '.join([*known, *_IN_TOML])}")
        elif not _fits(known[name], value):
            wrong.append(f"{written}: {value!r} is not what it takes and was left out: {_wanted(known[name])}")
        else:
            taken[name] = str(folder / str(value)) if known[name].get("format") == "path" else value
    return taken, wrong


_TYPES: dict[str, type[str] | type[int] | type[bool]] = {"string": str, "integer": int, "boolean": bool}


def _fits(schema: Mapping[str, Any], value: object) -> bool:
    if type(value) is not _TYPES[schema["type"]]:
        return False
    if isinstance(value, str):
        long_enough = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return long_enough and re.search(schema.get("pattern", ""), value) is not None
    return isinstance(value, bool) or schema["minimum"] <= value <= schema["maximum"]


def _wanted(schema: Mapping[str, Any]) -> str:
    limits = [f"{name} {schema[name]}" for name in ("minimum", "maximum", "maxLength", "pattern") if name in schema]
    return ", ".join([schema["type"], *limits])


def plain_name(project: str) -> str:
    """`proj-` and the id with dashes; with its digest behind it where signs are lost."""
    name = "proj-" + re.sub(r"[^A-Za-z0-9_.-]", "-", project)
    return name if _PLAIN.fullmatch(project) else told_apart(name, project)


def collection_names(projects: Iterable[Project], stored: Mapping[str, str]) -> dict[str, str]:
    """Each project's: what is stored under a name keeps it, then who is configured with one has it, then the rest, in
    their order; who finds a name taken has its digest behind it.
    """
    owners = {name: project for project, name in stored.items()}
    names: dict[str, str] = {}
    for project in sorted(projects, key=lambda each: not each.collection):
        wanted = project.collection or stored.get(project.id) or plain_name(project.id)
        if owners.setdefault(wanted, project.id) != project.id:
            wanted = told_apart(wanted, project.id)
        names[project.id] = wanted
    return names
