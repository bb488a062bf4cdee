"""Contracts and handlers joined: each contract with its plugin and its handler, or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.problems import Problem, did_you_mean
from wekadocs_mcp.plugins.binding import arguments_of, signature_problem, where
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.tools import Handler, mark_of


def pairs(
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
                problems.append(problem_in(contract, message, "remove one of the two, or disable one plugin"))
            majors[contract.name].setdefault(contract.major, (contract, plugin))
    handlers: dict[tuple[str, int], tuple[Handler, Plugin]] = {}
    for plugin in plugins:
        for handler in plugin.tools:
            _claim(handler, plugin, majors, handlers, problems)
    return list(_joined(majors, handlers, problems, warnings))


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
        problems.append(Problem(where(handler), f"plugin `{plugin.name}` registers a function without @tool", hint))
        return
    found = majors.get(mark.name)
    if not found:
        stem = mark.name.rsplit(".", 1)[-1]
        message = f"tool `{mark.name}` has no contract{did_you_mean(mark.name, majors)}"
        hint = f"write {stem}.v1.yaml (`wekadocs-mcp contracts new {mark.name}`), or correct the name in @tool"
        problems.append(Problem(where(handler), message, hint))
        return
    if mark.version is None and len(found) > 1:
        versions = ", ".join(str(major) for major in sorted(found))
        hint = f"write @tool({mark.name!r}, version={max(found)})"
        problems.append(Problem(where(handler), f"`{mark.name}` has the majors {versions}: which one is this?", hint))
        return
    major = next(iter(found)) if mark.version is None else mark.version
    if major not in found:
        hint = f"contracts exist for: {', '.join(f'version={each}' for each in sorted(found))}"
        problems.append(Problem(where(handler), f"tool `{mark.name}` version {major} has no contract", hint))
        return
    taken = handlers.get((mark.name, major))
    if taken is not None:
        message = f"`{mark.name}` v{major} has two owners: plugin `{taken[1].name}` at {where(taken[0])} and this one"
        problems.append(Problem(where(handler), message, "keep one, or disable one of the plugins"))
        return
    mismatch = signature_problem(handler, arguments_of(found[major][0].input))
    if mismatch:
        hint = f"parameters and {found[major][0].file} must agree"
        problems.append(Problem(where(handler), f"handler of `{mark.name}`: {mismatch}", hint))
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
                problems.append(problem_in(contract, message, hint))
            yield contract, owner, handler
