"""Every way a plugin can extend the host: one function, one sentence. Each is asked once, plugin by plugin."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pluggy

if TYPE_CHECKING:
    import click

    from wekadocs_mcp.calls.call import Call

    from .health import Finding
    from .lifespans import Context
    from .resources import Prompt, Resource
    from .routes import HttpRoute
    from .shared_sessions import SharedSessions
    from .shared_tasks import SharedTasks
    from .tools import Handler, Returned

PROJECT = "wekadocs_mcp"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

# Around every plugin's handlers: of a call's state it knows nothing.
Proceed: TypeAlias = "Callable[[Call[object]], Awaitable[Returned]]"
Interceptor: TypeAlias = "Callable[[Call[object], Proceed], Awaitable[Returned]]"
# `Any` is the state of the plugin that hands it over: what its own lifespan yields.
Checked: TypeAlias = "Finding | Iterable[Finding] | str | None"
HealthCheck: TypeAlias = "Callable[[Any], Checked | Awaitable[Checked]]"
Metric = Callable[[Any], float]
ClientCheck: TypeAlias = "Callable[[Any], Iterable[Finding]]"


@hookspec
def register_tools() -> Iterable[Handler]:  # type: ignore[empty-body]
    """Return the functions decorated with @tool; without this hook, those found in the module itself are taken."""


@hookspec
def lifespan(context: Context) -> AbstractAsyncContextManager[object]:  # type: ignore[empty-body]
    """Open what the tools need, yield it (it reaches handlers as `call.state`), close it; entered on first use."""


@hookspec
def register_contracts() -> Iterable[Path | str]:  # type: ignore[empty-body]
    """Return further contract files or folders, beside the package's own `contracts/` folder."""


@hookspec
def register_aliases() -> Mapping[str, str]:  # type: ignore[empty-body]
    """Return other names under which tools can be called, unlisted: {alias: contract name}."""


@hookspec
def register_interceptors() -> Iterable[Interceptor]:  # type: ignore[empty-body]
    """Return async functions (call, proceed) -> answer put around every handler; first in tools.yaml is outermost."""


@hookspec
def register_resources() -> Iterable[Resource]:  # type: ignore[empty-body]
    """Return resources and resource templates that clients can list and read."""


@hookspec
def register_prompts() -> Iterable[Prompt]:  # type: ignore[empty-body]
    """Return prompts that clients can list and get."""


@hookspec
def register_http_routes() -> Iterable[HttpRoute]:  # type: ignore[empty-body]
    """Return endpoints to serve over HTTP beside MCP, behind the same door and limits."""


@hookspec
def register_health_checks() -> Mapping[str, HealthCheck]:  # type: ignore[empty-body]
    """Return {name: check}; a check gets the plugin's state and returns a note, findings or None, or raises why not."""


@hookspec
def register_client_checks() -> Iterable[ClientCheck]:  # type: ignore[empty-body]
    """Return functions that get one server's entry of a client's configuration file and return findings about it."""


@hookspec
def register_metrics() -> Mapping[str, tuple[str, Metric]]:  # type: ignore[empty-body]
    """Return {name: (help, read)} for /metrics; `read` gets the plugin's state; names on _total are counters."""


@hookspec
def shared_sessions(context: Context) -> AbstractAsyncContextManager[SharedSessions] | None:
    """Open what keeps older clients' sessions for all servers, or return None; entered when HTTP starts."""


@hookspec
def shared_tasks(context: Context) -> AbstractAsyncContextManager[SharedTasks] | None:
    """Open what keeps tasks for all servers, or return None; entered when HTTP starts."""


@hookspec
def prepare_examples(context: Context) -> None:
    """Put what contracts' examples need into `context.data_dir`, which `contracts test` throws away afterwards."""


@hookspec
def register_commands() -> Iterable[click.Command]:  # type: ignore[empty-body]
    """Return click commands to add to `wekadocs-mcp`; their context object is the loaded Config."""
