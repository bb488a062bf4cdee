"""Entering the MCP SDK without running its packages' `__init__` files: call `enter()` before importing from `mcp`.

They bring the client stack, FastMCP and their HTTP libraries: a fifth of the start. Whoever asks the packages for one
of their own names gets them whole, as if nothing had happened.
"""

from __future__ import annotations

import importlib.util
import sys

from .later import leave_http_for_later


def _enter_lightly(name: str) -> None:
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)

    def complete(attribute: str) -> object:
        if attribute.startswith("__") or "__getattr__" not in module.__dict__:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        del module.__dict__["__getattr__"]
        assert spec.loader is not None
        spec.loader.exec_module(module)
        return getattr(module, attribute)

    module.__dict__["__getattr__"] = complete
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


def enter() -> None:
    """Safe to repeat; does nothing where the packages are imported already."""
    _enter_lightly("mcp")
    _enter_lightly("mcp.server")
    leave_http_for_later()
