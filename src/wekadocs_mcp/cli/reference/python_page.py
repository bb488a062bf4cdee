"""The reference page of the Python names that plugins and their tests use, rendered from the code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from wekadocs_contracts.docs.schema_rows import MADE

_MODULES = ("wekadocs_mcp", "wekadocs_mcp.testing")
_HANDED = ("Call", "Client", "Context")  # made by the host: only what they offer is of interest
_WIDE = 100
_PARAMETER = re.compile(r", (?=[\w*]+(?::|,|$))")
_ABOUT = """\
Signatures and meanings; [recipes](../how-to/handler-recipes.md) show them at work. Paths that are passed to these
functions are relative to the current folder, and so are relative paths in a `config` that is passed as data; in a file
they are relative to the file that says them ([tools.yaml](tools-yaml.md), [plugins' settings](plugin-settings.md))."""


def python_page() -> str:
    lines = ["# Python names", "", MADE, "", *_ABOUT.splitlines(), ""]
    for module in _MODULES:
        lines += [f"## `from {module} import …`", ""]
        found = import_module(module)
        for name in (each for each in found.__all__ if not each.startswith("__")):
            lines += _entry(name, getattr(found, name))
    return "\n".join(lines).rstrip() + "\n"


def _entry(name: str, value: object) -> Iterator[str]:
    yield from (f"### `{name}`", "")
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        yield from ("Marks a function as the implementation of a [hook](hooks.md).", "")
        return
    if name not in _HANDED and (inspect.isfunction(value) or "__init__" in vars(value)):
        yield from ("```python", f"{name}{_wrapped(_signature(value))}", "```", "")
    if value.__doc__ and not value.__doc__.startswith(f"{name}("):  # a dataclass without words has its signature there
        yield from (*inspect.cleandoc(value.__doc__).splitlines(), "")
    if name in _HANDED:
        yield from (*_offered(value), "")


def _offered(kind: object) -> Iterator[str]:
    for name, member in sorted(vars(kind).items()):
        words = " ".join((inspect.getdoc(member) or "").split())
        if not name.startswith("_") and inspect.isfunction(member):
            yield f"- `{name}{_signature(member, method=True)}`{f': {words}' if words else ''}"


def _wrapped(signature: str) -> str:
    """One parameter a line where a line would not hold them."""
    if len(signature) <= _WIDE:
        return signature
    inner, _, after = signature[1:].rpartition(")")
    return "(\n    " + ",\n    ".join(_PARAMETER.split(inner)) + f",\n){after}"


def _signature(function: Any, *, method: bool = False) -> str:
    """As it is written: annotations are text here, which `str(signature)` would put in quotes."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(…)"
    parameters = list(signature.parameters.values())[1 if method else 0 :]
    bare = [
        each.replace(annotation=_Written(each.annotation)) if each.annotation is not each.empty else each
        for each in parameters
    ]
    returned = signature.return_annotation
    after = signature.empty if returned is signature.empty or inspect.isclass(function) else _Written(returned)
    return str(signature.replace(parameters=bare, return_annotation=after)).replace("<factory>", "…")


class _Written:
    """An annotation that shows itself as the code has it."""

    def __init__(self, annotation: object) -> None:
        self._text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)

    def __repr__(self) -> str:
        return self._text
