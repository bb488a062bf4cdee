"""The smallest value that still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wekadocs_contracts.diff.proof.budget import Budget


def shrink(value: object, still: Callable[[object], bool], budget: Budget) -> Any:
    """Drops parts and shortens texts, one at a time, for as long as `still` holds."""
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(value):
            if not budget.spend():
                return value
            if still(smaller):
                value, progress = smaller, True
                break
    return value


def _smaller(value: object) -> Iterator[Any]:
    if isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
        for key, item in value.items():
            yield from ({**value, key: inner} for inner in _smaller(item))
    elif isinstance(value, list):
        for length in (0, len(value) // 2):
            if length < len(value) - 1:
                yield value[:length]
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            yield from ([*value[:index], inner, *value[index + 1 :]] for inner in _smaller(item))
    elif isinstance(value, str) and len(value) > 24:
        yield from (value[:length] for length in (len(value) // 2, len(value) - 1))
