"""Hot reload for --dev: a changed or added contract or drop-in is served without a restart.

Files are looked at a few times a second: that works on every file system, and only developers pay for it.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import Any

from wekadocs_contracts.problems import StartError
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.transports.fast_door import cache, surface

from .server import McpServer

log = logging.getLogger("wekadocs.reload")
_EVERY = 0.2
_KEPT = "\n\nThe last good version is still served."


async def watch(server: McpServer) -> None:
    """Rebuild on every change; a broken edit keeps the last good version and shows what is wrong."""
    seen = _state(server)
    retiring: set[asyncio.Task[None]] = set()
    while True:
        await asyncio.sleep(_EVERY)
        now = await asyncio.to_thread(_state, server)
        if now == seen:
            continue
        seen = now
        old = server.app
        try:
            await _reload(server)
        except StartError as error:
            _say(f"{error}{_KEPT}")
        except Exception:
            # A file that vanished while it was read, say: the next look finds it as it is then.
            log.exception("the reload failed%s", _KEPT)
        if server.app is not old:
            task = asyncio.create_task(_retire(old))
            retiring.add(task)
            task.add_done_callback(retiring.discard)


def _state(server: McpServer) -> str:
    config = server.app.config
    return cache.watched(surface.watch_list(config, [plugin.spec for plugin in server.app.plugins.values()]))


async def _reload(server: McpServer) -> None:
    old, new = server.app, _rebuilt(server.app)
    broken = [plugin for plugin in new.plugins.values() if plugin.failure]
    worked = [plugin.name for plugin in broken if plugin.name in old.plugins and not old.plugins[plugin.name].failure]
    for plugin in broken:
        _say(f"{plugin.failure}{_KEPT if worked else ''}")
    if worked:
        return
    server.adopt(new)
    before, after = _listed(old), _listed(new)
    changed = [what for what in after if after[what] != before[what]]
    _say(f"reloaded: {len(new.catalogue.listed)} tools{', changed: ' if changed else ''}{', '.join(changed)}")
    for what in changed:
        await server.announce(what)


def _rebuilt(old: App) -> App:
    config = old.config
    if Path(config.path).is_file():
        config = configuration.load(config.path, config.data_dir, config.options)
    return App.build(config, old.telemetry)


def _listed(app: App) -> dict[str, list[Any]]:
    return {
        "tools": app.tools_list()["tools"],
        "prompts": [prompt.wire() for prompt, _ in app.prompts],
        "resources": [resource.wire() for resource, _ in app.resources],
    }


async def _retire(app: App) -> None:
    """Calls that are under way keep their build, and what its lifespans opened, until they are done."""
    while any(tool.running for tool in app.catalogue.tools):  # noqa: ASYNC110 - nobody tells of a call's end
        await asyncio.sleep(_EVERY)
    await app.close()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
