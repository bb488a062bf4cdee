"""`wekadocs-mcp ui`: the server over HTTP with its console, and the browser opened on it."""

from __future__ import annotations

import threading
import webbrowser
from typing import Any

import click

from .commands import configure, deployment, examples
from .serving import http, with_console
from .welcome import CONSOLE


@click.command(
    epilog=examples(
        "wekadocs-mcp ui                     # http://127.0.0.1:8765/console/",
        "wekadocs-mcp ui --docs ./docs       # ingest a folder first, and keep watching it",
        "wekadocs-mcp ui --no-browser --port 0",
    )
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Beyond loopback only with MCP_AUTH_TOKEN.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="0 chooses a free one.")
@click.option("--docs", metavar="DIR", help="Ingest this folder first if needed, and keep watching it.")
@click.option("--no-browser", is_flag=True, help="Only say where the console is.")
@deployment
def ui(host: str, port: int, no_browser: bool, config: str | None, data: str | None, **options: Any) -> None:
    """Serve over HTTP with the console and open it in a browser."""

    def show(address: str) -> None:
        if not no_browser:  # in a thread: some browsers return when they are closed
            threading.Thread(target=webbrowser.open, args=(f"{address}/{CONSOLE}/",), daemon=True).start()

    http(configure(config, data, **with_console(options)), host, port, show)
