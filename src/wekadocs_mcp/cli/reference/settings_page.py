"""The reference page of plugins' settings, rendered from the settings.schema.json of each."""

from __future__ import annotations

from wekadocs_contracts.docs.schema_rows import MADE, table
from wekadocs_mcp import shipped
from wekadocs_mcp.config import deployment
from wekadocs_mcp.plugins import discovery

_ABOUT = """\
What the plugins that come with the server take under `plugins.NAME` in tools.yaml ([how](../how-to/configure.md)).
Beside its settings every plugin takes `enabled` and `listed` ([reference](tools-yaml.md)). A relative path starts
beside the file that says it, `~` is the home folder. `wekadocs-mcp config show` tells what holds."""


def settings_page() -> str:
    lines = ["# Settings of plugins", "", MADE, "", *_ABOUT.splitlines(), ""]
    for name in sorted(deployment.load(shipped.TOOLS_YAML).plugins):
        schema = discovery.settings_schema(name)
        about = str(schema.get("title", "")).partition(": ")[2]
        lines += [f"## `{name}`", "", *([f"{about[0].upper()}{about[1:]}.", ""] if about else [])]
        lines += [*(table(schema) if schema.get("properties") else ["It has none."]), ""]
    return "\n".join(lines).rstrip() + "\n"
