"""What a server offers beside its tools: prompts, resources, templates, instructions, capabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wekadocs_contracts.diff.model import Change, Verdict

from .keywords import listed, mapping, same
from .sentences import word_diff

_KEYS = {"prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}


def changes(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[Change]:
    """Nothing where a side does not show it."""
    if old is None or new is None:
        return
    for kind, key in _KEYS.items():
        if kind in old and kind in new:
            yield from _entries(kind, _named(old[kind], key), _named(new[kind], key))
    yield from _capabilities(mapping(old.get("capabilities")), mapping(new.get("capabilities")))
    before, after = (str(side.get("instructions") or "") for side in (old, new))
    if before != after:
        yield _row("docs", "instructions-changed", "/instructions", f"instructions: {word_diff(before, after)}")


def _row(
    verdict: Verdict, rule: str, pointer: str, message: str, before: object = None, after: object = None
) -> Change:
    return Change("", "meta", verdict, rule, pointer, before, after, message=message)


def _named(rows: object, key: str) -> dict[str, Mapping[str, Any]]:
    return {str(row[key]): row for row in listed(rows) if isinstance(row, Mapping) and key in row}


def _entries(kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    noun = {"prompts": "prompt", "resources": "resource", "resourceTemplates": "template"}[kind]
    for name in [*old, *(each for each in new if each not in old)]:
        place = f"/{kind}/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in new:
            yield _row("breaking", "offer-removed", place, f"the {noun} {name} is gone", before=name)
        elif name not in old:
            yield _row("additive", "offer-added", place, f"a new {noun}: {name}", after=name)
        else:
            yield from _arguments(place, name, old[name], new[name])
            if not same(_words(old[name]), _words(new[name])):
                yield _row("docs", "offer-changed", place, f"the words of the {noun} {name} changed")


def _words(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in entry.items() if key not in ("arguments", "_meta")}


def _arguments(place: str, name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    before, after = (_named(side.get("arguments"), "name") for side in (old, new))
    for each in before:
        if each not in after:
            yield _row("breaking", "offer-narrowed", f"{place}/arguments", f"{name}: `{each}` is gone", before=each)
    for each, said in after.items():
        needed = said.get("required") is True and mapping(before.get(each)).get("required") is not True
        if needed:
            yield _row(
                "breaking", "offer-narrowed", f"{place}/arguments", f"{name}: `{each}` is required now", after=each
            )
        elif each not in before:
            yield _row("additive", "offer-added", f"{place}/arguments", f"{name}: `{each}` is new", after=each)


def _capabilities(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for name in sorted({*old, *new} - {"experimental"}):
        place = f"/capabilities/{name}"
        if name not in new:
            yield _row("breaking", "capability-removed", place, f"the capability {name} is gone", before=name)
        elif name not in old:
            yield _row("additive", "capability-added", place, f"a new capability: {name}", after=name)
