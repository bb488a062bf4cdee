"""tools/call of a tool that may take its time, and tasks/get, tasks/update, tasks/cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller, Client
from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.transports.clients import SdkClient, is_modern, wire
from wekadocs_mcp.transports.sdk.names import Context, MCPError, types

from .elsewhere import Elsewhere
from .kept import OVER, Task, Tasks

if TYPE_CHECKING:
    from wekadocs_mcp.app import App
    from wekadocs_mcp.transports.server import McpServer

EXTENSION = "io.modelcontextprotocol/tasks"
_AT_ONCE = 0.25  # seconds: what is answered by then needs no task
_INVALID_PARAMS, _NO_METHOD, _INTERNAL = -32602, -32601, -32603
_HEADER_MISMATCH, _MISSING_CAPABILITY = -32020, -32021
Found = TypeVar("Found")
_NO_TASK = "There is no such task, its time is over, or it is not yours."


class TaskClient(Client):
    """Who made a task, after the request is over: progress is told by tasks/get."""

    def __init__(self, client: SdkClient, ctx: Context, task: Task | None) -> None:
        params: Mapping[str, Any] = ctx.params or {}
        self.name = client.name
        self.protocol_version = client.protocol_version
        self.capabilities = dict(client.capabilities)
        self.input_responses = dict(client.input_responses)
        self.request_state = params.get("requestState")
        self._connected: SdkClient | None = client
        self._task = task

    def leaves(self) -> None:
        self._connected = None

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        if self._task is not None:
            share = f"{progress:g} of {total:g}" if total else f"{progress:g}"
            self._task.says(message or share)
        if self._connected is not None:
            await self._connected.progress(progress, total, message)

    async def log(self, level: str, data: object) -> None:
        if self._connected is not None:
            await self._connected.log(level, data)


class TaskCalls:
    """Of one server."""

    def __init__(self, host: McpServer) -> None:
        self._host = host
        self._tasks = Tasks()
        self.elsewhere = Elsewhere(self._ended, _said)

    @staticmethod
    def offered(app: App) -> bool:
        return any(tool.contract.task for tool in app.catalogue.listed)

    def register(self) -> None:
        for method, handler in (("get", self._get), ("update", self._update), ("cancel", self._cancel)):
            self._host.sdk.add_request_handler(f"tasks/{method}", types.RequestParams, handler)

    def takes(self, ctx: Context) -> bool:
        """Whether this call may become a task, or must."""
        params = ctx.params or {}
        name = params.get("name")
        tool = self._host.app.catalogue.find(name) if isinstance(name, str) else None
        if tool is None or tool.contract.task is None or tool.disabled or not is_modern(ctx):
            return False
        if not _declared(ctx):
            if tool.contract.task == "required":
                raise _undeclared()
            return False
        return isinstance(params.get("arguments", {}), Mapping)

    async def call(self, ctx: Context) -> dict[str, Any]:
        """Its answer, if it is there at once; else a task."""
        given = self._host.identity(ctx)
        assert isinstance(given.client, SdkClient)
        task = self._tasks.new(given.principal)
        client = TaskClient(given.client, ctx, task)
        running = asyncio.ensure_future(self._outcome(replace(given, client=client), ctx.params or {}))
        try:
            done, _ = await asyncio.wait([running], timeout=_AT_ONCE if task is not None else None)
            if task is not None and not done and not await self.elsewhere.begin(task):
                self._forget(task)
                done, _ = await asyncio.wait([running])
        except asyncio.CancelledError:
            running.cancel()
            self._forget(task)
            raise
        if done or task is None:
            self._forget(task)
            return _stamped(self._host, wire(running.result(), ctx.protocol_version))
        client.leaves()
        task.runner = asyncio.ensure_future(self._finish(task, running, client, given, ctx.params or {}))
        return _stamped(self._host, {"resultType": "task", **task.wire()})

    def _forget(self, task: Task | None) -> None:
        if task is not None:
            self._tasks.drop(task)

    async def _outcome(self, caller: Caller, params: Mapping[str, Any]) -> Outcome:
        try:
            return await self._host.app.dispatcher.call(params["name"], params.get("arguments"), caller)
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None

    def _ended(self, task: Task) -> None:
        """At another server, or given up: what is kept for all tells what it has come to."""
        self._tasks.drop(task)
        task.becomes("cancelled")
        if task.runner is not None:
            task.runner.cancel()

    async def _finish(
        self,
        task: Task,
        running: asyncio.Future[Outcome],
        client: TaskClient,
        caller: Caller,
        params: Mapping[str, Any],
    ) -> None:
        """What the call comes to, without the request that began it."""
        await self._come_to(task, running, client, caller, params)
        await self.elsewhere.tell(task)

    async def _come_to(
        self,
        task: Task,
        running: asyncio.Future[Outcome],
        client: TaskClient,
        caller: Caller,
        params: Mapping[str, Any],
    ) -> None:
        try:
            outcome = await running
        except asyncio.CancelledError:
            running.cancel()
            task.becomes("cancelled")
        except MCPError as error:
            told = {"code": error.code, "message": error.error.message}
            task.becomes("failed", error=told if error.error.data is None else {**told, "data": error.error.data})
        except Exception:
            task.becomes("failed", error={"code": _INTERNAL, "message": internal_error().message})
        else:
            if outcome.input_required is None:
                task.becomes("completed", result=_finished(wire(outcome, client.protocol_version)))
                return
            required = outcome.input_required
            client.request_state = required.state
            task.becomes("input_required", asked={key: dict(each) for key, each in required.requests.items()})
            task.again = lambda: self._again(task, client, caller, params)

    def _again(self, task: Task, client: TaskClient, caller: Caller, params: Mapping[str, Any]) -> None:
        """The same call with what the user said."""
        client.input_responses, task.answers = dict(task.answers), {}
        task.becomes("working")
        running = asyncio.ensure_future(self._outcome(replace(caller, client=client), params))
        task.runner = asyncio.ensure_future(self._finish(task, running, client, caller, params))

    # --- tasks/* ---

    async def _get(self, ctx: Context, params: object) -> Any:
        task_id, owner = self._asked(ctx)
        if (task := self._tasks.find(task_id, owner)) is not None:
            return task.detailed()
        return _known(await _reached(self.elsewhere.get(task_id, owner)))

    async def _update(self, ctx: Context, params: object) -> Any:
        task_id, owner = self._asked(ctx)
        given = (ctx.params or {}).get("inputResponses")
        if not isinstance(given, Mapping):
            raise MCPError(_INVALID_PARAMS, "inputResponses is an object of answers, by the keys of inputRequests.")
        if (task := self._tasks.find(task_id, owner)) is not None:
            _said(task, given)
        else:
            _known(await _reached(self.elsewhere.say(task_id, owner, given)))
        return {"resultType": "complete"}

    async def _cancel(self, ctx: Context, params: object) -> Any:
        task_id, owner = self._asked(ctx)
        task = self._tasks.find(task_id, owner)
        if task is None:
            _known(await _reached(self.elsewhere.cancel(task_id, owner)))
        elif task.status not in OVER:
            task.becomes("cancelled")
            if task.runner is not None:
                task.runner.cancel()
            await self.elsewhere.tell(task)
        return {"resultType": "complete"}

    def _asked(self, ctx: Context) -> tuple[str, str]:
        """Which task, and who asks."""
        if not is_modern(ctx) or not self.offered(self._host.app):
            raise MCPError(_NO_METHOD, "Method not found")
        if not _declared(ctx):
            raise _undeclared()
        task_id = (ctx.params or {}).get("taskId")
        _check_routing(ctx, task_id)
        if not isinstance(task_id, str):
            raise MCPError(_INVALID_PARAMS, _NO_TASK)
        return task_id, self._host.identity(ctx).principal


def _said(task: Task, given: Mapping[str, Any]) -> None:
    if task.status == "input_required" and task.answered(given) and task.again is not None:
        task.again()


async def _reached(asked: Awaitable[Found]) -> Found:
    try:
        return await asked
    except ToolError as error:
        raise MCPError(_INTERNAL, error.message, {"retryable": True}) from None


def _known(found: Found) -> Found:
    if not found:
        raise MCPError(_INVALID_PARAMS, _NO_TASK)
    return found


def _declared(ctx: Context) -> bool:
    declared = ctx.session.client_capabilities
    return EXTENSION in ((declared.extensions if declared is not None else None) or {})


def _undeclared() -> MCPError:
    message = f"This needs a client that has the extension {EXTENSION} and says so."
    return MCPError(_MISSING_CAPABILITY, message, {"requiredCapabilities": {"extensions": {EXTENSION: {}}}})


def _check_routing(ctx: Context, task_id: object) -> None:
    """Who routes by the header must not be led elsewhere than the body says."""
    named = ctx.request.headers.get("mcp-name") if ctx.request is not None else task_id
    if named != task_id:
        raise MCPError(_HEADER_MISMATCH, "The header Mcp-Name does not say the taskId of the request.")


def _stamped(host: McpServer, result: dict[str, Any]) -> dict[str, Any]:
    return host.stamped(result)


def _finished(result: dict[str, Any]) -> dict[str, Any]:
    """A result inside of tasks/get, which says of what type it is itself."""
    return {name: value for name, value in result.items() if name != "resultType"}
