"""`wekadocs-mcp doctor`: what is wrong here, and what to do about it."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from . import cache, config
from .app import App
from .config import Config, Options
from .errors import Problem, StartError


@dataclass(frozen=True)
class Finding:
    """`ok`, `warning` or `broken`; only broken makes the exit code 1."""

    state: str
    what: str
    note: str
    fix: str = ""


def run(path: str | None, data: str | None, options: Options) -> list[Finding]:
    try:
        settings = config.load(path, data, options)
        app = App.build(settings)
    except StartError as error:
        return [_problem(problem) for problem in error.problems]
    found = [Finding("ok", "configuration", settings.path), *_tools(app)]
    found += asyncio.run(_plugins(app))
    return [*found, *_folders(settings), *_transport(settings)]


def _problem(problem: Problem | str) -> Finding:
    if isinstance(problem, str):
        return Finding("broken", "start", problem)
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return Finding(
        "broken", place, f"{problem.pointer + ': ' if problem.pointer else ''}{problem.message}", problem.hint
    )


def _tools(app: App) -> Iterator[Finding]:
    listed = len(app.catalogue.listed)
    if listed:
        yield Finding("ok", "tools", f"{listed} listed, {len(app.catalogue.tools)} in all")
    else:
        yield Finding("warning", "tools", "none are listed", "enable a plugin in tools.yaml, or serve --plugins DIR")
    for warning in app.warnings(every_toolset=True):
        if isinstance(warning, str):
            yield Finding("warning", "contracts", warning)
        else:
            yield replace(_problem(warning), state="warning")


async def _plugins(app: App) -> list[Finding]:
    await app.start_plugins()
    findings = []
    for each in await app.health():
        fix = "" if each.ok else "read the reason; `pip install` what is missing, or start what it needs"
        findings.append(Finding("ok" if each.ok else "broken", f"plugin {each.name}", each.note, fix))
    await app.close()
    return findings


def _folders(settings: Config) -> Iterator[Finding]:
    yield _writable("data directory", settings.data_dir, "choose another with --data or WEKADOCS_DATA", "broken")
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
