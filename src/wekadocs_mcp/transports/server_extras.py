"""Resources, prompts and completion: the rest of what MCP clients can ask a server."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.problems import did_you_mean
from wekadocs_mcp.calls import blocks
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.errors import ProtocolError, ToolError, internal_error
from wekadocs_mcp.plugins.binding import takes
from wekadocs_mcp.plugins.importing import Plugin
from wekadocs_mcp.plugins.resources import NO_SUCH_RESOURCE, Prompt, Resource
from wekadocs_mcp.plugins.tools import InputRequired
from wekadocs_mcp.transports.sdk.names import Context, MCPError, UriTemplate, types
from wekadocs_text import one_line

from . import eras
from .clients import is_modern, wire

if TYPE_CHECKING:
    from .server import McpServer

log = logging.getLogger("wekadocs.dispatch")
INVALID_PARAMS, _INTERNAL_ERROR = -32602, -32603
_NOT_FOUND = {True: INVALID_PARAMS, False: -32002}  # by: is the client of the modern era
_MAX_COMPLETIONS = 100
_Ref = types.PromptReference | types.ResourceTemplateReference
_Page = types.PaginatedRequestParams | None


class Extras:
    """Asks the host for its app each time: a reload puts another one there."""

    def __init__(self, host: McpServer) -> None:
        self._host = host
        self._templates: dict[str, UriTemplate] = {}

    async def list_resources(self, ctx: Context, params: _Page) -> Any:
        no_cursor(params)
        return {
            "resultType": "complete",
            "resources": [each.wire() for each, _ in self._host.app.resources if not each.is_template],
        }

    async def list_templates(self, ctx: Context, params: _Page) -> Any:
        no_cursor(params)
        found = [each.wire() for each, _ in self._host.app.resources if each.is_template]
        return {"resultType": "complete", "resourceTemplates": found}

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> Any:
        uri = str(params.uri)
        resource, plugin, variables = self._find_resource(ctx, uri)
        try:
            content = await self._run(resource.read, plugin, self._host.identity(ctx, params), **variables)
        except ToolError as error:
            raise self._not_found(ctx, error.message, uri) from None
        if isinstance(content, InputRequired):
            return self._ask_back(ctx, content)
        return {"resultType": "complete", "contents": _contents(content, uri, resource, plugin)}

    def _find_resource(self, ctx: Context, uri: str) -> tuple[Resource, Plugin, dict[str, Any]]:
        for resource, plugin in self._host.app.resources:
            if resource.uri == uri:
                return resource, plugin, {}
        for resource, plugin in self._host.app.resources:
            if resource.is_template:
                template = self._templates.get(resource.uri) or UriTemplate.parse(resource.uri)
                self._templates[resource.uri] = template
                variables = template.match(uri)
                if variables is not None:
                    return resource, plugin, dict(variables)
        raise self._not_found(ctx, NO_SUCH_RESOURCE, uri)

    @staticmethod
    def _not_found(ctx: Context, message: str, uri: str) -> MCPError:
        return MCPError(_NOT_FOUND[is_modern(ctx)], message, {"uri": uri})

    async def subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self._find_resource(ctx, str(params.uri))
        self._host.clients.of(ctx).uris.add(str(params.uri))
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._host.clients.of(ctx).uris.discard(str(params.uri))
        return types.EmptyResult()

    async def list_prompts(self, ctx: Context, params: _Page) -> Any:
        no_cursor(params)
        return {"resultType": "complete", "prompts": [prompt.wire() for prompt, _ in self._host.app.prompts]}

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> Any:
        prompt, plugin = self._find_prompt(params.name)
        given = dict(params.arguments or {})
        known = {argument.name for argument in prompt.arguments}
        for name in given.keys() - known:  # first: a misspelt name usually explains the missing one
            raise MCPError(
                INVALID_PARAMS, f"Prompt {prompt.name} has no argument {one_line(name)}{did_you_mean(name, known)}"
            )
        for argument in prompt.arguments:
            if argument.required and argument.name not in given:
                raise MCPError(INVALID_PARAMS, f"Prompt {prompt.name} needs the argument {argument.name}.")
        try:
            got = await self._run(prompt.get, plugin, self._host.identity(ctx, params), **given)
        except ToolError as error:
            raise MCPError(INVALID_PARAMS, error.message) from None
        if isinstance(got, InputRequired):
            return self._ask_back(ctx, got)
        messages = [{"role": "user", "content": {"type": "text", "text": got}}] if isinstance(got, str) else got
        _each_fits(messages, blocks.message_problem, f"prompt {prompt.name}", plugin)
        shown = eras.messages(ctx.protocol_version, messages)
        return {"resultType": "complete", "description": prompt.description, "messages": shown}

    @staticmethod
    def _ask_back(ctx: Context, required: InputRequired) -> Any:
        """A prompt or a resource that needs the user's input first."""
        if not is_modern(ctx):
            raise MCPError(INVALID_PARAMS, "This needs input that only a 2026-07-28 client can give.")
        return wire(Outcome(input_required=required), ctx.protocol_version)

    def _find_prompt(self, name: str) -> tuple[Prompt, Plugin]:
        for prompt, plugin in self._host.app.prompts:
            if prompt.name == name:
                return prompt, plugin
        near = did_you_mean(name, [prompt.name for prompt, _ in self._host.app.prompts])
        raise MCPError(INVALID_PARAMS, f"There is no prompt {one_line(name[:100])}{near}")

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> Any:
        owner, plugin = self._completing(params.ref)
        values: list[str] = []
        if owner is not None and plugin is not None and owner.complete is not None:
            argument = params.argument
            caller = self._host.identity(ctx, params)
            asked: dict[str, Any] = {"argument": argument.name, "value": argument.value}
            if takes(owner.complete, "chosen"):
                asked["chosen"] = dict((params.context.arguments if params.context else None) or {})
            try:
                given = await self._run(owner.complete, plugin, caller, **asked)
            except ToolError as error:
                raise MCPError(INVALID_PARAMS, error.message) from None
            values = _texts(given, f"complete of {owner.name}", plugin)
        shown = values[:_MAX_COMPLETIONS]
        completion = {"values": shown, "total": len(values), "hasMore": len(values) > len(shown)}
        return {"resultType": "complete", "completion": completion}

    def _completing(self, ref: _Ref) -> tuple[Prompt | Resource | None, Plugin | None]:
        if isinstance(ref, types.PromptReference):
            return self._find_prompt(ref.name)
        found = [(each, plugin) for each, plugin in self._host.app.resources if each.uri == str(ref.uri)]
        return found[0] if found else (None, None)

    async def _run(self, function: Callable[..., object], plugin: Plugin, caller: Caller, **arguments: Any) -> Any:
        try:
            return await self._host.app.dispatcher.run(function, plugin, caller, arguments)
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None


def no_cursor(params: _Page) -> None:
    if params is not None and params.cursor:
        raise MCPError(INVALID_PARAMS, "Unknown cursor: this list has one page.")


def _contents(content: Any, uri: str, resource: Resource, plugin: Plugin) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"uri": uri, "mimeType": resource.mime_type or "text/plain", "text": content}]
    if isinstance(content, bytes):
        blob = base64.b64encode(content).decode()
        return [{"uri": uri, "mimeType": resource.mime_type or "application/octet-stream", "blob": blob}]
    _each_fits(content, blocks.contents_problem, f"resource {resource.uri}", plugin)
    return [{"uri": uri, **each} for each in content]


def _each_fits(given: object, problem: Callable[[object], str | None], what: str, plugin: Plugin) -> None:
    """What no client could read is our fault: logged under an id, and never sent."""
    if isinstance(given, list | tuple):
        found = next(
            (f"a list whose item {index} {why}" for index, each in enumerate(given) if (why := problem(each))), None
        )
    else:
        found = f"{type(given).__name__}, not text or a list of dicts"
    if found is not None:
        raise _broken(what, found, plugin)


def _texts(given: object, what: str, plugin: Plugin) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _broken(what, f"{type(given).__name__}, not a list of texts", plugin)
    texts = list(given)
    for index, each in enumerate(texts):
        if not isinstance(each, str):
            raise _broken(what, f"a list whose item {index} is of type {type(each).__name__}, not text", plugin)
    return texts


def _broken(what: str, found: str, plugin: Plugin) -> MCPError:
    told = internal_error()
    log.error("id=%s plugin=%s %s returned %s", told.details["id"], plugin.name, what, found)
    return MCPError(_INTERNAL_ERROR, told.message)
