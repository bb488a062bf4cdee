"""What doctor says of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Finding, ToolError

if TYPE_CHECKING:
    from .link import Link

_SHARED = "passages, cursors and sessions are shared by all servers that name this store"
_KEEPS = ("noeviction", "volatile-ttl", "volatile-lru", "volatile-lfu", "volatile-random")


async def findings(link: Link) -> list[Finding]:
    try:
        await link.greet()
    except ToolError as error:
        return [Finding("broken", "", error.message)]
    facts = await _facts(link)
    if facts.get("redis_mode") == "cluster" or facts.get("server_mode") == "cluster":
        fix = "name a server outside of a cluster, or one whose cluster mode is off; replicas and failover are fine"
        return [Finding("warning", "", f"{_SHARED}; it is a cluster, of which only the named node is asked", fix)]
    policy = str(facts.get("maxmemory_policy", _KEEPS[0]))
    if policy not in _KEEPS:
        note = f"{_SHARED}; its maxmemory-policy {policy} may drop what was promised for longer"
        return [Finding("warning", "", note, "set maxmemory-policy to noeviction or volatile-ttl")]
    return [Finding("ok", "", f"{_SHARED} ({_version(facts)})")]


def _version(facts: dict[str, object]) -> str:
    if "valkey_version" in facts:
        return f"Valkey {facts['valkey_version']}"
    return f"Redis {facts.get('redis_version', 'of an unknown version')}"


async def _facts(link: Link) -> dict[str, object]:
    """Where INFO is not allowed, nothing is known."""
    from valkey.exceptions import ValkeyError

    try:
        return dict(await link.client.info())
    except (ValkeyError, OSError):
        return {}
