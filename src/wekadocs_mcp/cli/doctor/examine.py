"""`wekadocs-mcp doctor`: what is wrong here, and what to do about it."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment
from wekadocs_mcp.config.deployment import Config, Options
from wekadocs_mcp.plugins.health import Finding
from wekadocs_mcp.transports.fast_door import cache

from . import client_files, waiting
from .client_checks import LOCAL, odd
from .client_start import started

_CHECK_WITHIN = 20.0  # seconds for each check of a plugin: a person waits, a prober does not


def run(path: str | None, data: str | None, options: Options) -> list[Finding]:
    try:
        settings = deployment.load(path, data, options)
        app = App.build(settings)
    except StartError as error:
        return [_problem(problem) for problem in error.problems]
    found = [Finding("ok", "configuration", settings.path), *_tools(app)]
    found += asyncio.run(_plugins(app))
    return [*found, *_folders(settings), *_transport(settings), *_sdk()]


def client(file: str, start: bool, path: str | None, data: str | None, options: Options) -> list[Finding]:
    """What a client's configuration file should say instead, and whether what it names can be started."""
    try:
        app = App.build(deployment.load(path, data, options))
        entries = client_files.read(file)
    except StartError as error:
        return [_problem(problem) for problem in error.problems]
    seen = [[*odd(entry), *_checked_by_plugins(app, entry), *_old_names(app, entry)] for entry in entries]
    if start:
        right = [entry for entry, found in zip(entries, seen, strict=True) if not _to_be_changed(found)]
        starts = dict(zip(map(id, right), asyncio.run(started(right)), strict=True))
        seen = [[*found, *starts.get(id(entry), ())] for entry, found in zip(entries, seen, strict=True)]
    told = [
        replace(finding, what=f"{entry.form}.{entry.name} {finding.what}")
        for entry, found in zip(entries, seen, strict=True)
        for finding in found
    ]
    if not entries:
        return [Finding("warning", file, "it names no server", f"write one into it: {LOCAL}")]
    if all(finding.state == "ok" for finding in told):
        names = ", ".join(each.name for each in entries)
        counted = f"{len(entries)} server{'s' if len(entries) > 1 else ''}"
        told.append(Finding("ok", file, f"{counted} in it, nothing to change: {names}"))
    return told


def _to_be_changed(found: list[Finding]) -> bool:
    """An entry whose command is wrong as it is written is not tried."""
    return any(finding.what in ("command", "args", "env", "type") for finding in found)


def _checked_by_plugins(app: App, entry: client_files.ClientEntry) -> Iterator[Finding]:
    for plugin in app.plugins.values():
        for check in plugin.client_checks:
            yield from check(entry)


def _old_names(app: App, entry: client_files.ClientEntry) -> Iterator[Finding]:
    """Tools that the client allows or hides by a name that will go."""
    for name in entry.names:
        tool = app.catalogue.find(name)
        if tool is not None and tool.contract.status == "deprecated":
            instead = app.dispatcher.served_name(tool.contract.replaced_by or "")
            fix = f"name {instead} instead" if instead else "remove it"
            yield Finding("warning", name, "this tool is deprecated", fix)


def _problem(problem: Problem | str) -> Finding:
    if isinstance(problem, str):
        return Finding("broken", "start", problem)
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return Finding(
        "broken", place, f"{problem.pointer + ': ' if problem.pointer else ''}{problem.message}", problem.hint
    )


def _tools(app: App) -> Iterator[Finding]:
    yield app.served()
    for warning in app.warnings(every_toolset=True):
        if isinstance(warning, str):
            yield Finding("warning", "contracts", warning)
        else:
            yield replace(_problem(warning), state="warning")


async def _plugins(app: App) -> list[Finding]:
    with waiting.quiet_starts():
        await app.start_plugins()
        health = await app.health(_CHECK_WITHIN)
    findings = []
    for each in waiting.told_once(health):
        fix = each.fix or ("" if each.ok else "install or start what the reason names")
        findings.append(replace(each, what=f"plugin {each.what}", fix=fix))
    await app.close()
    return findings


def _folders(settings: Config) -> Iterator[Finding]:
    # Where there is one, what is in it may be enough to answer.
    state = "warning" if settings.data_dir.is_dir() else "broken"
    yield _writable("data directory", settings.data_dir, "choose another with --data or WEKADOCS_DATA", state)
    folder = cache.folder()
    if folder is None:
        yield Finding(
            "warning", "cache", "there is no home directory: every start compiles contracts", "set WEKADOCS_CACHE"
        )
    else:
        yield _writable("cache", Path(folder), "set WEKADOCS_CACHE to a folder that can be written", "warning")


def _writable(what: str, folder: Path, fix: str, state: str) -> Finding:
    """Whether it can be written, without leaving anything behind that was not there."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    try:
        with tempfile.TemporaryFile(dir=existing):
            return Finding("ok", what, str(folder) if existing == folder else f"{folder} (made when needed)")
    except OSError as error:
        return Finding(state, what, f"{folder} cannot be written: {error.strerror}", fix)


def _sdk() -> list[Finding]:
    from wekadocs_mcp.transports.sdk import private  # it brings the HTTP side with it

    return private.lacking()


def _transport(settings: Config) -> Iterator[Finding]:
    if settings.server["json_response"]:
        note = "JSON-response mode is on: progress and cancellation do not reach clients"
        yield Finding(
            "warning", "http", note, "set server.json_response: false unless a client cannot read event streams"
        )
    token = os.environ.get("MCP_AUTH_TOKEN")
    if token and len(token) < 16:
        yield Finding("broken", "http", "MCP_AUTH_TOKEN is shorter than 16 characters", "choose a long random value")
    elif not token:
        yield Finding("ok", "http", "no MCP_AUTH_TOKEN: HTTP is served on loopback only")
