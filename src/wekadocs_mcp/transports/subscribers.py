"""Who is connected, and telling them of both eras that something changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from wekadocs_mcp.transports.sdk.names import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)

_CHANGES: dict[str, Any] = {"tools": ToolsListChanged, "prompts": PromptsListChanged, "resources": ResourcesListChanged}
_NOTIFY_WITHIN = 1.0


class Announcer:
    """Modern clients listen on the bus; older ones are notified on their connection."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._connections: set[Any] = set()

    def remember(self, connection: Any) -> None:
        # The SDK has no public hook for a connection's end; its exit stack is the one place that knows.
        if connection not in self._connections:
            self._connections.add(connection)
            connection.exit_stack.callback(self._connections.discard, connection)

    async def list_changed(self, what: str) -> None:
        await self.bus.publish(_CHANGES[what]())
        await _notify(self._connections, f"notifications/{what}/list_changed", None)

    async def resource_updated(self, uri: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=uri))
        subscribed = [each for each in self._connections if uri in each.state.get("subscriptions", ())]
        await _notify(subscribed, "notifications/resources/updated", {"uri": uri})


async def _notify(connections: Iterable[Any], method: str, params: dict[str, Any] | None) -> None:
    """All at once, each within a second: a client that does not read holds up nobody."""
    sending = [asyncio.create_task(each.outbound.notify(method, params)) for each in connections]
    if sending:
        _, late = await asyncio.wait(sending, timeout=_NOTIFY_WITHIN)
        for task in late:
            task.cancel()
