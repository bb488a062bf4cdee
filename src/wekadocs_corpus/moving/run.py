"""A whole corpus to another truth, while servers answer from it: copied, compared, and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.configured import has_truth, open_truth
from wekadocs_corpus.store.errors import Refused

from . import collections, documents

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

Progress = Callable[[str, int, int], None]
_SCHEMES = ("postgresql://", "postgres://")
_ROUNDS = 5  # a source that changes all the time is caught up with in a few


@dataclass(frozen=True)
class Moved:
    """What the target has, and what was done for it."""

    documents: int
    chunks: int
    collections: int  # chunks of collections
    copied: int  # documents of this run; 0 where it was done before
    compared: int  # documents that are the same on both sides, byte by byte


def move(
    data_dir: Path, settings: Mapping[str, Any], to: str, progress: Progress = lambda *_: None, *, dry: bool = False
) -> Moved:
    """From the configured truth to another one: a database's address, or a data directory."""
    if not has_truth(data_dir, settings):
        raise Refused(f"{data_dir}: nothing is kept there yet; name another with --data")
    source = open_truth(data_dir, settings)
    try:
        if dry:
            return _counted(source)
        target = _target(data_dir, settings, to)
        try:
            return _move(source, target, progress)
        finally:
            target.close()
    finally:
        source.close()


def _target(data_dir: Path, settings: Mapping[str, Any], to: str) -> Truth:
    if to.startswith(_SCHEMES):
        return open_truth(data_dir, {**settings, "truth": {**(settings.get("truth") or {}), "url": to}})
    if "://" in to:
        raise Refused("--to is a data directory or an address that begins with postgresql://")
    return open_truth(Path(to))


def _move(source: Truth, target: Truth, progress: Progress) -> Moved:
    if source.id == target.id:
        raise Refused("--to names the corpus that is to be copied")
    copied = 0
    for _ in range(_ROUNDS):
        copied += documents.copy(source, target, lambda done, total: progress("copy", done, total))
        chunks = collections.copy(source, target)
        other = documents.differing(source, target, lambda done, total: progress("compare", done, total))
        wrong = [*other, *collections.differing(source, target)]
        if not wrong:
            counts = target.counts()
            target.settle()
            return Moved(counts.documents, counts.chunks, chunks, copied, counts.documents)
        copied += documents.copy_again(source, target, other)
    named = f"{len(wrong):,} documents or collections still differ, {wrong[0]} first"
    raise Refused(f"{named}: they change faster than they are copied; run it again when nobody ingests")


def _counted(source: Truth) -> Moved:
    counts = source.counts()
    with source.collection_tables().view() as view:
        chunks = sum(view.size(row.number) for row in view.collections())
    return Moved(counts.documents, counts.chunks, chunks, 0, 0)
