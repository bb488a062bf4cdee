"""The reference page of /metrics, read off what is served there."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import entry_points

from wekadocs_contracts.docs.schema_rows import MADE, cell
from wekadocs_mcp import shipped
from wekadocs_mcp.calls.telemetry import Telemetry
from wekadocs_mcp.config import deployment

_ABOUT = """\
`GET /metrics` of a server over HTTP, for Prometheus; behind the same token as all else. Figures of a plugin appear
once it is in use. Labels: `tool`; `code` is `OK`, `CANCELLED` or [an error](errors.md); `reason` what limited an
answer; `status` of HTTP; `client` as it names itself."""
_HELP = re.compile(r"# HELP (\S+) (.*)\n# TYPE \S+ (\w+)")


def metrics_page() -> str:
    lines = ["# Metrics", "", MADE, "", *_ABOUT.splitlines(), "", "| metric | kind | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {kind} | {cell(meaning)} |" for name, meaning, kind in [*_host(), *_plugins()]]
    return "\n".join(lines) + "\n"


def _host() -> list[tuple[str, str, str]]:
    telemetry = Telemetry()
    telemetry.record_deprecated("", "", 0)  # told only once there are such calls
    return _HELP.findall(telemetry.prometheus())


def _plugins() -> list[tuple[str, str, str]]:
    shipped_ones = deployment.load(shipped.TOOLS_YAML).plugins
    found: dict[str, tuple[str, str, str]] = {}
    for plugin in entry_points(group="wekadocs_mcp"):
        register = getattr(import_module(plugin.module), "register_metrics", None)
        if plugin.name in shipped_ones and register is not None:
            for name, (meaning, _) in register().items():
                whole = f"wekadocs_{plugin.name}_{name}"
                found[whole] = whole, meaning, "counter" if name.endswith("_total") else "gauge"
    return [found[name] for name in sorted(found)]
