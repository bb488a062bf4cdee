"""`wekadocs-mcp config …`: which settings hold, and where they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wekadocs_mcp import shipped

from .commands import configure, deployment, examples

if TYPE_CHECKING:
    from wekadocs_mcp.config.deployment import Config
    from wekadocs_mcp.config.shown import Setting

_WIDEST = 60


@click.group(name="config")
def group() -> None:
    """Look at the configuration."""


@group.command(
    epilog=examples("wekadocs-mcp config show", "wekadocs-mcp --config tools.yaml config show --json | jq .settings")
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with every value whole.")
@deployment
def show(as_json: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Show every setting that holds and the file and line that says so. Secrets are never shown."""
    from wekadocs_mcp.config.shown import settings

    used = configure(config, data, **options)
    found = settings(used)
    if as_json:
        rows = [setting.__dict__ for setting in found]
        whole = {"files": used.files, "data_dir": str(used.data_dir), "settings": rows}
        click.echo(json.dumps(whole, ensure_ascii=False))
    else:
        click.echo("\n".join(_pretty(used, found)))


def _pretty(config: Config, found: list[Setting]) -> list[str]:
    over = " over ".join("the shipped tools.yaml" if _is_shipped(path) else path for path in reversed(config.files))
    rows = [(each.key, _short(each.value), _place(each)) for each in found]
    keys, values = (max(len(row[at]) for row in rows) for at in (0, 1))
    lines = [f"{key:<{keys}}  {value:<{values}}  {place}" for key, value, place in rows]
    return [f"configuration: {over}", f"data directory: {config.data_dir}", "", *lines]


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _place(setting: Setting) -> str:
    if setting.file is None:
        return setting.said
    return f"{'shipped tools.yaml' if _is_shipped(setting.file) else setting.file}:{setting.line}"


def _is_shipped(path: str) -> bool:
    return Path(path).resolve() == Path(shipped.TOOLS_YAML).resolve()
