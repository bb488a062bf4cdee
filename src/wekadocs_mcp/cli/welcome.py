"""What `serve --transport http` says once it listens: lines that can be used as they stand."""

from __future__ import annotations

import shlex
import sys

from wekadocs_mcp.app import App
from wekadocs_mcp.transports.http import routes
from wekadocs_mcp.transports.http.guard import auth_token
from wekadocs_mcp.transports.http.openapi.document import PATH as OPENAPI_PATH
from wekadocs_mcp.transports.http.operator import MCP_PATH

CONSOLE = "console"  # the plugin that serves it, at a path of this name
_LOG_IN = "   (it asks for the token)"
_SHOWN = 8
_ALL = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing is bound here, a way to it is named


def say(app: App, host: str, port: int) -> str:
    """Printed for people; the address is also returned."""
    near = _ALL.get(host, host)
    address = f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"
    if app.config.flag("MCP_HTTP_STREAMABLE_ENABLED") is False:
        lines = [f"wekadocs-mcp listens at {address}, without MCP: MCP_HTTP_STREAMABLE_ENABLED is false"]
    else:
        lines = [f"wekadocs-mcp serves MCP at {address}{MCP_PATH}", f"  tools: {_tools(app)}"]
        lines.append(f"  connect: {_command(app, address)}")
        lines += [f"  other machines may call it: {_names(app)}"] if host in _ALL else []
    if also := routes.on(app):
        lines.append(f"  also: {', '.join(also)}")
    if app.config.server["openapi"]:
        lines.append(f"  openapi: {address}{OPENAPI_PATH}")
    if CONSOLE in app.plugins:
        lines.append(f"  console: {address}/{CONSOLE}/{_LOG_IN if auth_token() else ''}")
    lines.append(f"  health: {address}/readyz   stop: Ctrl-C")
    print(*lines, sep="\n", file=sys.stderr, flush=True)
    return address


def _tools(app: App) -> str:
    listed = app.catalogue.listed
    names = ", ".join(tool.name for tool in listed[:_SHOWN]) or "none"
    return f"{names} and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else names


def _command(app: App, address: str) -> str:
    """The token itself is never printed: a shell that has it puts it in."""
    header = ' --header "Authorization: Bearer $MCP_AUTH_TOKEN"' if auth_token() else ""
    name = shlex.quote(app.config.server["name"])
    return f"claude mcp add --transport http {name} {address}{MCP_PATH}{header}"


def _names(app: App) -> str:
    return ", ".join(app.config.server["allowed_hosts"]) or "nothing yet, name one in server.allowed_hosts"
