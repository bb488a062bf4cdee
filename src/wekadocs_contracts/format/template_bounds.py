"""What a stranger's template may cost: steps, letters, and nothing that makes much out of little.

Every loop pays for its rounds before it runs them, times the size of its body; every call, join and sum pays for what
it gives; text is counted as it is put together. What pads or repeats is refused before it is done, also where jinja2
does it while it compiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MAX_SOURCE = 32_768
_MAX_MADE = 8_000_000  # letters that one filter may make
_MAX_BITS = 1024
_PER_STEP = 256  # letters that cost as much as one step
# What makes more of a text than it was given: text times arguments is looked at first.
_GROWING = ("batch", "center", "format", "indent", "join", "replace", "slice", "tojson", "wordwrap")
_PADDING = frozenset({"center", "expandtabs", "format", "format_map", "ljust", "rjust", "translate", "zfill"})
_LONG_FIELD = re.compile(r"[%{][^%{}]*(\d{4}|[*{])")


@dataclass
class Allowance:
    """What is left for one rendering."""

    steps: int
    letters: int
    weight: int  # of the whole template, which a macro or a recursive loop may run again

    def step(self, count: int) -> None:
        self.steps -= count
        if self.steps < 0:
            raise SecurityError("it takes too many steps: fewer loops, or shorter ones")

    def write(self, count: int) -> None:
        self.letters -= count
        if self.letters < 0:
            raise SecurityError("its text grows too long")


_left: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(steps: int, letters: int, source: str) -> Iterator[None]:
    token = _left.set(Allowance(steps, letters, 1 + len(source) // 8))
    try:
        yield
    finally:
        _left.reset(token)


def _pay(made: object, least: int = 1) -> Any:
    allowance = _left.get()
    if allowance is not None:
        allowance.step(least + (len(made) if isinstance(made, list | tuple | range) else _size(made) // _PER_STEP))
    return made


def _size(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return sum(_size(key) + _size(each) + 1 for key, each in value.items())
    if isinstance(value, list | tuple):
        return sum(_size(each) + 1 for each in value)
    return len(value) if isinstance(value, range) else 8


def _refuse_growth(value: object, arguments: Iterable[object]) -> None:
    factor = 1 + sum(abs(each) if isinstance(each, int | float) else _size(each) for each in arguments)
    if (_size(value) + 1) * factor > _MAX_MADE:
        raise SecurityError("it would make too long a text")


def _refuse_fields(template: object, arguments: Iterable[object]) -> None:
    if isinstance(template, str) and _LONG_FIELD.search(template):
        raise SecurityError("a field of more than 999 characters is not available in contract templates")
    _refuse_growth(template, arguments)


def _guarded(name: str, function: Callable[..., object]) -> Callable[..., Any]:
    """The same filter, once it is known how much it would make."""
    takes_environment = hasattr(function, "jinja_pass_arg")

    def guarded(*given: Any, **named: Any) -> Any:
        first, value, rest = (given[0], given[1], given[2:]) if takes_environment else (None, given[0], given[1:])
        if not isinstance(value, str | bytes | Mapping | list | tuple | range) and isinstance(value, Iterable):
            value = list(value)
        (_refuse_fields if name == "format" else _refuse_growth)(value, [*rest, *named.values()])
        return _pay(function(first, value, *rest, **named) if takes_environment else function(value, *rest, **named))

    for mark in ("jinja_pass_arg", "jinja_async_variant"):
        if hasattr(function, mark):
            setattr(guarded, mark, getattr(function, mark))
    return guarded


def _each(iterable: Any, weight: int) -> Any:
    """A loop's rounds, paid for before it runs them where their number is known."""
    allowance = _left.get()
    if allowance is None:
        return iterable
    if hasattr(type(iterable), "__len__"):
        allowance.step(len(iterable) * weight)
        return iterable
    return _counted(iterable, weight, allowance)


def _counted(iterable: Any, weight: int, allowance: Allowance) -> Iterator[Any]:
    for each in iterable:
        allowance.step(weight)
        yield each


def _joined(parts: list[object]) -> str:
    return str(_pay("".join(map(str, parts)))) if sum(map(_size, parts)) <= _MAX_MADE else _too_long()


def _too_long() -> str:
    raise SecurityError("it would make too long a text")


def _written(pieces: Iterable[str]) -> str:
    allowance = _left.get()
    if allowance is None:
        return "".join(pieces)
    kept = []
    for piece in pieces:
        allowance.write(len(piece))
        kept.append(piece)
    return "".join(kept)


class _Metered(NodeTransformer):
    """The same template, with its loops and joins paid for."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        weight = sum(1 for _ in node.find_all(nodes.Node))
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "_each", [nodes.Const(weight)], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "_joined", [], [], None, None, lineno=node.lineno)


def _thousands(number: object) -> str:
    """12,340: as people write large numbers."""
    return f"{number:,}" if isinstance(number, int | float) else str(number)


class Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"+", "*", "**", "%"})
    concat = staticmethod(_written)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.globals.pop("lipsum", None)
        self.filters.pop("urlize", None)
        self.filters.update({name: _guarded(name, self.filters[name]) for name in _GROWING})
        self.filters.update(_each=_each, _joined=_joined, thousands=_thousands)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > MAX_SOURCE:
            raise SecurityError(f"{len(source)} characters are more than the {MAX_SOURCE} of a template")
        metered: nodes.Template = _Metered().visit(super()._parse(source, name, filename))
        return metered

    def wrap_str_format(self, value: object) -> None:  # noqa: ARG002 - jinja2's
        return None  # str.format is refused with what else pads

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        pads = isinstance(obj, str | bytes) and attr in _PADDING
        return not pads and super().is_safe_attribute(obj, attr, value)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        allowance = _left.get()
        weight = allowance.weight if allowance is not None and isinstance(__obj, Macro | LoopContext) else 1
        if isinstance(__obj, LoopContext):
            args = (_each(args[0], weight), *args[1:]) if args else args
        owner = getattr(__obj, "__self__", None)
        if isinstance(owner, str) and __obj.__name__ in _GROWING:
            _refuse_growth(owner, args)
        return _pay(super().call(__context, __obj, *args, **kwargs), weight)

    def call_binop(self, context: object, operator: str, left: object, right: object) -> Any:  # noqa: ARG002 - jinja2's
        numbers = all(isinstance(side, int | float) for side in (left, right))
        if operator == "**" or (operator == "*" and not numbers):
            raise SecurityError(f"{operator} is not available in contract templates")
        if operator == "%" and not numbers:
            _refuse_fields(left, [right])
        made = self.binop_table[operator](left, right)
        if isinstance(made, int) and made.bit_length() > _MAX_BITS:
            raise SecurityError("a number grows too large")
        if _size(made) > _MAX_MADE:
            _too_long()
        return _pay(made)
