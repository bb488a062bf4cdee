"""What a contract promises beside its published schema: bounds, listing, failures, texts (P6 to P12)."""

from __future__ import annotations

from collections.abc import Iterator

from wekadocs_contracts.diff.model import Change, ToolSide, Verdict
from wekadocs_contracts.diff.proof.prove import prove
from wekadocs_contracts.diff.proof.unusable import UnusableSchema
from wekadocs_contracts.format.schemas import bounded

from .keywords import same
from .sentences import shown

_MISSING = object()


def changes(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    yield from _bounds(old, new)
    yield from _limits(old, new)
    yield from _error_details(old, new)
    yield from _listing(old, new)
    yield from _failure(old, new)
    yield from _texts(old, new)


def _change(verdict: Verdict, rule: str, pointer: str, message: str, before: object, after: object) -> Change:
    return Change("", "meta", verdict, rule, pointer, message=message, before=before, after=after)


def _bounds(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    before, after = ({(name, limit): value for name, limits in side.bounds.items() for limit, value in limits.items()}
                     for side in (old, new))  # fmt: skip
    for name, limit in sorted({*before, *after}):
        was, now = before.get((name, limit)), after.get((name, limit))
        if was == now:
            continue
        is_tighter = was is None if now is None or was is None else (now > was) == (limit == "minimum")
        rule, verdict = ("bound-tightened", "breaking") if is_tighter else ("bound-loosened", "additive")
        if is_tighter and _refuses_nothing(old, name, limit, now):
            rule, verdict = "bound-vacuous", "docs"
        message = f"{name}: {limit} {was if was is not None else 'none'} → {now if now is not None else 'none'}"
        yield _change(verdict, rule, f"/bounds/{name}/{limit}", message, was, now)  # type: ignore[arg-type]


def _refuses_nothing(old: ToolSide, name: str, limit: str, now: object) -> bool:
    """What the schema and the other bounds allowed is within the new bound already."""
    schema = old.wire.get("inputSchema", {})
    before = bounded(schema, old.bounds)
    after = bounded(schema, {**old.bounds, name: {**old.bounds.get(name, {}), limit: now}})  # type: ignore[dict-item]
    try:
        return same(before, after) or prove(before, after, "input").breaking is False
    except UnusableSchema:
        return False


def _limits(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    for name in sorted({*old.limits, *new.limits}):
        was, now = old.limits.get(name), new.limits.get(name)
        if was == now:
            continue
        place, message = f"/limits/{name}", f"{name}: {was or 'no limit'} → {now or 'no limit'}"
        if was is None:
            yield _change("breaking", "limit-added", place, message, was, now)
        elif now is None:
            yield _change("additive", "limit-removed", place, message, was, now)
        else:
            verdict: Verdict = "breaking" if now < was else "additive"
            yield _change(verdict, "budget-lowered" if now < was else "budget-raised", place, message, was, now)


def _error_details(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    for code in sorted({*old.error_details, *new.error_details}):
        was, now = (side.error_details.get(code, {}) for side in (old, new))
        for key in sorted({*was, *now}):
            before, after = was.get(key), now.get(key)
            if before == after:
                continue
            turned = key != "description" and None not in (before, after)
            verdict: Verdict = "breaking" if turned else "docs"
            message = f"{code}: {key} {shown(before)} → {shown(after)}"
            yield _change(verdict, "error-details-changed", f"/error_details/{code}/{key}", message, before, after)


def _listing(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.list_flag == new.list_flag:
        return
    values = (old.list_flag, new.list_flag)
    if new.list_flag is None:
        yield _change("additive", "listing-kept", "/list_flag", f"listed whatever {old.list_flag} says", *values)
    else:
        yield _change("breaking", "listing-changed", "/list_flag", f"listed only with {new.list_flag}", *values)


def _failure(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    for name in sorted({*old.failure, *new.failure}):
        was, now = old.failure.get(name, _MISSING), new.failure.get(name, _MISSING)
        place = f"/failure/{name}"
        if was is _MISSING:
            yield _change("additive", "failure-field-added", place, f"failures have `{name}` now", None, now)
        elif now is _MISSING or not same(was, now):
            shown = None if now is _MISSING else now
            message = f"failures have `{name}` no longer as it was"
            yield _change("breaking", "failure-field-changed", place, message, was, shown)


def _texts(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    if old.text_field != new.text_field:
        values = (old.text_field, new.text_field)
        was, now = (f"`{each}`" if each else "the whole answer" for each in values)
        yield _change("breaking", "text-field-changed", "/text_field", f"the text is {now}, was {was}", *values)
    if old.error_text != new.error_text:
        values = (old.error_text, new.error_text)
        moved = None in values  # the envelope is the first block, or it is the second
        verdict: Verdict = "breaking" if moved else "docs"
        message = f"failures {'begin' if new.error_text else 'no longer begin'} with a text of their own"
        told = message if moved else "the text that failures begin with"
        yield _change(verdict, "error-text-changed", "/error_text", told, *values)
