"""Sessions of older clients, kept where every server of a deployment can read them."""

from __future__ import annotations

from typing import Protocol


class SharedSessions(Protocol):
    """What a plugin can offer. What is out of reach is a ToolError BACKEND_UNAVAILABLE."""

    async def remember(self, session_id: str, owner: str, peer: str, opening: bytes, life: float, most: int) -> None:
        """A session that was opened with this message, for so many seconds; of one peer `most`, the oldest go."""

    async def recall(self, session_id: str, owner: str, life: float) -> bytes | None:
        """What the owner opened it with, and so many seconds more; None if it is unknown, over or another's."""

    async def forget(self, session_id: str) -> None:
        """It is over, for all servers."""
