"""Who is connected, and telling them of both eras that something changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field

from wekadocs_mcp.transports.sdk.names import (
    Context,
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ServerSession,
    ToolsListChanged,
    types,
)

_NOTIFY_WITHIN = 1.0
_Changed = tuple[Callable[[], ServerEvent], Callable[[], types.ServerNotification]]
_CHANGES: dict[str, _Changed] = {
    "tools": (ToolsListChanged, types.ToolListChangedNotification),
    "prompts": (PromptsListChanged, types.PromptListChangedNotification),
    "resources": (ResourcesListChanged, types.ResourceListChangedNotification),
}


@dataclass
class Connected:
    """A client of the older era, and what it asked for."""

    session: ServerSession
    log_level: str = "info"
    uris: set[str] = field(default_factory=set)


class Announcer:
    """Modern clients listen on the bus; older ones are notified on their connection."""

    def __init__(self, most: int) -> None:
        self.bus = InMemorySubscriptionBus()
        self._most = most
        self._connected: dict[Hashable, Connected] = {}

    def of(self, ctx: Context) -> Connected:
        """Whoever asks, remembered until it left; where nobody tells of that, until there are too many."""
        key = _key(ctx)
        if key not in self._connected:
            while len(self._connected) >= self._most:
                del self._connected[next(iter(self._connected))]
            self._connected[key] = Connected(ctx.session)
        return self._connected[key]

    def log_level(self, ctx: Context) -> str:
        found = self._connected.get(_key(ctx))
        return found.log_level if found is not None else "info"

    def left(self, session_id: str) -> None:
        self._connected.pop(session_id, None)

    async def list_changed(self, what: str) -> None:
        event, notification = _CHANGES[what]
        await self.bus.publish(event())
        await _notify(self._connected.values(), notification())

    async def resource_updated(self, uri: str) -> None:
        await self.bus.publish(ResourceUpdated(uri=uri))
        params = types.ResourceUpdatedNotificationParams(uri=uri)
        subscribed = [each for each in self._connected.values() if uri in each.uris]
        await _notify(subscribed, types.ResourceUpdatedNotification(params=params))


def _key(ctx: Context) -> Hashable:
    """By what a connection is known: its session's id, or what its client said of itself when it came."""
    if ctx.request is not None:
        return str(ctx.request.headers.get("mcp-session-id"))
    return id(ctx.session.client_params)


async def _notify(connected: Iterable[Connected], notification: types.ServerNotification) -> None:
    """All at once, each within a second: a client that does not read holds up nobody."""
    sending = [asyncio.create_task(each.session.send_notification(notification)) for each in connected]
    if sending:
        _, late = await asyncio.wait(sending, timeout=_NOTIFY_WITHIN)
        for task in late:
            task.cancel()
