"""What `serve` and `call` do once the command line is read."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

from wekadocs_contracts.problems import StartError
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.calls.telemetry import start_logging
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.errors import ProtocolError

from . import printing


def stdio(config: Config, argv: list[str]) -> None:
    """The normal way in: build strictly, serve, and leave a surface for the fast door."""
    from wekadocs_mcp.plugins import discovery
    from wekadocs_mcp.transports import reload
    from wekadocs_mcp.transports.fast_door import door, resume, surface
    from wekadocs_mcp.transports.server import McpServer, new_process_session

    start_logging()
    # Whatever a plugin prints while it is imported must not reach the client.
    descriptors = door.claim_stdio()
    specs = discovery.find(config)
    inputs = surface.inputs_before(config, specs)
    app = App.build(config, specs=specs)
    server = McpServer(app, new_process_session())
    _warn(app)
    gc.freeze()
    if os.isatty(descriptors[0]):
        print(
            "Serving MCP on stdin and stdout; a client should start this command. Ctrl-C ends it.",
            file=sys.stderr,
        )

    async def meanwhile() -> None:
        if config.options.dev:
            await reload.watch(server)
        elif app.served().ok:  # a server without tools says so at every start
            await surface.record(server, argv, inputs)

    resume.serve(server, descriptors, meanwhile=meanwhile)


def with_console(options: Mapping[str, object]) -> dict[str, Any]:
    """The command line's options, with the console's plugin switched on."""
    from .welcome import CONSOLE

    enabled = options.get("enable")
    assert isinstance(enabled, tuple)
    return {**options, "enable": (*enabled, CONSOLE)}


def http(config: Config, host: str, port: int, on_ready: Callable[[str], None] = lambda _: None) -> None:
    """`on_ready` is told the address once it listens."""
    from wekadocs_mcp import ending
    from wekadocs_mcp.transports import reload
    from wekadocs_mcp.transports.http import server as transport
    from wekadocs_mcp.transports.server import McpServer

    from . import welcome

    start_logging()
    transport.check_bind(host, transport.auth_token())
    server = McpServer(App.build(config))
    _warn(server.app)
    gc.freeze()  # what start-up made stays: no collection need look through it again

    async def run() -> None:
        watching = asyncio.create_task(reload.watch(server)) if config.options.dev else None
        try:
            await transport.serve(server, host, port, lambda bound: on_ready(welcome.say(server.app, host, bound)))
        finally:
            if watching is not None:
                watching.cancel()

    code = 0
    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        code = 130
    ending.end(code)  # a handler's thread would keep the interpreter waiting


def _warn(app: App) -> None:
    served = app.served()
    if not served.ok:
        print(f"wekadocs-mcp: {served.note}, no client can use it: {served.fix}", file=sys.stderr)
    for warning in app.warnings():
        print(f"warning: {warning}", file=sys.stderr)
    for plugin in app.plugins.values():
        if plugin.failure:
            print(f"warning: {plugin.failure}; its tools answer BACKEND_UNAVAILABLE", file=sys.stderr)


async def call(config: Config, tool: str, words: Sequence[str]) -> Outcome:
    """One call through the whole pipeline, without a client; its arguments as the command line has them."""
    from .call_words import arguments

    async with _standing(config) as app:
        try:
            contract = app.dispatcher.find(tool).contract
            given = arguments(words, tool, contract.input, contract.argument_aliases)
            return await app.dispatcher.call(tool, given, Caller(session="command-line"))
        except ProtocolError as error:
            raise StartError([error.message]) from None


@contextlib.asynccontextmanager
async def calling(config: Config) -> AsyncIterator[Callable[[str, Mapping[str, Any]], Awaitable[Outcome]]]:
    """Calls like those of a client, one after the other in one session."""
    async with _standing(config) as app:
        caller = Caller(session="command-line")

        async def ask(tool: str, arguments: Mapping[str, object]) -> Outcome:
            try:
                return await app.dispatcher.call(tool, arguments, caller)
            except ProtocolError as error:
                raise StartError([error.message]) from None

        yield ask


@contextlib.asynccontextmanager
async def _standing(config: Config) -> AsyncIterator[App]:
    """The app without a transport; what plugins print goes to stderr."""
    with printing.to_stderr():
        app = App.build(config)
        try:
            yield app
        finally:
            await app.close()
