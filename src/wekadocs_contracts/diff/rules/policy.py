"""Rules that no schema decides: presence, life, annotations, words, budgets, errors, aliases, headers (P6 to P14)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wekadocs_contracts.diff.model import Change, ToolSide, Verdict
from wekadocs_contracts.format.contracts import host_codes
from wekadocs_contracts.format.templates import budget_defaults
from wekadocs_text import one_line

from . import declared, generators, headers, unpublished
from .keywords import canonical, mapping, same
from .sentences import hides_something, shown, word_diff

_FRIENDLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
_COMPARED_ELSEWHERE = frozenset(
    {
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "execution",
        "icons",
        "_meta",
        "version",
    }
)


def tool_changes(old: ToolSide, new: ToolSide) -> list[Change]:
    rules: tuple[Callable[[ToolSide, ToolSide], Iterator[Change]], ...] = (
        _life, _annotations, _words, _tasks, _headers, _names, _rest,
    )  # fmt: skip
    found = [change for rule in rules for change in rule(old, new)]
    if old.carries and new.carries:
        found += [
            change
            for rule in (_flag, _aliases, _budgets, _errors, _text, unpublished.changes)
            for change in rule(old, new)
        ]
    return found


def _change(verdict: Verdict, rule: str, pointer: str, message: str, *tags: str, **values: Any) -> Change:
    return Change("", "meta", verdict, rule, pointer, message=message, tags=tags, **values)


def _life(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.status is None or new.status is None or old.status == new.status:
        return
    message = f"status {old.status} → {new.status}"
    values = {"before": old.status, "after": new.status}
    if old.status in ("stable", "deprecated") and new.status == "beta":
        yield _change("breaking", "status-weakened", "/status", message, **values)
    elif old.status == "beta" and new.status == "stable":
        yield _change("additive", "status-changed", "/status", message, **values)
    else:
        yield _change("docs", "status-changed", "/status", message, **values)


def resolved_annotations(wire: Mapping[str, object]) -> dict[str, bool]:
    """With the specification's defaults; what is read-only neither destroys nor repeats anything."""
    given = mapping(wire.get("annotations"))
    hints = {
        "readOnlyHint": given.get("readOnlyHint") is True,
        "destructiveHint": given.get("destructiveHint") is not False,
        "idempotentHint": given.get("idempotentHint") is True,
        "openWorldHint": given.get("openWorldHint") is not False,
    }
    if hints["readOnlyHint"]:
        hints.update(destructiveHint=False, idempotentHint=True)
    return hints


def _annotations(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    before, after = resolved_annotations(old.wire), resolved_annotations(new.wire)
    moved_first = before["readOnlyHint"] != after["readOnlyHint"]
    for hint, friendly in _FRIENDLY.items():
        if before[hint] == after[hint] or (moved_first and _only_follows(hint, old, new)):
            continue
        away = after[hint] is not friendly
        omitted = hint not in mapping(new.wire.get("annotations"))
        how = " (by leaving it out)" if omitted else ""
        message = f"{hint} {str(before[hint]).lower()} → {str(after[hint]).lower()}{how}"
        yield _change(
            "breaking" if away else "additive", "annotation-loosened" if away else "annotation-tightened",
            f"/annotations/{hint}", message, "security", before=before[hint], after=after[hint],
        )  # fmt: skip
    title = [mapping(side.wire.get("annotations")).get("title") for side in (old, new)]
    if not same(*title):
        yield _text_change("title-changed", "/annotations/title", *title)


def _only_follows(hint: str, old: ToolSide, new: ToolSide) -> bool:
    """destructive and idempotent mean something only where the tool writes: readOnlyHint says it all."""
    if hint not in ("destructiveHint", "idempotentHint"):
        return False
    writing = new if resolved_annotations(old.wire)["readOnlyHint"] else old
    return resolved_annotations(writing.wire)[hint] is not _FRIENDLY[hint]


def _words(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    for key, rule in (("description", "description-changed"), ("title", "title-changed")):
        before, after = old.wire.get(key), new.wire.get(key)
        if not same(before, after):
            yield generators.titled(_text_change(rule, f"/{key}", before, after), old.name, new.name)


def _text_change(rule: str, pointer: str, before: object, after: object) -> Change:
    words = word_diff(before if isinstance(before, str) else "", after if isinstance(after, str) else "")
    hidden = isinstance(after, str) and hides_something(after)
    tags = ("routing", "security") if hidden else ("routing",)
    label = f"{pointer.rsplit('/', 1)[-1]}{' (with hidden characters)' if hidden else ''}: {words}"
    return _change("docs", rule, pointer, label, *tags, before=before, after=after)


def _tasks(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    before, after = (mapping(side.wire.get("execution")).get("taskSupport", "forbidden") for side in (old, new))
    if before != after:
        verdict: Verdict = "additive" if after == "optional" else "breaking"
        message = f"taskSupport {shown(before)} → {shown(after)}"
        yield _change(verdict, "tasks-changed", "/execution/taskSupport", message, before=before, after=after)


def _headers(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    schema = new.wire.get("inputSchema")
    if headers.KEY not in canonical(schema) or same(old.wire.get("inputSchema"), schema):
        return
    reason = headers.invalid_header(schema)
    if reason and reason != headers.invalid_header(old.wire.get("inputSchema")):
        yield _change("breaking", "header-invalid", "/inputSchema", one_line(f"clients must drop this tool: {reason}"))


def _names(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    """A name that only looks like another one."""
    known = declared.names(old.wire.get("inputSchema"))
    current = declared.names(new.wire.get("inputSchema"))
    for name in sorted(current - known):
        if any(_look(name) == _look(other) and name != other for other in known | current):
            message = f"`{one_line(name)}` ({name.encode('unicode_escape').decode()}) looks like another argument"
            yield _change("docs", "confusable-name", f"/inputSchema/properties/{name}", message, "security", after=name)


def _look(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name)
    stripped = "".join(letter for letter in folded if unicodedata.category(letter) not in ("Cf", "Mn"))
    return stripped.translate(_LOOKALIKES).casefold()


# The Cyrillic and Greek letters that print like Latin ones.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁԛԝһαινορτυ", "aeopcyxijsdqwhaivoptu")


def _rest(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if not same(old.wire.get("icons"), new.wire.get("icons")):
        yield _change("docs", "icons-changed", "/icons", "icons changed")
    before, after = (mapping(mapping(each.wire.get("_meta")).get("ui")) for each in (old, new))
    if not same(before, after):
        yield _change("docs", "field-changed", "/_meta/ui", "view changed", before=before, after=after)
    for key in dict.fromkeys([*old.wire, *new.wire]):
        if key not in _COMPARED_ELSEWHERE and not same(old.wire.get(key), new.wire.get(key)):
            yield _change(
                "docs",
                "field-changed",
                f"/{key}",
                f"{one_line(key)} changed",
                before=old.wire.get(key),
                after=new.wire.get(key),
            )


def _flag(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.flag == new.flag:
        return
    values = {"before": old.flag, "after": new.flag}
    if new.flag is None:
        yield _change("additive", "flag-removed", "/flag", f"no longer behind {old.flag}", **values)
    else:
        yield _change("breaking", "flag-changed", "/flag", f"now behind the switch {new.flag}", **values)


def _aliases(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    before, after = old.argument_aliases or {}, new.argument_aliases or {}
    arguments = declared.collect(new.wire.get("inputSchema"), outright=False).paths
    for alias in dict.fromkeys([*before, *after]):
        values: dict[str, Any] = {"before": before.get(alias), "after": after.get(alias)}
        place = f"/argument_aliases/{alias}"
        if alias not in before:
            yield _change("additive", "alias-added", place, f"`{alias}` now means `{after[alias]}`", **values)
        elif alias in after and before[alias] != after[alias] and (before[alias],) in arguments:
            yield _change(
                "breaking", "alias-changed", place, f"`{alias}` meant `{before[alias]}`, now `{after[alias]}`", **values
            )
        elif alias not in after and (alias,) in arguments:
            yield _change(
                "breaking",
                "alias-changed",
                place,
                f"`{alias}` meant `{before[alias]}`, now it is an argument itself",
                **values,
            )
        elif alias not in after:
            yield _change(
                "breaking", "alias-removed", place, f"`{alias}` no longer stands for `{before[alias]}`", **values
            )


def _budgets(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    """What is silent has the published default, so writing that down changes nothing."""
    before, after = ({**budget_defaults(), **(side.budgets or {})} for side in (old, new))
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was != now:
            # Without a default it only ever allows more: request_bytes.
            lowered = now is None or (was is not None and now < was)
            told = [each if each is not None else "the server's own" for each in (was, now)]
            message = f"{name} {'lowered' if lowered else 'raised'} {told[0]} → {told[1]}"
            yield _change(
                "breaking" if lowered else "additive", "budget-lowered" if lowered else "budget-raised",
                f"/budgets/{name}", message, before=was, after=now,
            )  # fmt: skip


def _errors(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    before, after = ({*(side.errors or ()), *host_codes(side.error_codes)} for side in (old, new))
    if old.any_error != new.any_error:
        message = "any error code is possible now" if new.any_error else "the possible error codes are listed now"
        yield _change("additive", "error-added", "/errors", message, *(["warning"] if new.any_error else []))
        return
    for code in sorted(before - after):
        yield _change("breaking", "error-removed", "/errors", f"{code} removed", before=code)
    for code in sorted(after - before):
        yield _change("additive", "error-added", "/errors", f"{code} added", "warning", after=code)


def _text(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.text != new.text:
        words = word_diff(old.text or "", new.text or "")
        yield _change("docs", "text-changed", "/text", f"text: {words}", "routing", before=old.text, after=new.text)
    if old.replaced_by != new.replaced_by:
        message = f"replaced_by {old.replaced_by or 'nothing'} → {new.replaced_by or 'nothing'}"
        yield _change("docs", "field-changed", "/replaced_by", message, before=old.replaced_by, after=new.replaced_by)
