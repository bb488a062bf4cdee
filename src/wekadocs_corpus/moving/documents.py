"""Documents from one truth to another: by the sequence of changes, so that a stopped copy goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.store.errors import Refused

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

Told = Callable[[int, int], None]
_AT_ONCE = 50  # documents of one transaction
NOTE = "moved"  # in the target: whose documents it has, up to which change


def reached(source: Truth, target: Truth) -> int:
    """The change of the source that the target has; a target of its own, or of another source, is refused."""
    said = json.loads(target.note(NOTE) or "{}")
    if said.get("source") == source.id:
        return int(said["sequence"])
    if said or target.counts().documents:
        raise Refused("the target has a corpus of its own: name an empty one, nothing is mixed or overwritten")
    return 0


def copy(source: Truth, target: Truth, told: Told) -> int:
    """How many documents were written or taken out; ends when nothing is missing."""
    _settings(source, target)
    after, done = reached(source, target), 0
    total = sum(source.behind(after, project) for project in _projects(source))
    while changes := source.changes_after(after, _AT_ONCE):
        _copy(source, target, {change.document_id for change in changes if not change.deleted})
        target.delete(change.document_id for change in changes if change.deleted)
        after, done = changes[-1].sequence, done + len(changes)
        target.set_note(NOTE, json.dumps({"source": source.id, "sequence": after}))
        told(done, max(total, done))
    return done


def differing(source: Truth, target: Truth, told: Told) -> list[str]:
    """Ids of documents that are not the same on both sides, to the last byte of their text, words and vectors."""
    ids = {each for project in _projects(source) for each in source.document_ids(project)}
    others = {each for project in _projects(target) for each in target.document_ids(project)}
    wrong = sorted(ids ^ others)
    for done, some in enumerate(_parts(sorted(ids & others)), 1):
        here, there = ({row.document_id: row for row in truth.whole(some)} for truth in (source, target))
        wrong += [each for each in some if here.get(each) != there.get(each)]
        told(min(done * _AT_ONCE, len(ids)), len(ids))
    return wrong


def copy_again(source: Truth, target: Truth, ids: Sequence[str]) -> int:
    """What differs although no change tells of it, such as the times of a file that was touched; how many it was."""
    for some in _parts(list(ids)):
        there = {row.document_id for row in source.whole(some)}
        _copy(source, target, there)
        target.delete(each for each in some if each not in there)
    return len(ids)


def _copy(source: Truth, target: Truth, ids: set[str]) -> None:
    written = target.write_rows(source.whole(sorted(ids)))
    if written.again or written.refused:
        named = next(iter((*written.again, *written.refused)))
        why = written.refused.get(named, "its vectors are not there")
        raise Refused(f"document {named} cannot be stored in the target: {why}")


def _settings(source: Truth, target: Truth) -> None:
    """What documents are written with."""
    for project, binding in source.bindings().items():
        target.bind(project, binding)
    for project in _projects(source):
        target.declare(project, source.fields(project))


def _projects(truth: Truth) -> list[str]:
    return sorted({project for project, _ in truth.stamps()} | truth.bindings().keys())


def _parts(ids: list[str]) -> Iterator[list[str]]:
    yield from (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))
