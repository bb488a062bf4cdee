"""What a contract promises beside its published schema: bounds, listing, failures, texts (P6 to P12)."""

from __future__ import annotations

from collections.abc import Iterator

from wekadocs_contracts.diff.model import Change, ToolSide, Verdict

from .keywords import same

_MISSING = object()


def changes(old: ToolSide, new: ToolSide) -> Iterator[Change]:
    yield from _bounds(old, new)
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
        message = f"{name}: {limit} {was if was is not None else 'none'} → {now if now is not None else 'none'}"
        yield _change(verdict, rule, f"/bounds/{name}/{limit}", message, was, now)  # type: ignore[arg-type]


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
