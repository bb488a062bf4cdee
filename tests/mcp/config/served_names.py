"""What a server serves by its tools.yaml."""

from __future__ import annotations

from wekadocs_mcp.app import App


def names(app: App) -> list[str]:
    return [tool["name"] for tool in app.tools_list()["tools"]]
