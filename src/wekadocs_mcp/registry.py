"""The catalogue: contracts and handlers joined, named as they are served, refusing what does not fit together."""

from __future__ import annotations

import fnmatch
import functools
import inspect
import json
import keyword
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import overlay, templates
from .arguments import Filler
from .config import Config
from .contracts import Contract, wire_form
from .errors import HOST_CODES, Problem, StartError, did_you_mean, nearest
from .explain import Checker
from .plugins import Plugin
from .schemas import Schema, properties
from .source import Pointer
from .tools import Handler, mark_of

log = logging.getLogger("wekadocs.registry")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# Switches by which an operator leaves a tool out on purpose: its name is then free for another.
_LEFT_OUT = frozenset({"toolset", "server.include", "server.exclude"})


@dataclass(frozen=True)
class Disabled:
    """Why a tool refuses client calls, and which switch would change that."""

    why: str
    switch: str


@dataclass(eq=False)
class ServedTool:
    """One major of one tool, as this deployment serves it."""

    contract: Contract
    name: str
    plugin: Plugin
    handler: Handler | None
    input: Schema
    describe: Callable[[], str]
    title: str
    budgets: dict[str, Any]
    response_bytes: int
    listed: bool = True
    disabled: Disabled | None = None
    running: int = 0

    @functools.cached_property
    def description(self) -> str:
        """Rendered when a list is asked for: a start from a compiled surface has it in the list already."""
        return self.describe()

    @functools.cached_property
    def check_input(self) -> Checker:
        return Checker(self.input)

    @functools.cached_property
    def check_output(self) -> Checker | None:
        return Checker(self.contract.output) if self.contract.output is not None else None

    @functools.cached_property
    def filler(self) -> Filler:
        return Filler(self.input)

    @functools.cached_property
    def codes(self) -> frozenset[str] | None:
        return None if self.contract.errors is None else HOST_CODES | frozenset(self.contract.errors)

    @functools.cached_property
    def is_async(self) -> bool:
        handler = inspect.unwrap(self.handler) if self.handler else None
        return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(type(handler).__call__)

    @functools.cached_property
    def has_scope(self) -> bool:
        return "scope" in properties(self.input)

    @functools.cached_property
    def mirrors_arguments(self) -> bool:
        """Whether the schema may ask for an argument in a header too; wherever in it the word stands."""
        return '"x-mcp-header"' in json.dumps(self.input)

    @functools.cached_property
    def binding(self) -> Binding:
        assert self.handler is not None
        return Binding.of(self.handler, self.input)

    @functools.cached_property
    def text_template(self) -> Any:
        return templates.answers().from_string(self.contract.text) if self.contract.text else None

    def wire(self, structured: bool) -> dict[str, Any]:
        """The tool as tools/list shows it."""
        return wire_form(self.contract, self.name, self.title, self.description, self.input, structured)


@dataclass(frozen=True)
class Binding:
    """How checked arguments become keyword arguments."""

    names: tuple[str, ...]
    optional: frozenset[str]
    rest: bool
    # Declared, but taken by **rest only.
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, handler: Handler, schema: Schema) -> Binding:
        parameters = list(inspect.signature(handler).parameters.values())[1:]
        rest = any(each.kind is each.VAR_KEYWORD for each in parameters)
        named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
        optional = frozenset(each.name for each in named if each.default is not each.empty)
        names = tuple(each.name for each in named)
        others = tuple(name for name in properties(schema) if name != "scope" and name not in names)
        return cls(names, optional, rest, others if rest else ())

    def keywords(self, arguments: dict[str, Any]) -> dict[str, Any]:
        keywords = {}
        for name in self.names:
            if name in arguments:
                keywords[name] = arguments.pop(name)
            elif name not in self.optional:
                keywords[name] = None
        if self.rest:
            keywords.update(dict.fromkeys(self.others))
            keywords.update(arguments)
        return keywords


def signature_problem(handler: Handler, contract: Contract) -> str | None:
    """A mismatch between a handler's parameters and its contract, in one sentence."""
    try:
        parameters = list(inspect.signature(handler).parameters.values())
    except (TypeError, ValueError):
        return "its parameters cannot be read"
    if not parameters or parameters[0].kind not in (parameters[0].POSITIONAL_ONLY, parameters[0].POSITIONAL_OR_KEYWORD):
        return "its first parameter must be `call`"
    declared = [name for name in properties(contract.input) if name != "scope"]
    rest = any(each.kind is each.VAR_KEYWORD for each in parameters)
    first = parameters[0]
    if first.name in declared and first.kind is not first.POSITIONAL_ONLY:
        return f"`{first.name}` is both its first parameter and an argument: write `{first.name}, /` and take **rest"
    for each in parameters[1:]:
        if each.kind in (each.VAR_POSITIONAL, each.POSITIONAL_ONLY):
            return f"parameter `{each.name}` cannot be passed by name; arguments are keywords"
        if each.kind is not each.VAR_KEYWORD and each.name not in declared:
            return f"parameter `{each.name}` is no property of its input{did_you_mean(each.name, declared)}"
    taken = {each.name for each in parameters[1:]}
    missing = [name for name in declared if name not in taken]
    if missing and not rest:
        odd = [name for name in missing if not name.isidentifier() or keyword.iskeyword(name)]
        way = "take **rest for what is no Python name" if odd else f"add the parameter `{missing[0]}`, or **rest"
        return f"it does not take `{missing[0]}`: {way}"
    return None


@dataclass
class Catalogue:
    """Everything one deployment serves. Immutable by convention: a reload makes a new one."""

    tools: list[ServedTool] = field(default_factory=list)
    callable: dict[str, ServedTool] = field(default_factory=dict)
    by_contract: dict[str, ServedTool] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def listed(self) -> list[ServedTool]:
        return sorted((tool for tool in self.tools if tool.listed and not tool.disabled), key=lambda tool: tool.name)

    def suggestion(self, name: str) -> str | None:
        return nearest(name, [tool.name for tool in self.listed]) or nearest(name, self.callable)


def build(
    config: Config, plugins: Sequence[Plugin], contracts: Mapping[str, list[Contract]], strict: bool = True
) -> Catalogue:
    """Join contracts (by plugin) with handlers. Strict: whatever does not fit together is one StartError."""
    catalogue = Catalogue()
    problems: list[Problem | str] = []
    pairs = _pair(plugins, contracts, problems, catalogue.warnings)
    serving = _Serving(config, [contract for contract, _, _ in pairs])
    for contract, plugin, handler in pairs:
        try:
            tool, found = serving.serve(contract, plugin, handler)
        except StartError as error:
            problems.extend(error.problems)
            continue
        problems.extend(found)
        catalogue.tools.append(tool)
    problems.extend(serving.own_problems())
    _name(catalogue, serving, plugins, problems)
    if problems and strict:
        raise StartError(problems)
    for problem in problems:
        log.warning("%s", problem)
    return catalogue


def _pair(
    plugins: Sequence[Plugin],
    contracts: Mapping[str, list[Contract]],
    problems: list[Problem | str],
    warnings: list[str],
) -> list[tuple[Contract, Plugin, Handler | None]]:
    """Each contract with its plugin and handler."""
    majors: dict[str, dict[int, tuple[Contract, Plugin]]] = {}
    for plugin in plugins:
        for contract in contracts.get(plugin.name, []):
            other = majors.setdefault(contract.name, {}).get(contract.major)
            if other is not None and other[0].file != contract.file:
                message = f"{contract.name} v{contract.major} is declared twice: here and in {other[0].file}"
                problems.append(Problem(contract.file, message, "remove one of the two, or disable one plugin"))
            majors[contract.name].setdefault(contract.major, (contract, plugin))
    handlers: dict[tuple[str, int], tuple[Handler, Plugin]] = {}
    for plugin in plugins:
        for handler in plugin.tools:
            _claim(handler, plugin, majors, handlers, problems)
    return list(_joined(majors, handlers, problems, warnings))


def _where(handler: Handler) -> str:
    code = getattr(inspect.unwrap(handler), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(handler)


def _claim(
    handler: Handler,
    plugin: Plugin,
    majors: Mapping[str, Mapping[int, tuple[Contract, Plugin]]],
    handlers: dict[tuple[str, int], tuple[Handler, Plugin]],
    problems: list[Problem | str],
) -> None:
    """One handler takes its contract, or a problem says why it cannot."""
    mark = mark_of(handler)
    if mark is None:
        hint = "decorate it with @tool('NAME')"
        problems.append(Problem(_where(handler), f"plugin `{plugin.name}` registers a function without @tool", hint))
        return
    found = majors.get(mark.name)
    if not found:
        stem = mark.name.rsplit(".", 1)[-1]
        message = f"tool `{mark.name}` has no contract{did_you_mean(mark.name, majors)}"
        hint = f"write {stem}.v1.yaml (`wekadocs-mcp contracts new {mark.name}`), or correct the name in @tool"
        problems.append(Problem(_where(handler), message, hint))
        return
    if mark.version is None and len(found) > 1:
        versions = ", ".join(str(major) for major in sorted(found))
        hint = f"write @tool({mark.name!r}, version={max(found)})"
        problems.append(Problem(_where(handler), f"`{mark.name}` has the majors {versions}: which one is this?", hint))
        return
    major = next(iter(found)) if mark.version is None else mark.version
    if major not in found:
        hint = f"contracts exist for: {', '.join(f'version={each}' for each in sorted(found))}"
        problems.append(Problem(_where(handler), f"tool `{mark.name}` version {major} has no contract", hint))
        return
    taken = handlers.get((mark.name, major))
    if taken is not None:
        message = f"`{mark.name}` v{major} has two owners: plugin `{taken[1].name}` at {_where(taken[0])} and this one"
        problems.append(Problem(_where(handler), message, "keep one, or disable one of the plugins"))
        return
    mismatch = signature_problem(handler, found[major][0])
    if mismatch:
        hint = f"parameters and {found[major][0].file} must agree"
        problems.append(Problem(_where(handler), f"handler of `{mark.name}`: {mismatch}", hint))
    handlers[mark.name, major] = (handler, plugin)


def _joined(
    majors: Mapping[str, Mapping[int, tuple[Contract, Plugin]]],
    handlers: Mapping[tuple[str, int], tuple[Handler, Plugin]],
    problems: list[Problem | str],
    warnings: list[str],
) -> Iterator[tuple[Contract, Plugin, Handler | None]]:
    for name, found in sorted(majors.items()):
        for major, (contract, plugin) in sorted(found.items()):
            handler, owner = handlers.get((name, major), (None, plugin))
            if handler is None and plugin.failure is None:
                if contract.status == "beta":
                    warnings.append(f"{name} v{major} is beta and has no handler yet: skipped")
                    continue
                hint = f"write @tool({name!r}) in plugin `{plugin.name}`, or say `status: beta` until it exists"
                message = f"contract `{name}` v{major} has no tool"
                problems.append(Problem(contract.file, message, hint))
            yield contract, owner, handler


class _Serving:
    """Decides for each tool whether, under which name and with which words it is served."""

    def __init__(self, config: Config, contracts: Sequence[Contract]) -> None:
        self.config = config
        self.names = sorted({contract.name for contract in contracts})
        self.versioned = [f"{contract.name}.v{contract.major}" for contract in contracts]
        self.bare = bare_majors(contracts)
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
                raise StartError([f"--toolset {name}: there is no such toolset{known}\n  fix: {hint}"])
            toolset = self.config.toolsets[name]
            for tool in self.names:
                if matches(tool, toolset["tools"]):
                    selected[tool] = selected.get(tool, False) or toolset["strip_prefix"]
        return selected

    def serve(self, contract: Contract, plugin: Plugin, handler: Handler | None) -> tuple[ServedTool, list[Problem]]:
        key = self.overlay_key(contract)
        schema, budgets, problems = overlay.apply(contract, self.config, key)
        words = self.config.overlays.get(key, {})
        faults = self._overlay_faults(contract, words, schema, budgets) if words else []
        if faults:
            raise StartError([*problems, *faults])
        tool = ServedTool(
            contract=contract,
            name=self.served_name(contract.name, contract.major),
            plugin=plugin,
            handler=handler,
            input=schema,
            describe=functools.partial(self._description, contract, words, schema, budgets),
            title=words.get("title", contract.title),
            budgets=budgets,
            response_bytes=min(budgets["response_bytes"], self.config.server["max_response_bytes"]),
            listed=self.bare[contract.name] == contract.major or self.config.server["list_versions"],
            disabled=self._disabled(contract),
        )
        return tool, problems

    def overlay_key(self, contract: Contract) -> str:
        """The entry under overlays: that means this major: NAME is the bare name's, NAME.vN any."""
        exact = f"{contract.name}.v{contract.major}"
        is_bare = self.bare[contract.name] == contract.major
        return contract.name if is_bare and exact not in self.config.overlays else exact

    def _overlay_faults(
        self, contract: Contract, words: Mapping[str, Any], schema: Schema, budgets: Mapping[str, Any]
    ) -> list[Problem]:
        context = templates.routing_context(schema, budgets, self.served_name)
        place = ("overlays", self.overlay_key(contract))
        return [
            *self._faults(place, words, ("description", "instructions"), context),
            *self._faults((*place, "routing"), words.get("routing", {}), templates.PARTS, context),
        ]

    def served_name(self, name: str, major: int | None = None, style: str | None = None) -> str:
        """A contract's name as clients see it: toolset, version, prefix and style put on."""
        served = name.split(".", 1)[-1] if (self.selected or {}).get(name) else name
        if major is not None and self.bare.get(name, major) != major:
            served = f"{served}.v{major}"
        served = f"{self.config.server['prefix']}{served}"
        underscore = self.config.server["name_style"] == "underscore" if style is None else style == "underscore"
        return served.replace(".", "_") if underscore else served

    def _faults(
        self, place: Pointer, words: Mapping[str, str], keys: Iterable[str], context: Mapping[str, Any]
    ) -> Iterator[Problem]:
        """The words of tools.yaml that are templates and fail."""
        for key in keys:
            if key in words and (fault := templates.fault(words[key], context)):
                yield self.config.problem((*place, key), f"the template fails: {fault}", templates.KNOWN)

    def _description(
        self, contract: Contract, words: Mapping[str, Any], schema: Schema, budgets: Mapping[str, Any]
    ) -> str:
        context = templates.routing_context(schema, budgets, self.served_name)
        if "description" in words:
            text = f"{templates.render(words['description'], context)}\n{templates.limits_line(schema)}"
        else:
            text = templates.describe({**contract.routing, **words.get("routing", {})}, context, schema)
        if "instructions" in words:
            text = f"{text}\n{templates.render(words['instructions'], context)}"
        if contract.status == "deprecated":
            instead = f": use {self.served_name(contract.replaced_by)} instead" if contract.replaced_by else ""
            text = f"{text}\nDeprecated{instead}."
        return text

    def _disabled(self, contract: Contract) -> Disabled | None:
        server = self.config.server
        if contract.status == "disabled":
            return Disabled("its contract says status: disabled", "status")
        if contract.flag:
            name = contract.flag.removeprefix("!")
            state = self.config.flag(name)
            if state is None:
                hint = f"add it under flags: in {self.config.path}, or set the environment variable"
                raise StartError([Problem(contract.file, f"the flag {name} is unknown", hint, pointer="$.flag")])
            if state == contract.flag.startswith("!"):
                wanted = "false" if state else "true"
                return Disabled(f"{name} is {str(state).lower()}; it needs {wanted}", name)
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

    def own_problems(self) -> Iterator[Problem]:
        """Instructions that fail, and overlays that name no tool; toolsets and include are patterns, and may too."""
        yield from self._faults(("server",), self.config.server, ("instructions",), {"tool": self.served_name})
        known = {*self.names, *self.versioned}
        for name in self.config.overlays:
            if name not in known:
                message = f"no tool is called `{name}`{did_you_mean(name, self.names)}"
                hint = f"served: {', '.join(self.names) or 'none'}"
                yield self.config.problem(("overlays", name), message, hint, at_key=True)


def bare_majors(contracts: Iterable[Contract]) -> dict[str, int]:
    """Which major answers to the bare name: the highest stable one, else the highest there is."""
    best: dict[str, tuple[int, int]] = {}
    rank = {"stable": 2, "deprecated": 1, "beta": 1, "disabled": 0}
    for contract in contracts:
        candidate = (rank[contract.status], contract.major)
        best[contract.name] = max(candidate, best.get(contract.name, (-1, -1)))
    return {name: major for name, (_, major) in best.items()}


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _name(catalogue: Catalogue, serving: _Serving, plugins: Sequence[Plugin], problems: list[Problem | str]) -> None:
    """Every spelling under which a tool can be called; a spelling that means two tools is refused."""
    for tool in catalogue.tools:
        if not _NAME.fullmatch(tool.name):
            message = f"the served name `{tool.name}` is not 1 to 64 of letters, digits, _ . -"
            problems.append(Problem(tool.contract.file, message, "shorten the name, or server.prefix in tools.yaml"))
        if serving.bare[tool.contract.name] == tool.contract.major:
            catalogue.by_contract[tool.contract.name] = tool
        catalogue.by_contract[f"{tool.contract.name}.v{tool.contract.major}"] = tool
    for tool in catalogue.tools:
        if tool.disabled is None or tool.disabled.switch not in _LEFT_OUT:
            _spell(catalogue, tool.name, tool, problems)
    for tool in catalogue.tools:
        for name in _other_spellings(tool, serving):
            for spelling in (name, name.replace(".", "_")):
                catalogue.callable.setdefault(spelling, tool)
    for plugin in plugins:
        for alias, name in plugin.aliases.items():
            target = catalogue.by_contract.get(name)
            if target is None:
                hint = f"tools: {', '.join(serving.names)}"
                problems.append(
                    Problem(f"plugin {plugin.name}", f"alias `{alias}` stands for `{name}`, which is no tool", hint)
                )
            elif catalogue.callable.get(alias, target) is not target:
                problems.append(
                    Problem(f"plugin {plugin.name}", f"alias `{alias}` is already a tool's name", "rename it")
                )
            else:
                catalogue.callable[alias] = target
                catalogue.callable.setdefault(alias.replace(".", "_"), target)


def _spell(catalogue: Catalogue, name: str, tool: ServedTool, problems: list[Problem | str]) -> None:
    for spelling in dict.fromkeys((name, name.replace(".", "_"))):
        other = catalogue.callable.setdefault(spelling, tool)
        if other is not tool:
            first, second = other.contract.name, tool.contract.name
            message = f"`{spelling}` would mean both {first} and {second}"
            hint = "rename one, exclude one (server.exclude), or choose one toolset at a time"
            problems.append(Problem(tool.contract.file, message, hint))


def _other_spellings(tool: ServedTool, serving: _Serving) -> Iterator[str]:
    """Also answered: the versioned form of the bare name, and the contract's own name."""
    yield serving.served_name(tool.contract.name, tool.contract.major, "dotted")
    yield f"{serving.served_name(tool.contract.name, style='dotted')}.v{tool.contract.major}"
    if serving.bare[tool.contract.name] == tool.contract.major:
        yield tool.contract.name
    yield f"{tool.contract.name}.v{tool.contract.major}"
