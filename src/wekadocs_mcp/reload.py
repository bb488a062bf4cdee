"""Hot reload for --dev: a changed or added contract or drop-in is served without a restart.

Files are looked at a few times a second: that works on every file system, and only developers pay for it.
"""

from __future__ import annotations

import asyncio
import logging
import sys

from . import config as configuration
from . import door, surface
from .app import App
from .errors import StartError
from .server import McpServer

log = logging.getLogger("wekadocs.reload")
_EVERY = 0.3


async def watch(server: McpServer) -> None:
    """Rebuild on every change; a broken edit keeps the last good version and shows what is wrong."""
    seen = _state(server)
    while True:
        await asyncio.sleep(_EVERY)
        now = await asyncio.to_thread(_state, server)
        if now == seen:
            continue
        seen = now
        try:
            await _reload(server)
        except StartError as error:
            print(f"{error}\n\nThe last good version is still served.", file=sys.stderr, flush=True)


def _state(server: McpServer) -> str:
    config = server.app.config
    return door.watched(surface.watch_list(config, [plugin.spec for plugin in server.app.plugins.values()]))


async def _reload(server: McpServer) -> None:
    old = server.app
    config = old.config
    if config.path and configuration.Path(config.path).is_file():
        config = configuration.load(config.path, config.data_dir, config.options)
    before = old.tools_list()
    new = App.build(config, old.telemetry)
    for name, plugin in new.plugins.items():
        if plugin.failure:
            print(f"{plugin.failure}\n\nThe last good version is still served.", file=sys.stderr, flush=True)
            if name in old.plugins and old.plugins[name].failure is None:
                return
    server.adopt(new)
    changed = new.tools_list() != before
    print(
        f"reloaded: {len(new.catalogue.listed)} tools{', list changed' if changed else ''}",
        file=sys.stderr,
        flush=True,
    )
    if changed:
        await server.announce("tools")
    await server.announce("prompts")
    await server.announce("resources")
    # Calls that are under way keep the old build; its lifespans are left once they had a moment to finish.
    await asyncio.sleep(_EVERY)
    await old.close()
