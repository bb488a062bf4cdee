"""What the pages ask beyond MCP: one small question each, behind the same door, by POST and in JSON only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import HttpReply, HttpRequest, HttpRoute, ToolError

from .static_files import HOME, routes

if TYPE_CHECKING:
    from .desk import Desk

Given = Mapping[str, object]
Answer = Callable[[HttpRequest, Given], Awaitable[dict[str, Any]]]
_STATUS = {"BACKEND_UNAVAILABLE": 503, "TIMEOUT": 504, "BUDGET_EXCEEDED": 409}
_MOST_TEXTS = 200


async def _about(request: HttpRequest, _: Given) -> dict[str, Any]:
    return {"server": dict(request.server_info), "authenticated": request.is_known}


async def _tools(request: HttpRequest, _: Given) -> dict[str, Any]:
    return {"tools": request.overview.tools()}


async def _calls(request: HttpRequest, given: Given) -> dict[str, Any]:
    return request.overview.calls(_whole_number(given, "after"))


async def _settings(request: HttpRequest, _: Given) -> dict[str, Any]:
    return request.overview.settings()


async def _health(request: HttpRequest, _: Given) -> dict[str, Any]:
    return {"findings": await request.overview.health()}


async def _tokens(_: HttpRequest, given: Given) -> dict[str, Any]:
    """How many tokens each of some texts would cost a model."""
    from wekadocs_tokens import NAME, count

    return {"tokens": [count(each) for each in _words(given, "texts")], "tokenizer": NAME}


async def _page(request: HttpRequest, given: Given) -> dict[str, Any]:
    desk: Desk = await request.state()
    start, end = _whole_number(given, "start"), _whole_number(given, "end")
    return await desk.page(_word(given, "section_id"), start, end, _words(given, "among"))


async def _status(request: HttpRequest, _: Given) -> dict[str, Any]:
    desk: Desk = await request.state()
    return await desk.status()


async def _ingest(request: HttpRequest, given: Given) -> dict[str, Any]:
    desk: Desk = await request.state()
    return await desk.ingest(_word(given, "folder"))


async def _stop(request: HttpRequest, _: Given) -> dict[str, Any]:
    desk: Desk = await request.state()
    return await desk.stop_ingest()


async def _bases(_: HttpRequest, __: Given) -> dict[str, Any]:
    from .comparing import bases

    return {"bases": bases()}


async def _diff(_: HttpRequest, given: Given) -> dict[str, Any]:
    from .comparing import compared

    return await compared(_word(given, "base"))


def _word(given: Given, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise ToolError("INVALID_ARGUMENT", f"`{name}` is a text that must be there.")
    return value


def _words(given: Given, name: str) -> list[str]:
    value = given.get(name, [])
    if not isinstance(value, list) or len(value) > _MOST_TEXTS or not all(isinstance(each, str) for each in value):
        raise ToolError("INVALID_ARGUMENT", f"`{name}` is a list of at most {_MOST_TEXTS} texts.")
    return value


def _whole_number(given: Given, name: str) -> int:
    value = given.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ToolError("INVALID_ARGUMENT", f"`{name}` is a whole number.")
    return value


async def _reply(answer: Answer, request: HttpRequest) -> HttpReply:
    """JSON in, JSON out. Another content type is what a page elsewhere could send without being asked first."""
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    given = {} if request.body is None else request.body
    if request.content_type != "application/json" or not isinstance(given, dict):
        refused = ToolError("INVALID_ARGUMENT", "Send a JSON object, as application/json.")
        return HttpReply(refused.envelope(), 415, headers)
    try:
        return HttpReply(await answer(request, given), headers=headers)
    except ToolError as error:
        return HttpReply(error.envelope(), _STATUS.get(error.code, 400), headers)


_ANSWERS: dict[str, Answer] = {
    "about": _about,
    "tools": _tools,
    "calls": _calls,
    "settings": _settings,
    "health": _health,
    "tokens": _tokens,
    "page": _page,
    "status": _status,
    "ingest": _ingest,
    "ingest/stop": _stop,
    "bases": _bases,
    "diff": _diff,
}
ROUTES = [
    *routes(),
    *(HttpRoute("POST", f"{HOME}api/{name}", partial(_reply, answer)) for name, answer in _ANSWERS.items()),
]
