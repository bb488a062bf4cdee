"""Tools that are named somewhere and that no contract has.

A warning, never a refusal: one tools.yaml serves several deployments, and a contract may point to a tool of a plugin
that is not installed here. A tool whose plugin is only switched off is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.format.source import Pointer
from wekadocs_contracts.lint.mentions import Known, in_contract, in_text, routing
from wekadocs_contracts.problems import Problem, did_you_mean
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.plugins import discovery

_HINT = "correct the name, or install and name the plugin that has it"


def _every_branch(tool: Callable[[str], str]) -> Mapping[str, Any]:
    return {"tool": tool, "served": lambda _: True}


def unknown(config: Config, contracts: Sequence[Contract], names: Iterable[str], every_toolset: bool) -> list[Problem]:
    """What one deployment names in vain; `names` are those its tools answer to, which patterns do not look at."""
    known = Known(names, lambda: discovery.known_tools(config))
    declared = Known([contract.name for contract in contracts], lambda: discovery.known_tools(config))
    found = [
        problem_in(contract, _nobody(name, known), _HINT, pointer)
        for contract in contracts
        for pointer, name in in_contract(contract)
        if not known.has(name)
    ]
    for pointer, name in _in_words(config, contracts):
        if not known.has(name):
            found.append(config.problem(pointer, _nobody(name, known), _HINT))
    toolsets = config.toolsets if every_toolset else config.options.toolsets
    for pointer, pattern in _patterns(config, toolsets):
        if not declared.matched(pattern):
            message = f"`{pattern}` matches no tool{did_you_mean(pattern, _patterns_of(declared.all))}"
            found.append(config.problem(pointer, message, _HINT))
    return found


def _nobody(name: str, known: Known) -> str:
    return f"no tool is called `{name}`{did_you_mean(name, known.all)}"


def _in_words(config: Config, contracts: Sequence[Contract]) -> Iterator[tuple[Pointer, str]]:
    """Templates of tools.yaml: the server's instructions and the words of overlays."""
    for name in in_text(config.server.get("instructions") or "", _every_branch):
        yield ("server", "instructions"), name
    for contract in contracts:
        for key in (contract.name, f"{contract.name}.v{contract.major}"):
            words = config.overlays.get(key, {})
            texts: list[tuple[Pointer, str]]
            texts = [((each,), words[each]) for each in ("description", "instructions") if each in words]
            texts += [(("routing", part), text) for part, text in words.get("routing", {}).items()]
            for place, text in texts:
                for name in in_text(text, routing(contract.bounded_input, contract.budgets)):
                    yield ("overlays", key, *place), name


def _patterns(config: Config, toolsets: Iterable[str]) -> Iterator[tuple[Pointer, str]]:
    for key in ("include", "exclude"):
        for index, pattern in enumerate(config.server[key]):
            yield ("server", key, index), pattern
    for name in toolsets:
        toolset = config.toolsets[name]
        for index, pattern in enumerate(toolset["tools"]):
            place: Pointer = ("toolsets", name, index) if toolset["short"] else ("toolsets", name, "tools", index)
            yield place, pattern


def _patterns_of(names: Iterable[str]) -> list[str]:
    """What one may have meant: the names themselves, and each namespace with a star."""
    names = sorted(names)
    return [*names, *sorted({f"{name.rpartition('.')[0]}.*" for name in names if "." in name})]
