"""One call, one straight line: find, check, fill, scope, budgets, interceptors, handler, check."""

from __future__ import annotations

import copy
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from wekadocs_contracts.format.explain import shown
from wekadocs_mcp.catalogue.served import Catalogue, ServedTool
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.plugins.binding import Binding
from wekadocs_mcp.plugins.discovery import known_tools
from wekadocs_mcp.plugins.hookspecs import Interceptor, Proceed
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.lifespans import Lifespans
from wekadocs_mcp.plugins.tools import Returned
from wekadocs_mcp.transports import eras
from wekadocs_text import one_line

from . import answers, budgets, scoping
from .answers import Outcome
from .arguments import apply_aliases, check_plain, clamp, invalid
from .call import Call, Caller, Scope
from .discretion import Discretion
from .pipeline import Pipeline
from .running import carry_out, deeper, is_coroutine
from .telemetry import Served, Telemetry, frames
from .turns import Slot
from .usage import Usage

log = logging.getLogger("wekadocs.dispatch")
UNKNOWN_TOOL, _INTERNAL_ERROR = -32602, -32603
_OF_THE_HOST = ("TIMEOUT", "INTERNAL_ERROR")
T = TypeVar("T")


class Dispatcher:
    """Runs calls against one catalogue."""

    def __init__(
        self,
        config: Config,
        catalogue: Catalogue,
        lifespans: Lifespans,
        interceptors: Sequence[Interceptor] = (),
        telemetry: Telemetry | None = None,
    ) -> None:
        self.config = config
        self.catalogue = catalogue
        self.lifespans = lifespans
        self.telemetry = telemetry or Telemetry()
        self.usage = Usage(config.data_dir, self.telemetry)
        self.structured = config.flag("MCP_STRUCTURED_OUTPUT_ENABLED") is not False
        self.scope = Scope.of(config.scope)
        self.discretion = Discretion(config)
        self._brief = config.server["text"] == "brief"
        self._links = config.server["resource_links"]
        self._queue_seconds: float = config.server["queue_seconds"]
        self._interceptors = tuple(interceptors)
        self._pipeline = Pipeline(lifespans, config.options.dev)

    def served_name(self, contract: str) -> str:
        tool = self.catalogue.by_contract.get(contract)
        return tool.name if tool else contract

    def find(self, name: str) -> ServedTool:
        tool = self.catalogue.find(name)
        if tool is None:
            near = self.catalogue.suggestion(name)
            hint = f" Did you mean {near}?" if near else " tools/list names the tools of this server."
            if name.replace("_", ".", 1) in self._of_plugins_that_are_off or name in self._of_plugins_that_are_off:
                hint = " Its plugin is off here: plugins in tools.yaml, or serve --enable, switches it on."
            echoed = one_line(name[:100])
            raise ProtocolError(UNKNOWN_TOOL, f"Unknown tool: {shown(name)}.{hint}", {"name": echoed})
        return tool

    @functools.cached_property
    def _of_plugins_that_are_off(self) -> set[str]:
        return known_tools(self.config) - self.catalogue.by_contract.keys()

    async def call(self, name: str, arguments: Mapping[str, object] | None, caller: Caller) -> Outcome:
        """A client's call: always an outcome, except for an unknown name or a protocol error a handler raised."""
        started = time.perf_counter()
        tool = self.find(name)
        outcome: Outcome | None = None
        try:
            outcome = await self._answer(tool, arguments, caller)
        except ToolError as error:
            allowed = self._allowed(tool, error)
            outcome = answers.failed(self.discretion.error(allowed), tool.contract)
            outcome.why = allowed.why
        finally:
            self._record(tool, arguments, caller, outcome, time.perf_counter() - started)
            if tool.contract.status == "deprecated":
                self.usage.note(tool.contract.name, caller.client.name, tool.undeclared(arguments or {}))
        return outcome

    def _record(
        self,
        tool: ServedTool,
        arguments: Mapping[str, object] | None,
        caller: Caller,
        outcome: Outcome | None,
        seconds: float,
    ) -> None:
        ended = outcome or Outcome()
        code = outcome.code if outcome else "CANCELLED"
        pointer = tool.known_part(ended.error["error"]["details"].get("path")) if ended.error else ""
        self.telemetry.record(
            Served(tool.contract.name, code, seconds, ended.size, caller.request_id, arguments, ended.whole, pointer)
        )

    async def _answer(self, tool: ServedTool, arguments: Mapping[str, object] | None, caller: Caller) -> Outcome:
        if tool.disabled is not None:
            message = f"{tool.name} is disabled: {tool.disabled.why}."
            raise ToolError("INVALID_ARGUMENT", message, {"reason": "disabled", "switch": tool.disabled.switch})
        checked = self._checked(tool, arguments)
        scope = scoping.narrowed(self.scope, checked.pop("scope", None) if tool.has_scope else None)
        if not self.lifespans.is_up(tool.plugin):
            await self.lifespans.start(tool.plugin)  # which is not the first caller's time
        deadline = budgets.Deadline(tool.budgets["timeout_seconds"], tool.contract.name)
        deadline.slot = slot = tool.places.at_once(caller.asker) or await self._place(tool, caller, deadline)
        try:
            return await self._run(tool, checked, caller, scope, deadline, self.structured)
        finally:
            slot.release()

    async def _place(self, tool: ServedTool, caller: Caller, deadline: budgets.Deadline) -> Slot:
        """One of the tool's places, after a short wait for one's turn."""
        limit = tool.places.limit
        slot = await tool.places.take(caller.asker, min(self._queue_seconds, deadline.remaining()))
        if slot is None:
            message = f"{tool.name} is already answering {limit} calls. Try again in a second."
            details = {"retry_after": 1, "max_concurrency": limit}
            raise ToolError("BUDGET_EXCEEDED", message, details, retryable=True)
        return slot

    def _run(
        self,
        tool: ServedTool,
        arguments: dict[str, object],
        caller: Caller,
        scope: Scope,
        deadline: budgets.Deadline,
        structured: bool,
    ) -> Awaitable[Outcome]:
        """Inside deadline and slot: state, interceptors, handler, and the check of what comes back."""
        call = Call(self, tool.contract.name, caller, scope, deadline, budgets.Budget(tool.response_bytes))
        call.limits, call.failure = tool.limits, tool.contract.failure
        call.text = functools.partial(answers.text_of, tool)
        call.lowered = clamp(arguments, tool.contract.bounds)
        call.arguments = MappingProxyType(arguments)
        alone = not eras.knows(caller.client.protocol_version, "structuredContent")
        finish = functools.partial(answers.finish, tool, structured, self._brief, self._links, alone)
        return self._pipeline.run(call, tool.plugin, functools.partial(self._handled, tool, arguments), finish)

    def _checked(self, tool: ServedTool, arguments: Mapping[str, object] | None) -> dict[str, Any]:
        given = apply_aliases(arguments or {}, tool.contract.argument_aliases)
        check_plain(given)
        try:
            fits = tool.check_input.fits(given)
            found = [] if fits else tool.check_input.violations(given, tool.contract.argument_aliases)
        except Exception as error:
            # A pattern that gives up: the caller sent what it stumbled over, and can send something else.
            message = "The arguments cannot be checked: send shorter or simpler values."
            log.debug("arguments of %s cannot be checked: %s", tool.contract.name, frames(error))
            raise ToolError("INVALID_ARGUMENT", message, {"reason": "too_complex"}) from None
        if not fits:
            raise invalid(tool.name, found)
        return tool.filler.fill(given)

    def _handled(self, tool: ServedTool, arguments: dict[str, object], call: Call[object]) -> Awaitable[Returned]:
        """By the handler, with the interceptors around it."""
        assert tool.handler is not None
        keywords = tool.binding.keywords(dict(arguments))
        proceed: Proceed = functools.partial(carry_out, tool.handler, tool.is_async, keywords)
        for interceptor in reversed(self._interceptors):
            proceed = functools.partial(_intercepted, interceptor, proceed)
        return proceed(call)

    async def run(
        self, function: Callable[..., T | Awaitable[T]], plugin: Plugin, caller: Caller, arguments: Mapping[str, object]
    ) -> T:
        """A resource's or prompt's function: what it raises is a ToolError or a ProtocolError."""
        limits = self.config.budgets
        deadline, budget = budgets.Deadline(limits["timeout_seconds"]), budgets.Budget(limits["response_bytes"])
        name = getattr(function, "__qualname__", plugin.name)
        keywords = Binding.of(function, ()).keywords(dict(arguments))
        work = functools.partial(carry_out, function, is_coroutine(function), keywords)
        call = Call(self, name, caller, self.scope, deadline, budget)
        try:
            return await self._pipeline.run(call, plugin, work, _as_it_is)
        except ToolError as error:
            if error.code in _OF_THE_HOST:
                raise ProtocolError(_INTERNAL_ERROR, error.message) from error.__cause__
            raise self.discretion.error(error) from None

    async def invoke(self, caller: Call[object], name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Another tool within a call: schema, scope, principal and read-only hold; flags and toolsets do not."""
        tool = self.catalogue.by_contract.get(name) or self.catalogue.find(name)
        if tool is None:
            near = self.catalogue.suggestion(name)
            message = f"No tool is called {name}." + (f" Did you mean {near}?" if near else "")
            raise ToolError("INVALID_ARGUMENT", message, {"name": name})
        if self.config.server["read_only"] and not tool.contract.annotations["readOnlyHint"]:
            details = {"reason": "disabled", "switch": "server.read_only"}
            raise ToolError("INVALID_ARGUMENT", f"{tool.name} changes something and the server is read-only.", details)
        # A copy: filling defaults must not change what the caller still holds.
        try:
            checked = self._checked(tool, copy.deepcopy(dict(arguments)))
            scope = scoping.narrowed(caller.scope, checked.pop("scope", None) if tool.has_scope else None)
            with deeper():
                outcome = await self._run(tool, checked, caller.caller, scope, caller.deadline, structured=True)
        except ToolError as error:
            raise self._allowed(tool, error).renamed(tool.contract.error_codes) from error
        if outcome.input_required is not None:
            raise ToolError("BACKEND_UNAVAILABLE", f"{tool.name} needs the user's input; call it directly.")
        return outcome.data if outcome.data is not None else {"content": outcome.content}

    def _allowed(self, tool: ServedTool, error: ToolError) -> ToolError:
        """The error itself, or ours if its code is not one the contract promises."""
        if tool.codes is None or error.code in tool.codes:
            return error
        told = internal_error()
        told.why = what = f"it raised the code {error.code}, which its contract does not list"
        log.error("id=%s tool=%s %s", told.details["id"], tool.contract.name, what)
        return told

    def close(self) -> None:
        self._pipeline.close()
        self.usage.close()


async def _intercepted(interceptor: Interceptor, proceed: Proceed, call: Call[object]) -> Returned:
    return await interceptor(call, proceed)


def _as_it_is(returned: T) -> T:
    return returned
