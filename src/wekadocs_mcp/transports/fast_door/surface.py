"""Recording a surface for the fast door: what the SDK itself answers, kept as bytes."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wekadocs_contracts.format import contracts, templates
from wekadocs_mcp import shipped
from wekadocs_mcp.app import App
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.plugins.discovery import Spec, package_folder
from wekadocs_mcp.transports.sdk.names import SessionMessage, types
from wekadocs_mcp.transports.server import McpServer

from . import cache, door

log = logging.getLogger("wekadocs.surface")
_ENVIRONMENT = (
    "WEKADOCS_CONFIG", "WEKADOCS_DATA", "HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE", "MCP_TRANSPORT",
)  # fmt: skip


def watch_list(config: Config, specs: list[Spec]) -> list[list[str]]:
    """Every file and folder the surface is made from, with the endings that count."""
    watch = [[path, ".yaml"] for path in config.files]
    watch += [[str(Path(shipped.CONTRACTS) / folder), ".json", ".yaml"] for folder in ("_schema", "_shared")]
    watch += [[str(root), ".py", ".yaml", ".yml", ".json"] for root in config.plugin_paths]
    for spec in specs:
        for root in spec.contracts:
            watch.append([root, ".yaml", ".yml"])
            watch += [[str(above / "_shared"), ".yaml"] for above in Path(root).resolve().parents[:3]]
    unique = {tuple(each): each for each in watch}
    return list(unique.values())


def inputs_before(config: Config, specs: list[Spec]) -> dict[str, Any]:
    """Taken before anything is built: a file that changes meanwhile makes the surface stale, not wrong."""
    packages = [str(folder) for spec in specs if (folder := package_folder(spec.module))]
    _compiled_beside(packages)
    # Where packages are installed; these times change with every install and removal.
    folders = [*dict.fromkeys([*(path for path in sys.path if path), *packages])]
    watch = watch_list(config, specs)
    return {
        "watch": watch,
        "watched": cache.watched(watch),
        "folders": folders,
        "times": cache.folder_times(folders),
    }


def _compiled_beside(packages: list[str]) -> None:
    """The first import of a package makes this folder: made now, it does not look like a change of the package."""
    for folder in () if sys.dont_write_bytecode else packages:
        with contextlib.suppress(OSError):
            Path(folder, "__pycache__").mkdir(exist_ok=True)


async def record(server: McpServer, argv: list[str], inputs: dict[str, object]) -> bool:
    """Ask the SDK every question the door will answer, and keep the answers. Whether they were kept."""
    app = server.app
    if any(plugin.contracts for plugin in app.plugins.values()):
        return False  # contracts that only an imported plugin knows of cannot be watched without importing it
    names = sorted({*app.config.environment, *_ENVIRONMENT})
    inputs = {**inputs, "environment": {name: os.environ.get(name) for name in names}}
    blobs: dict[str, bytes] = {}
    for version in door.HANDSHAKE_VERSIONS:
        client = {"name": "surface", "version": "0"}
        opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        answers = await _ask(server, [("initialize", opening), ("notifications/initialized", None), ("tools/list", {})])
        blobs[f"initialize {version}"], blobs[f"tools/list {version}"] = answers
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": door.MODERN_VERSION, f"{prefix}clientCapabilities": {}}
    for method in ("server/discover", "tools/list"):
        (blobs[f"{method} {door.MODERN_VERSION}"],) = await _ask(server, [(method, {"_meta": meta})])
    blobs["app"] = json.dumps(to_plain(app), ensure_ascii=False).encode()
    return _write(argv, inputs, blobs)


def to_plain(app: App) -> dict[str, Any]:
    config = asdict(app.config)
    config["data_dir"] = str(app.config.data_dir)
    config["plugin_paths"] = [str(path) for path in app.config.plugin_paths]
    rendered = app.instructions or ""
    if "instructions" in config["server"] and templates.is_plain(rendered):
        config["server"]["instructions"] = rendered  # a start from here needs no jinja2
    return {
        "config": config,
        "specs": [asdict(plugin.spec) for plugin in app.plugins.values()],
        "contracts": {name: contracts.to_plain(each) for name, each in app.contracts.items()},
    }


async def _ask(server: McpServer, messages: list[tuple[str, dict[str, Any] | None]]) -> list[bytes]:
    """One connection in memory; the results in order, as the wire has them."""
    import anyio

    send_in, receive_in = anyio.create_memory_object_stream[Any](len(messages))
    send_out, receive_out = anyio.create_memory_object_stream[Any](len(messages))
    results: list[bytes] = []
    async with anyio.create_task_group() as group:
        options = server.sdk.create_initialization_options()
        group.start_soon(server.sdk.run, receive_in, send_out, options)
        for number, (method, params) in enumerate(messages):
            if method.startswith("notifications/"):
                await send_in.send(
                    SessionMessage(types.JSONRPCNotification(jsonrpc="2.0", method=method, params=params))
                )
                continue
            request = types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
            await send_in.send(SessionMessage(request))
            reply = (await receive_out.receive()).message
            results.append(json.dumps(reply.result, ensure_ascii=False, separators=(",", ":")).encode())
        await send_in.aclose()
        receive_out.close()
    return results


def _write(argv: list[str], inputs: dict[str, object], blobs: dict[str, bytes]) -> bool:
    index: dict[str, list[int]] = {}
    body = b""
    for name, blob in blobs.items():
        index[name] = [len(body), len(blob)]
        body += blob
    header = {**inputs, "blobs": index, "size": 0}
    line = json.dumps(header).encode()
    # The file's own length, so that a torn copy is noticed; its digits change the length, hence the loop.
    while header["size"] != len(line) + 1 + len(body):
        header["size"] = len(line) + 1 + len(body)
        line = json.dumps(header).encode()
    return cache.write(cache.surface_name(argv), line + b"\n" + body)
