"""Versions of a product side by side: each document of one carries it, and questions may ask for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .fields import Field, OneOf, Value

if TYPE_CHECKING:
    from .model import Scope
    from .store.truth.interface import Truth

VERSION = Field("product_version", "prefix")
NEWEST, EVERY = "newest", "*"
_BEHIND = "#version="  # what a root is called by, so that a folder may hold another version next time
_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_PIECES = re.compile(r"\d+|[a-z]+")


def is_version(text: str) -> bool:
    return bool(_FORM.fullmatch(text)) and text != NEWEST


def root_of(name: str, version: str) -> str:
    return f"{name}{_BEHIND}{version}" if version else name


def split_root(root: str) -> tuple[str, str]:
    """The root as its source calls it, and the version."""
    name, _, version = root.rpartition(_BEHIND)
    return (name, version) if name else (root, "")


def newest_first(versions: Iterable[str]) -> list[str]:
    """4.10 before 4.9, 4.2 before 4.2-rc1; names without a number last."""
    return sorted(versions, key=_key, reverse=True)


def _key(version: str) -> tuple[object, ...]:
    pieces = _PIECES.findall(version.lower().removeprefix("v"))
    weighed = [(1, int(each), "") if each.isdigit() else (-1, 0, each) for each in pieces]
    return bool(pieces) and pieces[0].isdigit(), [*weighed, (0, 0, "")]


def versions_of(truth: Truth, project: str) -> list[str]:
    if all(field.name != VERSION.name for field in truth.fields(project)):
        return []
    return newest_first(str(each) for each in truth.values_beginning(project, VERSION.name, ""))


def version_asked(truth: Truth, scope: Scope, settings: Mapping[str, Any], asked: str | None) -> tuple[OneOf, ...]:
    """What a filter, or else the setting `search.version`, leaves to be found; nothing where every version is meant."""
    wanted = asked or settings.get("search", {}).get("version") or EVERY
    if wanted == EVERY:
        return ()
    if wanted == NEWEST:
        found: list[Value] = [*versions_of(truth, scope.project_id)[:1]]
        return (OneOf(VERSION.name, tuple(found)),) if found else ()
    return (OneOf(VERSION.name, (wanted,)),)
