"""Contracts' examples, run through the real pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wekadocs_contracts.format.explain import shown
from wekadocs_contracts.problems import StartError, did_you_mean
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.catalogue.served import ServedTool
from wekadocs_mcp.config.deployment import Config


@dataclass(frozen=True)
class Result:
    tool: str
    title: str
    ok: bool
    why: str = ""


async def run(config: Config, names: Sequence[str] = (), *, throw_away: bool = False) -> list[Result]:
    """Each example of each tool (or of those named), in order; plugins fill a data directory that is thrown away."""
    app = App.build(config)
    chosen = app.catalogue.tools
    if names:
        if unknown := [name for name in names if name not in app.catalogue.callable]:
            raise StartError([_unknown(name, app.catalogue.callable) for name in unknown])
        wanted = {id(app.catalogue.callable[name]) for name in names}
        chosen = [tool for tool in chosen if id(tool) in wanted]
    try:
        if throw_away:
            await prepare(app)
        return [await check(app, tool, index) for tool in chosen for index in range(len(tool.contract.examples))]
    finally:
        await app.close()


def _unknown(name: str, callable_names: Iterable[str]) -> str:
    if Path(name).is_dir():
        return f"{name} is a folder: add its tools with `--plugins {name}`"
    return f"no tool is called {name}{did_you_mean(name, callable_names)}"


async def prepare(app: App) -> None:
    """Let plugins put what examples need into the data directory, before anything is started."""
    for plugin in app.plugins.values():
        if plugin.prepare_examples is not None and plugin.failure is None:
            await asyncio.to_thread(plugin.prepare_examples, context=app.lifespans.context(plugin))


async def check(app: App, tool: ServedTool, index: int) -> Result:
    example = tool.contract.examples[index]
    title = example.get("title") or f"example {index + 1}"
    outcome = await app.dispatcher.call(f"{tool.contract.name}.v{tool.contract.major}", example["arguments"], Caller())
    wanted = example.get("expect_error")
    if outcome.error is not None:
        error = outcome.error["error"]
        ok = error["code"] == wanted
        return Result(tool.name, title, ok, "" if ok else f"{error['code']}: {outcome.why or error['message']}")
    if wanted:
        return Result(tool.name, title, False, f"it answered, but {wanted} was expected")
    data = outcome.data if outcome.data is not None else {}
    missing = next(differences(example.get("expect", {}), data), None)
    return Result(tool.name, title, missing is None, missing or "")


def differences(expected: object, found: object, place: str = "$") -> Iterator[str]:
    """Where an answer does not hold what is expected: objects by subset, arrays element by element, scalars equal."""
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            yield f"{place} is {shown(found)}, not an object"
            return
        for key, value in expected.items():
            if key not in found:
                yield f"{place}.{key} is missing"
            else:
                yield from differences(value, found[key], f"{place}.{key}")
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(found) < len(expected):
            yield f"{place} has fewer than {len(expected)} elements"
            return
        for index, value in enumerate(expected):
            yield from differences(value, found[index], f"{place}[{index}]")
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        yield f"{place} is {shown(found)}, not {shown(expected)}"
