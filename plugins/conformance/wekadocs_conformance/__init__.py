"""Fixtures for the official MCP conformance suite, off until `--enable conformance`.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wekadocs_mcp import Prompt, Resource, hookimpl

from . import arguments, asking, changes, content, input_required, progress, prompts, resources, tasks


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    themes = (arguments, asking, changes, content, input_required, progress, tasks)
    return [handler for theme in themes for handler in theme.TOOLS]


@hookimpl
def register_resources() -> Sequence[Resource]:
    return resources.RESOURCES


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS
