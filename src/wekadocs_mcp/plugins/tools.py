"""What a plugin author writes with: `@tool`, `Answer`, `InputRequired`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from wekadocs_mcp.calls.call import Call

Returned: TypeAlias = "Mapping[str, object] | Answer | InputRequired"
# `Any`: each plugin's state is its own, and its contract says what the other arguments are.
Handler: TypeAlias = "Callable[Concatenate[Call[Any], ...], Returned | Awaitable[Returned]]"
_H = TypeVar("_H", bound="Handler")
_MARK = "__wekadocs_tool__"


class ToolMark(NamedTuple):
    name: str
    version: int | None


def tool(name: str, *, version: int | None = None) -> Callable[[_H], _H]:
    """Mark a function as the handler of the contract `name` (of major `version`, if it has several)."""

    def mark(function: _H) -> _H:
        setattr(function, _MARK, ToolMark(name, version))
        return function

    return mark


def mark_of(candidate: object) -> ToolMark | None:
    mark = getattr(candidate, _MARK, None) if callable(candidate) else None
    return mark if isinstance(mark, ToolMark) else None


@dataclass
class Answer:
    """What a handler returns when a dict is not enough.

    `data` becomes structuredContent and the text; `links` are resource links (`uri`, `name`, …) and `content` other
    content blocks, both as they stand on the wire. `warnings` are told beside the answer: as `_warnings` in it, as a
    further text where the text has no place for them, and in `meta`, which goes out as the result's `_meta`. `text` is
    what a model reads, where no template could write it: a handler that counts its tokens has written it already.
    """

    data: Mapping[str, Any] | None = None
    links: Sequence[Mapping[str, Any]] = ()
    content: Sequence[Mapping[str, Any]] = ()
    warnings: Sequence[str] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None


@dataclass
class InputRequired:
    """The tool needs something from the user before it can answer (2026-07-28: multi-round requests)."""

    requests: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    state: str | None = None
