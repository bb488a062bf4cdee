"""For each tool: whether, under which name, with which limits and with which words it is served."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, cast

from wekadocs_contracts.format import templates
from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.format.leaving_out import or_another, without_absent
from wekadocs_contracts.format.schemas import Schema, bounded
from wekadocs_contracts.format.source import Pointer
from wekadocs_contracts.problems import Problem, StartError, did_you_mean
from wekadocs_mcp.calls.turns import Places
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.plugins.discovery import known_tools
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.tools import Handler

from . import environment, overlay
from .served import Disabled, ServedTool
from .spelling import bare_majors, matches

_VERSIONED = re.compile(r"(.+)\.v([0-9]+)")


class Words(TypedDict, total=False):
    """What an overlay of tools.yaml may say to a model."""

    title: str
    description: str
    instructions: str
    routing: dict[str, str]


class Offering:
    """Decides for each tool whether, under which name and with which words it is served."""

    def __init__(self, config: Config, contracts: Sequence[Contract], withheld: Mapping[str, str]) -> None:
        """`withheld`: tools that a setting of their plugin takes away, and which one."""
        self.config = config
        self._withheld = withheld
        self.names = sorted({contract.name for contract in contracts})
        self.versioned = [f"{contract.name}.v{contract.major}" for contract in contracts]
        self.bare = bare_majors(contracts)
        self._contracts = {
            contract.name: contract for contract in contracts if self.bare[contract.name] == contract.major
        }
        self.selected = self._selected()

    def _selected(self) -> dict[str, bool] | None:
        """Tools of the chosen toolsets → whether their namespace is stripped; None when no toolset was chosen."""
        chosen = self.config.options.toolsets
        if not chosen:
            return None
        selected: dict[str, bool] = {}
        for name in chosen:
            if name not in self.config.toolsets:
                known = did_you_mean(name, self.config.toolsets)
                hint = f"toolsets in {self.config.path}: {', '.join(self.config.toolsets) or 'none'}"
                raise StartError([Problem(f"--toolset {name}", f"there is no such toolset{known}", hint)])
            toolset = self.config.toolsets[name]
            for tool in self.names:
                if matches(tool, toolset["tools"]):
                    selected[tool] = selected.get(tool, False) or toolset["strip_prefix"]
        return selected

    def serve(self, contract: Contract, plugin: Plugin, handler: Handler | None) -> tuple[ServedTool, list[Problem]]:
        key = self.overlay_key(contract)
        schema, budgets, problems = overlay.apply(contract, self.config, key)
        budgets, limits = environment.apply(contract, self.config, budgets)
        words = cast(Words, self.config.overlays.get(key, {}))
        told = bounded(schema, contract.bounds)
        faults = self._overlay_faults(contract, words, told, budgets) if words else []
        if faults:
            raise StartError([*problems, *faults])
        tool = ServedTool(
            contract=contract,
            name=self.served_name(contract.name, contract.major),
            plugin=plugin,
            handler=handler,
            input=schema,
            describe=functools.partial(self._description, contract, words, told, budgets),
            title=words.get("title", contract.title),
            budgets=budgets,
            limits=limits,
            response_bytes=min(budgets["response_bytes"], self.config.server["max_response_bytes"]),
            places=Places(budgets["max_concurrency"], self.config.server["http"]["peer_share"]),
            listed=self._listed(contract, plugin),
            disabled=self._disabled(contract),
        )
        return tool, problems

    def _listed(self, contract: Contract, plugin: Plugin) -> bool:
        if plugin.spec.hidden:
            return False
        if contract.list_flag and not (plugin.spec.listed or self._is_on(contract, "list_flag")):
            return False
        return bool(self.bare[contract.name] == contract.major or self.config.server["list_versions"])

    def _is_on(self, contract: Contract, key: str) -> bool:
        """Whether the switch that this key of the contract names stands as it says."""
        wanted: str = getattr(contract, key)
        name = wanted.removeprefix("!")
        state = self.config.flag(name)
        if state is None:
            message = f"the flag {name} is unknown{did_you_mean(name, self.config.flags)}"
            hint = f"add it under flags: in {self.config.path}, or set the environment variable"
            raise StartError([problem_in(contract, message, hint, (key,))])
        return state != wanted.startswith("!")

    def overlay_key(self, contract: Contract) -> str:
        """The entry under overlays: that means this major: NAME is the bare name's, NAME.vN any."""
        exact = f"{contract.name}.v{contract.major}"
        is_bare = self.bare[contract.name] == contract.major
        return contract.name if is_bare and exact not in self.config.overlays else exact

    def _overlay_faults(
        self, contract: Contract, words: Words, schema: Schema, budgets: Mapping[str, object]
    ) -> list[Problem]:
        context = templates.routing_context(schema, budgets, self.served_name, self.serves)
        place = ("overlays", self.overlay_key(contract))
        return [
            *self._faults(place, words, ("description", "instructions"), context),
            *self._faults((*place, "routing"), words.get("routing", {}), templates.PARTS, context),
        ]

    def served_name(self, name: str, major: int | None = None, style: str | None = None) -> str:
        """A contract's name as clients see it: toolset, version, prefix and style put on."""
        version = _VERSIONED.fullmatch(name) if name not in self.bare else None
        if version and version[1] in self.bare:
            name, major = version[1], int(version[2])
        served = name.split(".", 1)[-1] if (self.selected or {}).get(name) else name
        if major is not None and self.bare.get(name, major) != major:
            served = f"{served}.v{major}"
        served = f"{self.config.server['prefix']}{served}"
        underscore = self.config.server["name_style"] == "underscore" if style is None else style == "underscore"
        return served.replace(".", "_") if underscore else served

    def _faults(
        self, place: Pointer, words: Mapping[str, object], keys: Iterable[str], context: Mapping[str, object]
    ) -> Iterator[Problem]:
        """The words of tools.yaml that are templates and fail."""
        for key in keys:
            if key in words and (fault := templates.fault(str(words[key]), context)):
                yield self.config.problem((*place, key), f"the template fails: {fault}", templates.KNOWN)

    def _description(self, contract: Contract, words: Words, schema: Schema, budgets: Mapping[str, object]) -> str:
        context = templates.routing_context(schema, budgets, self.served_name, self.serves)
        if "description" in words:
            told = or_another(templates.render(words["description"], context))
            text = f"{told}\n{templates.limits_line(schema)}"
        else:
            text = templates.describe({**contract.routing, **words.get("routing", {})}, context, schema)
        if "instructions" in words:
            text = f"{text}\n{without_absent(templates.render(words['instructions'], context))}".rstrip()
        if contract.status == "deprecated":
            text = f"{text}\nDeprecated{self._instead(contract.replaced_by)}."
        return text

    def _instead(self, name: str | None) -> str:
        """Nobody is sent to a tool that would refuse them here."""
        if not name or not self.serves(name):
            return ""
        return f": use {self.served_name(name)} instead"

    def serves(self, name: str) -> bool:
        """Whether a call of this tool would be answered."""
        version = _VERSIONED.fullmatch(name)
        contract = self._contracts.get(name) or self._contracts.get(version[1] if version else "")
        return contract is not None and self._disabled(contract) is None

    def _disabled(self, contract: Contract) -> Disabled | None:
        server = self.config.server
        if contract.status == "disabled":
            return Disabled("its contract says status: disabled", "status")
        if contract.flag and not self._is_on(contract, "flag"):
            name = contract.flag.removeprefix("!")
            is_now, needs = ("true", "false") if contract.flag.startswith("!") else ("false", "true")
            return Disabled(f"{name} is {is_now}; it needs {needs}", name)
        if contract.name in self._withheld:
            return Disabled(
                f"{self._withheld[contract.name]} in tools.yaml takes it away", self._withheld[contract.name]
            )
        if self.selected is not None and contract.name not in self.selected:
            return Disabled(
                f"it is in none of the chosen toolsets ({', '.join(self.config.options.toolsets)})", "toolset"
            )
        if matches(contract.name, server["exclude"]):
            return Disabled("server.exclude in tools.yaml names it", "server.exclude")
        if server["include"] and not matches(contract.name, server["include"]):
            return Disabled("server.include in tools.yaml does not name it", "server.include")
        if server["read_only"] and not contract.annotations["readOnlyHint"]:
            return Disabled("the server is read-only and this tool changes something", "server.read_only")
        return None

    def _words(self) -> dict[str, Any]:
        """What the server's instructions may name."""
        return templates.naming(self.served_name, self.serves)

    def own_problems(self) -> Iterator[Problem]:
        """Instructions that fail, and overlays that name no tool: what they say could not be checked."""
        yield from self._faults(("server",), self.config.server, ("instructions",), self._words())
        known = {*self.names, *self.versioned}
        for name in self.config.overlays:
            if name not in known and not self.is_off(name):
                message = f"no tool is called `{name}`{did_you_mean(name, self.names)}"
                hint = f"served: {', '.join(self.names) or 'none'}"
                yield self.config.problem(("overlays", name), message, hint, at_key=True)

    def is_off(self, name: str) -> bool:
        """Whether this is a tool of a plugin that is off: it may be named, and has no effect until it is on."""
        version = _VERSIONED.fullmatch(name)
        bare = version[1] if version else name
        return bare not in self.names and bare in self._known

    @functools.cached_property
    def _known(self) -> set[str]:
        return known_tools(self.config)
