"""The command line. Each command imports what it needs when it runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from wekadocs_mcp import __version__
from wekadocs_mcp.config.deployment import Options
from wekadocs_text import as_json as to_json
from wekadocs_text import one_line, printed

from . import config_commands
from .commands import Commands, configure, deployment, examples
from .streams import usable


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "wekadocs-mcp serve --plugins ./my-tools",
        'wekadocs-mcp call demo.hello \'{"name": "Ada"}\' --plugins ./my-tools',
        "wekadocs-mcp contracts new demo.hello --into ./my-tools",
        "wekadocs-mcp doctor",
    ),
)
# Eager: --help lists the commands of the plugins that --config names.
@click.option(
    "--config",
    metavar="FILE",
    is_eager=True,
    help="tools.yaml, laid over the shipped one (default: $WEKADOCS_CONFIG).",
)
@click.option(
    "--data",
    metavar="DIR",
    is_eager=True,
    help="Data directory (default: $WEKADOCS_DATA, then the user's data directory).",
)
@click.version_option(__version__, prog_name="wekadocs-mcp")
def cli(config: str | None, data: str | None) -> None:
    """MCP tools for documentation, declared in contracts and implemented by plugins."""


@cli.command(
    epilog=examples(
        "wekadocs-mcp serve                                # stdio, for a client that spawns it",
        "wekadocs-mcp serve --transport http --port 8765   # http://127.0.0.1:8765/_mcp",
        "wekadocs-mcp serve --plugins ./my-tools --dev     # your own tools, reloaded as you edit",
        "wekadocs-mcp serve --transport http --ui          # and the console, http://127.0.0.1:8765/console/",
    )
)
@click.option(
    "--transport",
    type=click.Choice(["stdio", "http", "streamable-http"]),
    envvar="MCP_TRANSPORT",
    show_envvar=True,
    help="Unless tools.yaml says otherwise: stdio.",
)
@click.option(
    "--host",
    envvar="MCP_HOST",
    show_envvar=True,
    help="Beyond loopback only with MCP_AUTH_TOKEN. Unless tools.yaml says otherwise: 127.0.0.1.",
)
@click.option(
    "--port",
    envvar="MCP_PORT",
    show_envvar=True,
    type=click.IntRange(0, 65535),
    help="0 chooses a free one. Unless tools.yaml says otherwise: 8765.",
)
@click.option("--docs", metavar="DIR", help="Ingest this folder first if needed, and keep watching it.")
@click.option(
    "--openapi", is_flag=True, help="With http: /openapi.json and POST /tools/NAME too, for agents without MCP."
)
@click.option("--dev", is_flag=True, help="Reload contracts and drop-in plugins when they change.")
@click.option("--ui", is_flag=True, help="With --transport http: the console too, at /console/.")
@deployment
def serve(ui: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Serve MCP over stdio (default) or HTTP."""
    from . import serving

    said = {name: options.pop(name) for name in ("transport", "host", "port")}
    settings = configure(config, data, **(serving.with_console(options) if ui else options))
    transport, host, port = (settings.server[name] if value is None else value for name, value in said.items())
    if options["openapi"] and transport == "stdio":
        raise click.UsageError("--openapi goes with --transport http: it is pages, which stdio has not")
    if ui and transport == "stdio":
        raise click.UsageError("--ui goes with --transport http: a browser cannot speak stdio")
    if transport == "stdio":
        serving.stdio(settings, sys.argv[1:])
    else:
        serving.http(settings, host, port)


@cli.command(epilog=examples("wekadocs-mcp tools", "wekadocs-mcp tools --json | jq '.tools[].name'"))
@click.option("--json", "as_json", is_flag=True, help="A tools/list result.")
@deployment
def tools(as_json: bool, config: str | None, data: str | None, **options: Any) -> None:
    """List the tools this configuration serves."""
    from wekadocs_mcp.app import App

    app = App.build(configure(config, data, **options))
    if as_json:
        click.echo(to_json(app.tools_list(), separators=(",", ":")))
        return
    width = max((len(tool.name) for tool in app.catalogue.listed), default=0)
    for tool in app.catalogue.listed:
        down = f"  [down: {tool.plugin.failure}]" if tool.plugin.failure else ""
        _say(f"{tool.name:<{width}}  {tool.contract.version:<8} {tool.title}{down}")
    hidden = [tool for tool in app.catalogue.tools if tool.disabled]
    for tool in hidden:
        assert tool.disabled is not None
        _say(f"{tool.name:<{width}}  off: {tool.disabled.why}", err=True)
    for warning in app.warnings():
        click.echo(printed(f"warning: {warning}"), err=True)
    if not app.catalogue.tools:
        click.echo("No tools: enable a plugin in tools.yaml, or name a drop-in folder with --plugins DIR.", err=True)


@cli.command(
    epilog=examples(
        "wekadocs-mcp call demo.hello name=Ada times=2 --plugins ./my-tools",
        'wekadocs-mcp call demo.hello \'{"name": "Ada", "times": 2}\' --plugins ./my-tools',
        'echo \'{"name": "Ada"}\' | wekadocs-mcp call demo.hello - --plugins ./my-tools',
    )
)
@click.argument("tool")
@click.argument("words", nargs=-1, metavar="[JSON | NAME=VALUE...]")
@click.option("--text", is_flag=True, help="Print what a model reads instead of the structured answer.")
@deployment
def call(tool: str, words: tuple[str, ...], text: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Call one tool without a client; prints the structured answer as JSON. Exit 1 if the tool says no.

    NAME=VALUE is read as the tool's contract wants it; NAME.INNER=VALUE reaches inside; repeat it for a list.
    """
    import asyncio

    from . import serving

    given = (sys.stdin.read(),) if words == ("-",) else words
    outcome = asyncio.run(serving.call(configure(config, data, **options), tool, given))
    if outcome.error is not None:
        click.echo(to_json(outcome.error, separators=(",", ":")))
        sys.exit(1)
    if text or outcome.data is None:
        click.echo(printed("\n".join(_shown(block) for block in outcome.content)))
    else:
        click.echo(to_json(outcome.data, separators=(",", ":")))


def _say(line: str, err: bool = False) -> None:
    click.echo(printed(one_line(line)), err=err)


def _shown(block: dict[str, Any]) -> str:
    """A content block in one line: its text, or what it is and where it leads."""
    if "text" in block:
        return str(block["text"])
    uri = block.get("uri") or block.get("resource", {}).get("uri")
    return " ".join([f"[{block['type']}]", *(str(each) for each in (uri, block.get("mimeType")) if each)])


@cli.command(epilog=examples("wekadocs-mcp doctor", "wekadocs-mcp doctor --client ~/.cursor/mcp.json"))
@click.option("--json", "as_json", is_flag=True)
@click.option(
    "--client",
    metavar="FILE",
    help="Look at a client's configuration instead: start what it says, and say what to change in it.",
)
@click.option("--no-start", is_flag=True, help="With --client: only read it, start nothing.")
@deployment
def doctor(
    as_json: bool, client: str | None, no_start: bool, config: str | None, data: str | None, **options: Any
) -> None:
    """Say what is wrong and how to fix it. Exit 0 unless something is broken."""
    from wekadocs_mcp.cli.doctor import examine

    from .printing import to_stderr

    outer = click.get_current_context().find_root().params
    where = (config or outer.get("config"), data or outer.get("data"), Options(**options))
    with to_stderr():
        findings = examine.client(client, not no_start, *where) if client else examine.run(*where)
    if as_json:
        click.echo(to_json([finding.__dict__ for finding in findings]))
    else:
        for finding in findings:
            click.echo(printed(f"{finding.state:<8} {finding.what}: {finding.note}"))
            if finding.fix:
                click.echo(printed(f"         fix: {finding.fix}"))
    sys.exit(1 if any(finding.state == "broken" for finding in findings) else 0)


@cli.command(epilog=examples("wekadocs-mcp completion bash >> ~/.bashrc", "wekadocs-mcp completion fish | source"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print shell completion for bash, zsh or fish."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "wekadocs-mcp", "_WEKADOCS_MCP_COMPLETE").source())


cli.add_command(config_commands.group)


def main() -> None:
    from .contract_commands import contracts

    cli.add_command(contracts)
    with usable():
        cli(prog_name="wekadocs-mcp")
