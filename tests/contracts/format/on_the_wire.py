"""What of a contract clients are sent."""

from __future__ import annotations

from typing import Any


def wire(workshop: Any, settings: Any = None, **options: Any) -> dict[str, Any]:
    """The one tool, or of several the first: demo.echo."""
    tool: dict[str, Any] = workshop.app(settings, **options).tools_list()["tools"][0]
    return tool
