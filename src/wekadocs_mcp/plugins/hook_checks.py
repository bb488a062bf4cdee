"""What hooks hand over, looked at before it is used: one plugin's slip must not spoil every call."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence

from wekadocs_contracts.problems import Problem

from .binding import where
from .importing import Plugin

_METRIC = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


def problems(plugins: Sequence[Plugin]) -> Iterator[Problem]:
    for plugin in plugins:
        place = f"plugin {plugin.name}"
        yield from _aliases(plugin, place)
        yield from _interceptors(plugin, place)
        yield from _contracts(plugin, place)
        yield from _metrics(plugin, place)
        yield from _checks(plugin, place)


def _aliases(plugin: Plugin, place: str) -> Iterator[Problem]:
    for alias, name in list(plugin.aliases.items()):
        if not isinstance(alias, str) or not isinstance(name, str):
            del plugin.aliases[alias]
            message = f"register_aliases maps {type(alias).__name__} {alias!r} to {type(name).__name__} {name!r}"
            yield Problem(place, message, "map names to names: {'old_name': 'contract.name'}")


def _interceptors(plugin: Plugin, place: str) -> Iterator[Problem]:
    hint = "write: async def note(call, proceed): return await proceed(call)"
    for each in list(plugin.interceptors):
        if not callable(each):
            plugin.interceptors.remove(each)
            yield Problem(place, f"register_interceptors returned a {type(each).__name__}, not a function", hint)
        elif not _takes(each, 2):
            plugin.interceptors.remove(each)
            yield Problem(where(each), "an interceptor is called with two arguments, call and proceed", hint)


def _takes(function: Callable[..., object], count: int) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True  # written in C: nobody can tell
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _contracts(plugin: Plugin, place: str) -> Iterator[Problem]:
    for path in plugin.contracts:
        if not path.exists():
            hint = "name a folder of contracts or a file, such as Path(__file__).parent / 'more'"
            yield Problem(place, f"register_contracts names {path}, which does not exist", hint)


def _metrics(plugin: Plugin, place: str) -> Iterator[Problem]:
    hint = "return {'memos': ('Memos kept.', len)}; names are letters, digits and underscores"
    for name, value in list(plugin.metrics.items()):
        named = isinstance(name, str) and _METRIC.fullmatch(name)
        if not named or not isinstance(value, tuple) or len(value) != 2 or not callable(value[1]):
            del plugin.metrics[name]
            yield Problem(place, f"register_metrics: {name!r} is no metric", hint)


def _checks(plugin: Plugin, place: str) -> Iterator[Problem]:
    for name, check in list(plugin.health_checks.items()):
        if not callable(check) or not _takes(check, 1):
            del plugin.health_checks[name]
            hint = "return {'name': check}, where check(state) returns a note, findings or None"
            yield Problem(place, f"register_health_checks: `{name}` is no function of the plugin's state", hint)
