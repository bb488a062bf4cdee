"""Every spelling under which a tool can be called; a spelling that means two tools is refused."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.problems import Problem
from wekadocs_mcp.plugins.importing import Plugin

from .served import Catalogue, ServedTool

if TYPE_CHECKING:
    from .policy import Offering

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

# Switches by which an operator leaves a tool out on purpose: its name is then free for another.
_LEFT_OUT = frozenset({"toolset", "server.include", "server.exclude"})


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


def spell_out(
    catalogue: Catalogue, offering: Offering, plugins: Sequence[Plugin], problems: list[Problem | str]
) -> None:
    """Every spelling under which a tool can be called; a spelling that means two tools is refused."""
    for tool in catalogue.tools:
        if not _NAME.fullmatch(tool.name):
            message = f"the served name `{tool.name}` is not 1 to 64 of letters, digits, _ . -"
            problems.append(problem_in(tool.contract, message, "shorten the name, or server.prefix in tools.yaml"))
        if offering.bare[tool.contract.name] == tool.contract.major:
            catalogue.by_contract[tool.contract.name] = tool
        catalogue.by_contract[f"{tool.contract.name}.v{tool.contract.major}"] = tool
    for tool in catalogue.tools:
        if tool.disabled is None or tool.disabled.switch not in _LEFT_OUT:
            _spell(catalogue, tool.name, tool, problems)
    for tool in catalogue.tools:
        for name in _other_spellings(tool, offering):
            _also(catalogue, name, tool)
    for plugin in plugins:
        for alias, name in plugin.aliases.items():
            target = catalogue.by_contract.get(name)
            if target is None and offering.is_off(name):
                continue
            if target is None:
                hint = f"tools: {', '.join(offering.names)}"
                problems.append(
                    Problem(f"plugin {plugin.name}", f"alias `{alias}` stands for `{name}`, which is no tool", hint)
                )
            elif catalogue.callable.get(alias, target) is not target:
                problems.append(
                    Problem(f"plugin {plugin.name}", f"alias `{alias}` is already a tool's name", "rename it")
                )
            else:
                catalogue.callable[alias] = target
                _also(catalogue, alias, target)


def _spell(catalogue: Catalogue, name: str, tool: ServedTool, problems: list[Problem | str]) -> None:
    for spelling in dict.fromkeys((name, name.replace(".", "_"))):
        other = catalogue.callable.setdefault(spelling, tool)
        if other is not tool:
            first, second = other.contract.name, tool.contract.name
            message = f"`{spelling}` would mean both {first} and {second}"
            problems.append(problem_in(tool.contract, message, _way_out(spelling, first, second)))


def _way_out(spelling: str, first: str, second: str) -> str:
    if "." in spelling or not first.endswith(f".{spelling}") or not second.endswith(f".{spelling}"):
        return "rename one, or exclude one (server.exclude)"
    return (
        f"together they need their prefix, {first} or {second}: set strip_prefix: false for a toolset, "
        "choose one toolset at a time, or exclude one (server.exclude)"
    )


def _also(catalogue: Catalogue, name: str, tool: ServedTool) -> None:
    """A further name, where it and its underscore form are still free."""
    underscored = name.replace(".", "_")
    for spelling in (name, underscored):
        catalogue.callable.setdefault(spelling, tool)
    if name.count(".") > 1 and catalogue.callable[underscored] is tool:
        catalogue.dotted.setdefault(underscored, name)


def _other_spellings(tool: ServedTool, offering: Offering) -> Iterator[str]:
    """Also answered: the versioned form of the bare name, and the contract's own name."""
    yield offering.served_name(tool.contract.name, tool.contract.major, "dotted")
    yield f"{offering.served_name(tool.contract.name, style='dotted')}.v{tool.contract.major}"
    if offering.bare[tool.contract.name] == tool.contract.major:
        yield tool.contract.name
    yield f"{tool.contract.name}.v{tool.contract.major}"
