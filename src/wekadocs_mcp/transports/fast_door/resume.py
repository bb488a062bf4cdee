"""What stands behind the fast door: the app put together from a compiled surface, and the stdio server."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from wekadocs_contracts.format.contracts import from_plain
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.telemetry import start_logging
from wekadocs_mcp.config.deployment import Config, Options
from wekadocs_mcp.plugins.discovery import Spec

from .cache import Surface

_RECORD_WITHIN = 0.4


def prepare(surface: Surface) -> Any:
    """Everything that can be done while the client has not yet asked for more. Runs in a thread."""
    from wekadocs_mcp.transports.server import McpServer, new_process_session

    start_logging()
    plain = json.loads(surface.blob("app") or b"{}")
    config = plain["config"]
    options: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in config.pop("options").items()
    }
    config["data_dir"] = Path(config["data_dir"])
    config["plugin_paths"] = [Path(path) for path in config["plugin_paths"]]
    declared = {name: from_plain(rows) for name, rows in plain["contracts"].items()}
    specs = [Spec(**spec) for spec in plain["specs"]]
    app = App.resume(Config(**config, options=Options(**options)), specs, declared)
    return McpServer(app, new_process_session())


def serve(
    server: Any,
    descriptors: tuple[int, int],
    seen: bytes = b"",
    answered: tuple[object, ...] = (),
    meanwhile: Callable[[], Coroutine[object, object, object]] | None = None,
) -> None:
    """Serve stdio, then end the process: nothing may keep it alive, not even a handler's thread."""
    from wekadocs_mcp import ending
    from wekadocs_mcp.transports.stdio import server as stdio

    async def run() -> None:
        beside = asyncio.create_task(meanwhile()) if meanwhile is not None else None
        try:
            await stdio.serve(server, descriptors, seen, answered)
        finally:
            if beside is not None and not server.app.config.options.dev:
                # A short first visit still leaves a surface for the next one.
                await asyncio.wait([beside], timeout=_RECORD_WITHIN)
            if beside is not None:
                beside.cancel()
            await server.app.close()

    code = 0
    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        traceback.print_exc()
        code = 1
    ending.end(code)
