"""What whoever runs a server may know of it: its tools, its last calls, its settings, its health.

Never an argument, never a document's text, never a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_mcp.app import App
    from wekadocs_mcp.catalogue.served import ServedTool


class Overview:
    """Of one app, at the moment that it is asked; every row can be written as JSON."""

    def __init__(self, app: App) -> None:
        self._app = app

    def tools(self) -> list[dict[str, Any]]:
        """Every major of every tool, also those that are off or unlisted."""
        tools = sorted(self._app.catalogue.tools, key=lambda tool: (tool.name, tool.contract.major))
        return [self._row(tool) for tool in tools]

    def _row(self, tool: ServedTool) -> dict[str, Any]:
        contract = tool.contract
        return {
            "name": tool.name,
            "contract": contract.name,
            "version": contract.version,
            "status": contract.status,
            "plugin": tool.plugin.name,
            "file": contract.file,
            "hash": contract.hash,
            "listed": tool.listed and tool.disabled is None,
            "off": tool.disabled.why if tool.disabled else None,
            "down": tool.plugin.failure,
            "budgets": {**tool.budgets, "response_bytes": tool.response_bytes},
            "running": tool.running,
            "errors": contract.errors,
            "replaced_by": contract.replaced_by,
            "examples": [each["arguments"] for each in contract.examples if "arguments" in each],
            "definition": tool.wire(self._app.dispatcher.structured),
        }

    def calls(self, after: int = 0) -> dict[str, Any]:
        """What ended since the call of that number, what is under way now, and who was turned away before any call."""
        telemetry = self._app.telemetry
        running = {tool.name: tool.running for tool in self._app.catalogue.tools if tool.running}
        rows = [each._asdict() for each in telemetry.recent(after)]
        return {"calls": rows, "running": running, "refused": dict(telemetry.refusals)}

    def settings(self) -> dict[str, Any]:
        """Each with its value and where that comes from; secrets are masked."""
        from wekadocs_mcp.config.shown import settings

        config = self._app.config
        rows = [each.__dict__ for each in settings(config)]
        return {"files": config.files, "data_dir": str(config.data_dir), "settings": rows}

    async def health(self) -> list[dict[str, Any]]:
        found = [*await self._app.health(), self._app.served()]
        return [{"state": each.state, "what": each.what, "note": each.note, "fix": each.fix} for each in found]
