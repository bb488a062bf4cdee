"""Which of a name's spellings is shown: the same whatever came first, wherever it was read."""

from __future__ import annotations

from collections.abc import Iterable

from wekadocs_corpus import labels

_TYPED = frozenset({"Command", "Parameter"})  # in small letters, where anybody writes them so
_LONGEST = 200


def normal(name: str) -> str:
    """As entities are called: in one line, and not without end."""
    return labels.label(" ".join(name.split())[:_LONGEST])


def shown(label: str, spellings: Iterable[str]) -> str:
    """The shortest; of those of one length one that is not shouted, with capitals, or without where people type it."""

    def order(name: str) -> tuple[int, bool, str]:
        return len(name), " " in name and name.isupper(), name.swapcase() if label in _TYPED else name

    return min(spellings, key=order)
