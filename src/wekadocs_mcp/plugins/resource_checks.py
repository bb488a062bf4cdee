"""Resources and prompts, checked at start: what a client would see in a list and then not get."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.problems import Problem

from .binding import signature_problem, takes, where
from .importing import Plugin
from .resources import Prompt, PromptArgument, Resource


def problems(plugins: Iterable[Plugin]) -> Iterator[Problem]:
    """What clients would see in a list and then not get."""
    owners: dict[tuple[str, str], str] = {}
    for plugin in plugins:
        for kind, handed in ((Resource, plugin.resources), (Prompt, plugin.prompts)):
            what = kind.__name__.lower()
            for each in handed:
                if not isinstance(each, kind):
                    message = f"register_{what}s returned a {type(each).__name__}, not a {kind.__name__}"
                    yield Problem(f"plugin {plugin.name}", message, f"from wekadocs_mcp import {kind.__name__}")
                    continue
                name = each.uri if isinstance(each, Resource) else each.name
                if (what, name) in owners:
                    message = f"{what} `{name}` has two owners: plugin `{owners[what, name]}` and this one"
                    yield Problem(f"plugin {plugin.name}", message, "keep one, or disable one of the plugins")
                owners[what, name] = plugin.name
                yield from _misfits(each, f"{what} `{name}`", plugin)


def views(plugin: Plugin, contract: Contract) -> Iterator[Problem]:
    """The page that a contract names must be there: a client reads it once it has an answer to show."""
    served = [each.uri for each in plugin.resources if isinstance(each, Resource)]
    if contract.view and contract.view not in served and plugin.failure is None:
        hint = "return a Resource with this uri and mime_type text/html;profile=mcp-app from register_resources"
        message = f"plugin `{plugin.name}` serves no resource `{contract.view}`"
        yield problem_in(contract, message, hint, ("view",))


def _misfits(each: Resource | Prompt, what: str, plugin: Plugin) -> Iterator[Problem]:
    """Functions that do not take what they will be given."""
    if isinstance(each, Prompt) and (odd := [one for one in each.arguments if not isinstance(one, PromptArgument)]):
        message = f"the arguments of {what} hold a {type(odd[0]).__name__}, not a PromptArgument"
        yield Problem(f"plugin {plugin.name}", message, "write PromptArgument('name', 'What it is.', required=True)")
        return
    try:
        declared = _variables(each) if isinstance(each, Resource) else [argument.name for argument in each.arguments]
    except ValueError as error:
        hint = "write {name} for a part that varies, {+path} for one with slashes, {?query} at the end"
        yield Problem(f"plugin {plugin.name}", f"{what} is no URI template: {error}", hint)
        return
    main = each.read if isinstance(each, Resource) else each.get
    completing = ["argument", "value", *(["chosen"] if takes(each.complete, "chosen") else [])]
    for job, function, names in (("", main, declared), ("complete of ", each.complete, completing)):
        mismatch = signature_problem(function, names) if function is not None else None
        if function is not None and mismatch:
            hint = f"its parameters are: call{''.join(f', {name}' for name in names)}"
            yield Problem(where(function), f"{job}{what}: {mismatch}", hint)


def _variables(resource: Resource) -> Sequence[str]:
    if not resource.is_template:
        return ()
    from wekadocs_mcp.transports.sdk.entry import enter

    enter()
    from mcp.shared.uri_template import UriTemplate

    return UriTemplate.parse(resource.uri).variable_names
