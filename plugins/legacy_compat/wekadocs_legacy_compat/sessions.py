"""Sessions as old clients know them, and what each was sent before."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import LegacyState


def session_of(call: Call[LegacyState], asked: str | None = None) -> str:
    """The caller's own, else one per protocol session, else a new one."""
    if asked:
        return asked
    if call.session is None:
        return f"server-{secrets.token_hex(16)}"
    return "server-" + call.state.scratch.private_name(f"session\0{call.principal}\0{call.session}")


async def new_to(call: Call[LegacyState], session: str, names: Sequence[str]) -> set[str]:
    """What this session was not sent yet; it counts as sent with the answer."""
    known = await call.state.scratch.sent_before(call, session, names) if names else []
    new = [name for name, is_known in zip(names, known, strict=True) if not is_known]
    call.state.scratch.note_sent(call, session, new)
    return set(new)
