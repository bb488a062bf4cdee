"""One deployment, put together: configuration, plugins, contracts, catalogue, dispatcher."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from wekadocs_contracts.format import contracts, templates
from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.leaving_out import without_absent
from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp import __version__
from wekadocs_mcp.calls.call import Scope
from wekadocs_mcp.calls.discretion import neutral
from wekadocs_mcp.calls.dispatch import Dispatcher
from wekadocs_mcp.calls.telemetry import Telemetry, frames
from wekadocs_mcp.catalogue import registry
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.plugins import discovery, importing
from wekadocs_mcp.plugins.discovery import Spec
from wekadocs_mcp.plugins.health import Finding, findings
from wekadocs_mcp.plugins.hookspecs import HealthCheck, Metric
from wekadocs_mcp.plugins.importing import Plugin, reason
from wekadocs_mcp.plugins.lifespans import Lifespans
from wekadocs_mcp.plugins.resources import Prompt, Resource
from wekadocs_mcp.plugins.shared_sessions import SharedSessions
from wekadocs_mcp.plugins.shared_tasks import SharedTasks
from wekadocs_mcp.plugins.tools import mark_of
from wekadocs_mcp.transports.fast_door import cache

from . import shipped

log = logging.getLogger("wekadocs.app")
_CHECK_WITHIN = 5.0
_NO_TOOLS = "`wekadocs-mcp tools` says what is off and why; name a plugin in tools.yaml, or a folder with --plugins DIR"


class App:
    """What both transports, the command line and the tests serve from."""

    def __init__(
        self,
        config: Config,
        loaded: Sequence[Plugin],
        declared: Mapping[str, list[Contract]],
        strict: bool = True,
        telemetry: Telemetry | None = None,
    ) -> None:
        self.config = config
        self.plugins = {plugin.name: plugin for plugin in loaded}
        self.contracts = declared
        self.telemetry = telemetry or Telemetry()
        self.catalogue = registry.build(config, loaded, declared, strict)
        self.lifespans = Lifespans(
            self.plugins, config.data_dir, Scope.of(config.scope), read_only=config.server["read_only"]
        )
        interceptors = [each for plugin in loaded for each in plugin.interceptors]
        self.dispatcher = Dispatcher(config, self.catalogue, self.lifespans, interceptors, self.telemetry)
        self.resources: list[tuple[Resource, Plugin]] = [
            (each, plugin) for plugin in loaded for each in plugin.resources
        ]
        self.prompts: list[tuple[Prompt, Plugin]] = [
            (each, plugin) for plugin in loaded for each in plugin.prompts if self._can_be_followed(each)
        ]

    @classmethod
    def build(cls, config: Config, telemetry: Telemetry | None = None, specs: Sequence[Spec] | None = None) -> App:
        """From scratch, strictly: every contradiction is one StartError."""
        loaded = importing.load(discovery.find(config) if specs is None else specs)
        return cls(config, loaded, compiled(loaded), telemetry=telemetry)

    @classmethod
    def resume(cls, config: Config, specs: Sequence[Spec], declared: Mapping[str, list[Contract]]) -> App:
        """From a compiled surface: a plugin that fails now turns only its own tools off."""
        loaded = []
        for spec in specs:
            try:
                loaded.extend(importing.load([spec]))
            except StartError as error:
                first = str(error).splitlines()[0]
                loaded.append(Plugin(spec, failure=f"plugin `{spec.name}` was refused: {first}"))
        return cls(config, _without_handlers_down(loaded, declared), declared, strict=False)

    @property
    def instructions(self) -> str | None:
        text = self.config.server.get("instructions") or ""
        context = templates.naming(self.dispatcher.served_name, self._answers, self._is_served)
        return without_absent(templates.render(text, context)).strip() or None

    def _can_be_followed(self, prompt: Prompt) -> bool:
        """Whether all tools that a prompt sends a model to answer here."""
        return all(self._answers(name) for name in getattr(prompt, "tools", ()))

    def _answers(self, contract: str) -> bool:
        tool = self.catalogue.by_contract.get(contract)
        return tool is not None and tool.disabled is None

    def _is_served(self, contract: str) -> bool:
        return self._answers(contract) and self.catalogue.by_contract[contract].listed

    def warnings(self, every_toolset: bool = False) -> list[Problem | str]:
        """What is odd and no reason to refuse the start; `every_toolset`: also those nobody chose."""
        from wekadocs_mcp.catalogue import mentions  # a start behind the fast door tells nobody

        declared = [contract for each in self.contracts.values() for contract in each]
        names = {*self.catalogue.callable, *self.catalogue.by_contract}
        return [*self.catalogue.warnings, *mentions.unknown(self.config, declared, names, every_toolset)]

    def served(self) -> Finding:
        """Whether a client finds anything here."""
        answering = [tool for tool in self.catalogue.tools if tool.disabled is None]
        if not answering:
            return Finding("broken", "tools", "this server has no tool at all", _NO_TOOLS)
        if not self.catalogue.listed:
            return Finding("warning", "tools", f"none is listed, {len(answering)} can be called", _NO_TOOLS)
        return Finding("ok", "tools", f"{len(self.catalogue.listed)} listed, {len(self.catalogue.tools)} in all")

    def tools_list(self) -> dict[str, Any]:
        """The `tools/list` result: one page, sorted, byte-stable."""
        return {"tools": [tool.wire(self.dispatcher.structured) for tool in self.catalogue.listed]}

    async def start_plugins(self) -> None:
        """Enter every lifespan in the background; failures are kept for doctor and /readyz."""
        for plugin in self.plugins.values():
            if plugin.lifespan is not None and plugin.failure is None:
                try:
                    await self.lifespans.state(plugin)
                except Exception as error:
                    log.debug("background start: %s", type(error).__name__)

    def shared_sessions(self) -> AbstractAsyncContextManager[SharedSessions] | None:
        """Where sessions of older clients are kept for all servers; None where each has its own."""
        for plugin in self.plugins.values():
            if plugin.shared_sessions is not None and plugin.failure is None:
                kept = plugin.shared_sessions(context=self.lifespans.context(plugin))
                if kept is not None:
                    return kept
        return None

    def shared_tasks(self) -> AbstractAsyncContextManager[SharedTasks] | None:
        """Where tasks are kept for all servers; None where each has its own."""
        for plugin in self.plugins.values():
            if plugin.shared_tasks is not None and plugin.failure is None:
                kept = plugin.shared_tasks(context=self.lifespans.context(plugin))
                if kept is not None:
                    return kept
        return None

    async def health(self, within: float = _CHECK_WITHIN) -> list[Finding]:
        """Each plugin and each of its checks, which may all take so many seconds: what hangs holds up nobody else."""
        found = await asyncio.gather(*(self._health(plugin, within) for plugin in self.plugins.values()))
        return [each for some in found for each in some]

    async def _health(self, plugin: Plugin, within: float) -> list[Finding]:
        failure = self.lifespans.failure(plugin)
        if failure is not None:
            return [Finding("broken", plugin.name, failure.why, told=failure.told)]
        checks = plugin.health_checks.items()
        found = await asyncio.gather(*(self._check(plugin, name, check, within) for name, check in checks))
        return [Finding("ok", plugin.name, "ok"), *(each for some in found for each in some)]

    async def _check(self, plugin: Plugin, name: str, check: HealthCheck, within: float) -> list[Finding]:
        try:
            async with asyncio.timeout(within):
                result = check(await self.lifespans.state(plugin))
                result = await result if inspect.isawaitable(result) else result
            return findings(f"{plugin.name}.{name}", result)
        except TimeoutError:
            note = f"the check did not end within {within:g} seconds"
            return [Finding("broken", f"{plugin.name}.{name}", note, "start what it waits for")]
        except Exception as error:
            return [Finding("broken", f"{plugin.name}.{name}", reason(error), told=neutral(error))]

    def metrics(self) -> str:
        """Prometheus text: the host's figures, and those of plugins that are up; none is started for it."""
        lines = []
        for plugin in self.plugins.values():
            for state in self.lifespans.entered(plugin):
                for name, (meaning, read) in plugin.metrics.items():
                    lines += _figure(f"wekadocs_{plugin.name}_{name}", meaning, read, state)
        return self.telemetry.prometheus() + "".join(f"{line}\n" for line in lines)

    async def close(self) -> None:
        self.dispatcher.close()
        await self.lifespans.close()


def _figure(name: str, meaning: str, read: Metric, state: object) -> list[str]:
    """One figure of a plugin; one that cannot be read costs no other."""
    try:
        value = f"{read(state):g}"
    except Exception as error:
        log.warning("the metric %s cannot be read: %s", name, frames(error))
        return []
    full = re.sub(r"\W", "_", name, flags=re.ASCII)
    kind = "counter" if name.endswith("_total") else "gauge"
    return [f"# HELP {full} {' '.join(str(meaning).split())}", f"# TYPE {full} {kind}", f"{full} {value}"]


def _without_handlers_down(loaded: list[Plugin], declared: Mapping[str, list[Contract]]) -> list[Plugin]:
    """After a compiled start, a contract that lost its handler is that plugin's failure, not the server's."""
    handled = {mark_of(handler) for plugin in loaded for handler in plugin.tools}
    names = {mark.name for mark in handled if mark}
    for plugin in loaded:
        for contract in declared.get(plugin.name, []):
            if plugin.failure is None and contract.name not in names and contract.status != "beta":
                plugin.failure = f"plugin `{plugin.name}` has no handler for {contract.name}"
    return loaded


def compiled(loaded: Sequence[Plugin]) -> dict[str, list[Contract]]:
    """Each plugin's contracts; from the cache when no byte of them changed."""
    name = f"contracts/{fingerprint(loaded)}.json"
    raw = cache.read(name)
    if raw is not None:
        try:
            rows: dict[str, list[dict[str, Any]]] = json.loads(raw)
            return {plugin: contracts.from_plain(each) for plugin, each in rows.items()}
        except (ValueError, TypeError):
            pass  # a damaged cache file is read over
    declared: dict[str, list[Contract]] = {}
    problems: list[Any] = []
    for plugin in loaded:
        try:
            declared[plugin.name] = contracts.load(importing.contract_files(plugin))
        except StartError as error:
            problems.extend(error.problems)
    if problems:
        raise StartError(problems)
    plain = {plugin: contracts.to_plain(each) for plugin, each in declared.items()}
    cache.write(name, json.dumps(plain, ensure_ascii=False).encode())
    return declared


def fingerprint(loaded: Sequence[Plugin]) -> str:
    """Changes with any byte of any contract, fragment or schema, and with the program's version."""
    parts = [__version__.encode()]
    for folder in ("_schema", "_shared"):
        parts += cache.tree_bytes(str(Path(shipped.CONTRACTS) / folder), (".json", ".yaml"))
    for plugin in loaded:
        parts.append(plugin.name.encode())
        for root in (*map(Path, plugin.spec.contracts), *plugin.contracts):
            parts += cache.tree_bytes(str(root), (".yaml", ".yml"))
            parts += [part for shared in _shared_above(root) for part in cache.tree_bytes(str(shared), (".yaml",))]
    return cache.digest(*parts)


def _shared_above(root: Path) -> list[Path]:
    return [folder / "_shared" for folder in root.resolve().parents[:3] if (folder / "_shared").is_dir()]
