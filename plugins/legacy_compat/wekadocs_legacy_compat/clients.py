"""What in a client's configuration still speaks of the former server, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wekadocs_mcp import Finding

if TYPE_CHECKING:
    from wekadocs_mcp import ClientEntry

_FORMER_MODULES = ("src.mcp_server.stdio_server", "src.mcp_server.main", "mcp_server/stdio_server.py")
_FORMER_PORT = 8000
# Variables of the former server → what stands for them here; None: nothing does.
_ENVIRONMENT: dict[str, str | None] = {
    "NEO4J_URI": "the same; the embedded graph answers where it is unset",
    "NEO4J_USER": "plugins.corpus.neo4j.user in tools.yaml",
    "NEO4J_PASSWORD": "plugins.corpus.neo4j.password in tools.yaml",
    "QDRANT_HOST": "QDRANT_URL, such as http://qdrant:6333; the embedded index answers where it is unset",
    "QDRANT_PORT": "QDRANT_URL",
    "REDIS_HOST": None,
    "REDIS_URI": None,
    "REDIS_PASSWORD": None,
    "BGE_M3_API_URL": "plugins.corpus.embedding in tools.yaml",
    "RERANKER_BASE_URL": "plugins.corpus.rerank in tools.yaml",
    "JINA_API_KEY": "plugins.corpus.embedding in tools.yaml",
}


def check(entry: ClientEntry) -> Iterator[Finding]:
    """Nothing about an entry that is not ours."""
    if _starts_the_former(entry):
        fix = '"command": "wekadocs-mcp", "args": ["serve"]'
        yield Finding("warning", "command", f"it starts the former server: {' '.join(entry.command)[:120]}", fix)
        yield from _environment(entry)
    elif entry.url and _is_former(entry.url):
        kind = "streamable-http" if entry.transport in ("sse", "streamable-http") else "http"
        now = f"{urlsplit(entry.url).scheme}://{urlsplit(entry.url).hostname}:8765/_mcp"
        fix = f'"type": "{kind}", "url": "{now}", after `wekadocs-mcp serve --transport http` there'
        yield Finding("warning", "url", f"it is the former server's: {entry.url[:120]}", fix)


def _starts_the_former(entry: ClientEntry) -> bool:
    return any(module in word for word in entry.command for module in _FORMER_MODULES)


def _is_former(url: str) -> bool:
    try:
        parts = urlsplit(url)
        former_port = parts.port == _FORMER_PORT
    except ValueError:
        return False
    path = parts.path.rstrip("/")
    return path.startswith(("/mcp/initialize", "/mcp/tools")) or (former_port and path in ("", "/mcp", "/sse"))


def _environment(entry: ClientEntry) -> Iterator[Finding]:
    for name in entry.environment:
        if name in _ENVIRONMENT:
            now = _ENVIRONMENT[name]
            note = f"now {now}" if now else "nothing reads it any more"
            yield Finding("warning", f"env {name}", note, "" if now else "remove it")
    if entry.environment.get("ENABLE_LEGACY_SEARCH_DOCUMENTATION", "").lower() in ("1", "true", "yes", "on"):
        note = "it switches search_documentation on, which returns whole texts"
        yield Finding("warning", "env ENABLE_LEGACY_SEARCH_DOCUMENTATION", note, "remove it")
