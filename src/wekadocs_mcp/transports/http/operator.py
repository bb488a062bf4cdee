"""The pages of whoever runs the server: where MCP is, whether it lives, whether its parts work, what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from wekadocs_mcp import __version__
from wekadocs_mcp.plugins.health import Finding
from wekadocs_mcp.transports.sdk import private
from wekadocs_mcp.transports.server import McpServer

MCP_PATH = "/_mcp"


class Operator:
    """`mcp` is mounted, disabled or failed."""

    def __init__(self, server: McpServer, mcp: str) -> None:
        self._server = server
        self.mcp = mcp
        self._lacking = private.lacking()

    @property
    def pages(self) -> Mapping[str, Any]:
        return {"/": self.root, "/healthz": self.healthz, "/readyz": self.readyz, "/metrics": self.metrics}

    async def root(self, _: Request) -> Response:
        name = self._server.app.config.server["name"]
        return JSONResponse({"name": name, "version": __version__, "mcp": MCP_PATH, "health": "/readyz"})

    async def healthz(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(self, _: Request) -> Response:
        app = self._server.app
        found = await app.health()
        found += [each for each in (app.served(),) if not each.ok] + self._lacking
        ready = all(each.ok for each in found) and self.mcp != "failed"
        body = {"status": "ready" if ready else "degraded", "mcp": self.mcp, "plugins": self._parts(found)}
        return JSONResponse(body, status_code=200 if ready else 503)

    def _parts(self, found: list[Finding]) -> dict[str, dict[str, Any]]:
        """Each part once, with the worst that was found of it, in words that tell a stranger nothing."""
        parts: dict[str, dict[str, Any]] = {}
        for each in found:
            if parts.get(each.what, {"ok": True})["ok"]:
                note = self._server.app.dispatcher.discretion.for_strangers(each.told or each.note)
                parts[each.what] = {"ok": each.ok, "note": note}
        return parts

    async def metrics(self, _: Request) -> Response:
        text = self._server.app.metrics()
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")
