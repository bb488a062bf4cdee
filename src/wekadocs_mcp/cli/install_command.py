"""`wekadocs-mcp install CLIENT`."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wekadocs_contracts.problems import Problem, StartError
from wekadocs_text import printed

from .commands import common, examples
from .install.clients import CLIENTS, Client

if TYPE_CHECKING:
    from .install.installing import Installed, Server

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


@click.command(
    epilog=examples(
        "wekadocs-mcp install claude-desktop --docs ./docs",
        "wekadocs-mcp install vscode --file .vscode/mcp.json   # for one project",
        "wekadocs-mcp install cursor --config notes.yaml --toolset roux --name notes",
        "wekadocs-mcp install codex --print                    # only show it",
        "wekadocs-mcp install cursor --uninstall",
    )
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@click.option("--docs", metavar="DIR", help="The folder that the server takes in and follows.")
@click.option("--toolset", "toolsets", multiple=True, metavar="NAME", help="Serve only this toolset; repeatable.")
@click.option("--name", default="wekadocs", show_default=True, help="What the client calls the server.")
@click.option("--file", "file", metavar="FILE", help="The client's configuration file, where it is not the usual one.")
@click.option("--print", "only_print", is_flag=True, help="Show what would be written; change nothing.")
@click.option("--uninstall", is_flag=True, help="Take the entry out again.")
@common
def install(
    client: str,
    docs: str | None,
    toolsets: tuple[str, ...],
    name: str,
    file: str | None,
    only_print: bool,
    uninstall: bool,
    config: str | None,
    data: str | None,
) -> None:
    """Write this server into a client's configuration file, and leave all else in it as it is.

    CLIENT is claude-desktop, claude-code, vscode, cursor, windsurf, librechat, open-webui, zed, codex, gemini-cli,
    jetbrains or goose. The file as it was is kept beside it. Exit 0: done, or nothing to do; 2: left as it is, with
    what to put into it by hand.
    """
    from .install import installing

    if not _NAME.fullmatch(name):
        raise click.UsageError("--name: letters, digits, - and _, a letter first, 64 at most")
    chosen = CLIENTS[client]
    server = installing.Server(name, installing.our_command(), [*_arguments(docs, config, data), *_chosen(toolsets)])
    where = Path(file).expanduser() if file else chosen.file() if chosen.file else None
    if where is None:
        click.echo(printed(_by_hand(chosen, server, uninstall)))
    elif only_print:
        click.echo(printed(f"{where}:"), err=True)
        click.echo(printed(server.snippet(chosen)))
    elif uninstall:
        _tell_removed(name, installing.uninstall(chosen, where, server))
    else:
        _tell_added(chosen, name, installing.install(chosen, where, server))


def _chosen(toolsets: tuple[str, ...]) -> list[str]:
    return [word for name in toolsets for word in ("--toolset", name)]


def _arguments(docs: str | None, config: str | None, data: str | None) -> list[str]:
    """A client starts it elsewhere and without the shell's environment: whole paths, and what that environment says."""
    outer = click.get_current_context().find_root().params
    config = config or outer.get("config") or os.environ.get("WEKADOCS_CONFIG")
    data = data or outer.get("data") or os.environ.get("WEKADOCS_DATA")
    if docs and not Path(docs).expanduser().is_dir():
        raise StartError([Problem(docs, "there is no such folder", "name the folder of your documents with --docs")])
    if config and not Path(config).expanduser().is_file():
        raise StartError([Problem(config, "there is no such tools.yaml", "name an existing file with --config")])
    said = (("--docs", docs), ("--config", config), ("--data", data))
    return ["serve", *(word for option, path in said if path for word in (option, _whole(path)))]


def _whole(path: str) -> str:
    return os.path.abspath(Path(path).expanduser())  # noqa: PTH100 - resolve() would follow links that may move


def _by_hand(client: Client, server: Server, uninstall: bool) -> str:
    if uninstall:
        return f"{client.title} keeps its servers in its own settings: remove `{server.name}` there."
    http = shlex.join([server.command, *server.arguments, "--transport", "http"])
    snippet = server.snippet(client) if "{snippet}" in client.then else ""
    return client.then.replace("{http}", http).replace("{snippet}", snippet)


def _tell_added(client: Client, name: str, done: Installed) -> None:
    if not done.changed:
        click.echo(printed(f"{done.file}: `{name}` is in it already, nothing to change."))
        return
    kept = f" (as it was: {done.backup})" if done.backup else f" (new; is {client.title} installed?)"
    click.echo(printed(f"{done.file}: `{name}` is in it{kept}."))
    click.echo(client.then)
    click.echo(printed(f"Try it: wekadocs-mcp doctor --client {shlex.quote(str(done.file))}"))


def _tell_removed(name: str, done: Installed) -> None:
    told = f"`{name}` is taken out (as it was: {done.backup})" if done.changed else f"`{name}` is not in it"
    click.echo(printed(f"{done.file}: {told}."))
