"""The SDK's server without its HTTP side, which brings Starlette, uvicorn and click: an eighth of the start on stdio.

The server names these things in annotations and in the method that makes an HTTP app, nowhere else. So its imports of
them get stand-ins; the first call of one imports them all and puts them in place.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import wraps
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

_SERVER = "mcp.server.lowlevel.server"
_LATER = frozenset(
    {
        "mcp.server.auth.middleware.auth_context",
        "mcp.server.auth.middleware.bearer_auth",
        "mcp.server.auth.provider",
        "mcp.server.auth.routes",
        "mcp.server.auth.settings",
        "mcp.server.streamable_http",
        "mcp.server.streamable_http_manager",
        "mcp.server.transport_security",
        "starlette.applications",
        "starlette.middleware",
        "starlette.middleware.authentication",
        "starlette.routing",
    }
)


class StandIn:
    """A name that the server imported, until somebody calls it."""

    def __init__(self, home: ModuleType, module: str, name: str) -> None:
        self._home, self._module, self._name = home, module, name

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        _put_in_place(self._home)
        return self.real()(*arguments, **named)

    def __mro_entries__(self, bases: object) -> Any:
        raise TypeError(f"{self._name} is not imported yet")

    def real(self) -> Any:
        return getattr(importlib.import_module(self._module), self._name)


def _real(value: object) -> Any:
    return value.real() if isinstance(value, StandIn) else value


def _put_in_place(home: ModuleType) -> None:
    for each, value in list(vars(home).items()):
        setattr(home, each, _real(value))


def _with_real_defaults(home: ModuleType) -> None:
    """Whose method has one as the default of an argument gets what it stands for, before the method runs."""
    for owner in [each for each in vars(home).values() if isinstance(each, type)]:
        for name, function in list(vars(owner).items()):
            defaults = getattr(function, "__kwdefaults__", None) or {}
            if any(isinstance(each, StandIn) for each in defaults.values()):
                setattr(owner, name, _prepared(home, function))


def _prepared(home: ModuleType, function: FunctionType) -> Callable[..., object]:
    @wraps(function)
    def prepared(*arguments: object, **named: object) -> object:
        _put_in_place(home)
        function.__kwdefaults__ = {each: _real(value) for each, value in (function.__kwdefaults__ or {}).items()}
        return function(*arguments, **named)

    return prepared


class _Loader:
    """Runs the server's module with an import statement of its own."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def create_module(self, _: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        def lightly(name: str, given: Any = None, local: Any = None, names: Any = (), level: int = 0) -> Any:
            if name in _LATER and names and not level:
                return SimpleNamespace(**{each: StandIn(module, name, each) for each in names})
            return builtins.__import__(name, given, local, names, level)

        before = dict(vars(module))
        try:
            vars(module)["__builtins__"] = {**vars(builtins), "__import__": lightly}
            self._real.exec_module(module)
            vars(module)["__builtins__"] = vars(builtins)
            _with_real_defaults(module)
        except Exception:  # another release of the SDK may need one of them at once
            vars(module).clear()
            vars(module).update(before)
            self._real.exec_module(module)


class _Finder:
    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        if name != _SERVER:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            spec.loader = _Loader(spec.loader)  # type: ignore[assignment]
        return spec


def leave_http_for_later() -> None:
    """For the import of the SDK's server that follows; does nothing where it is imported already."""
    if _SERVER not in sys.modules and not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
