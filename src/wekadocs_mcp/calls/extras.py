"""Resources and prompts beside the tools: checked at start, run with the same `call`, state and deadline."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.problems import Problem
from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.plugins.binding import Binding, signature_problem, where
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.resources import Prompt, PromptArgument, Resource

from . import budgets
from .call import Call, Caller
from .running import cancelling, contained, end, threads
from .telemetry import frames

if TYPE_CHECKING:
    from .dispatch import Dispatcher

log = logging.getLogger("wekadocs.dispatch")
_INTERNAL_ERROR = -32603


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
    for job, function, names in (("", main, declared), ("complete of ", each.complete, ["argument", "value"])):
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


async def run(
    dispatcher: Dispatcher, function: Callable[..., Any], plugin: Plugin, caller: Caller, arguments: Mapping[str, Any]
) -> Any:
    """A resource's or prompt's function: what it raises is a ToolError or a ProtocolError."""
    limits = dispatcher.config.budgets
    deadline = budgets.Deadline(limits["timeout_seconds"])
    budget = budgets.Budget(limits["response_bytes"])
    name = getattr(function, "__qualname__", plugin.name)
    keywords = Binding.of(function, ()).keywords(dict(arguments))
    call: Call[object] | None = None
    try:
        async with asyncio.timeout(limits["timeout_seconds"]) as timer:
            state = await dispatcher.lifespans.state(plugin)
            call = Call(dispatcher, name, caller, dispatcher.scope, deadline, budget, state)
            returned = await _work(functools.partial(function, call, **keywords), function, deadline, name)
            if call._outbox is not None:
                await call._outbox.drain()
            return returned
    except ToolError as error:
        raise dispatcher.discretion.error(error) from None
    except ProtocolError:
        raise
    except BaseException as error:
        end(deadline)
        if not isinstance(error, Exception | SystemExit | asyncio.CancelledError) or cancelling():
            raise
        if isinstance(error, TimeoutError) and timer.expired():
            raise ProtocolError(_INTERNAL_ERROR, budgets.timeout_error(deadline.seconds).message) from None
        told = internal_error()
        log.error("id=%s plugin=%s %s", told.details["id"], plugin.name, frames(error))
        raise ProtocolError(_INTERNAL_ERROR, told.message) from error
    finally:
        if call is not None and call._outbox is not None:
            call._outbox.close()


async def _work(work: Callable[[], Any], function: Callable[..., Any], deadline: budgets.Deadline, name: str) -> Any:
    with deadline.current():
        if inspect.iscoroutinefunction(inspect.unwrap(function)):
            return await contained(work())
        return await threads().run(work, deadline, name)
