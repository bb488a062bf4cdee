"""The Python SDK's own client, in both eras, on both transports, against the installed console script."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

ERAS = ["legacy", "auto"]
TRANSPORTS = ["stdio", "http"]
NAMES = ["wire.change", "wire.echo", "wire.shelf", "wire.slow", "wire.steps"]


@pytest.fixture(scope="module", autouse=True)
def instructed(shared):
    """Instructions, for whoever connects."""
    config = shared.root / "tools.yaml"
    config.write_text("extends: none\nserver: {name: wired, instructions: \"Ask {{ tool('wire.echo') }} first.\"}\n")
    shared.environment["WEKADOCS_CONFIG"] = str(config)
    return shared


@pytest.fixture
def talk(request, shared) -> Callable[..., Any]:
    """talk(transport, era, conversation): connect, run the conversation, within a time."""

    def run(transport: str, era: str, conversation: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
        target = request.getfixturevalue("served").url if transport == "http" else None
        return asyncio.run(asyncio.wait_for(_converse(shared, target, era, conversation, options), 30))

    return run


async def _converse(world, url: str | None, era: str, conversation: Any, options: dict[str, Any]) -> Any:
    async with _client(world, url, era, options) as client:
        return await conversation(client)


@contextlib.asynccontextmanager
async def _client(world, url: str | None, era: str, options: dict[str, Any]) -> AsyncIterator[Any]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command, *arguments = world.arguments()
    server = StdioServerParameters(command=command, args=arguments, env=world.environment)
    with tempfile.TemporaryFile("w+") as errors:
        target = url or stdio_client(server, errlog=errors)
        async with Client(target, mode=era, **options) as client:
            yield client


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_client_finds_calls_reads_and_completes(talk, transport, era):
    from mcp.shared.exceptions import MCPError

    async def everything(client) -> None:
        modern = era == "auto"
        assert client.protocol_version == ("2026-07-28" if modern else "2025-11-25")
        assert client.instructions == "Ask wire.echo first."
        assert client.server_info.name == "wired"
        assert client.server_capabilities.tools.list_changed is True

        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == NAMES and listed.next_cursor is None
        _kept("tools", [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools])
        if modern:
            assert (listed.ttl_ms, listed.cache_scope) == (60_000, "public")

        answer = await client.call_tool("wire.echo", {"value": ["é", 1]})
        assert answer.structured_content == {"value": ["é", 1]} and not answer.is_error
        assert [block.type for block in answer.content] == ["text"] and answer.content[0].text
        same = await client.call_tool("wire_echo", {"value": 1})
        assert same.structured_content == {"value": 1}
        for arguments, code in (({"value": "refuse"}, "NO_VALUE"), ({"valeu": 1}, "INVALID_ARGUMENT")):
            failed = await client.call_tool("wire.echo", arguments)
            assert failed.is_error and failed.structured_content is None
            (block,) = failed.content
            envelope = json.loads(block.text)["error"]
            assert envelope["code"] == code and envelope.keys() == {"code", "message", "details", "retryable"}
            assert block.text == json.dumps(json.loads(block.text), ensure_ascii=False, separators=(",", ":"))
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("wire.ecco", {})
        assert unknown.value.error.code == -32602 and "wire.echo" in unknown.value.error.message

        resources = await client.list_resources()
        assert [str(each.uri) for each in resources.resources] == ["shelf://cover"]
        templates = await client.list_resource_templates()
        assert [each.uri_template for each in templates.resource_templates] == ["shelf://books/{title}"]
        read = await client.read_resource("shelf://books/emma")
        assert read.contents[0].text == "the text of emma" and read.contents[0].mime_type == "text/plain"
        assert (await client.read_resource("shelf://cover")).contents[0].blob == "AP8="
        if modern:
            assert read.cache_scope == "private" and templates.cache_scope == "public"
        for uri in ("shelf://nowhere", "shelf://books/lost"):
            with pytest.raises(MCPError) as missing:
                await client.read_resource(uri)
            assert missing.value.error.code == (-32602 if modern else -32002)

        prompts = await client.list_prompts()
        assert [each.name for each in prompts.prompts] == ["review"]
        assert [(each.name, each.required) for each in prompts.prompts[0].arguments] == [
            ("title", True),
            ("tone", False),
        ]
        got = await client.get_prompt("review", {"title": "Emma"})
        assert got.messages[0].content.text == "Review Emma in a dry tone."
        with pytest.raises(MCPError) as incomplete:
            await client.get_prompt("review", {})
        assert incomplete.value.error.code == -32602

        from mcp_types import PromptReference, ResourceTemplateReference

        for reference in (PromptReference(name="review"), ResourceTemplateReference(uri="shelf://books/{title}")):
            completed = await client.complete(reference, {"name": "title", "value": "be"})
            assert completed.completion.values == ["beta"]

    talk(transport, era, everything)


_seen: dict[str, Any] = {}


def _kept(name: str, value: Any) -> None:
    """The same on both transports and in both eras (what one era has no field for left aside)."""
    assert _seen.setdefault(name, value) == value


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_progress_logs_cancellation_and_changes_reach_the_client(talk, shared, transport, era):
    modern = era == "auto"
    logged: list[tuple[str, Any]] = []
    messages: list[Any] = []

    async def on_log(params: Any) -> None:
        logged.append((params.level, params.data))

    async def on_message(message: Any) -> None:
        messages.append(message)

    async def everything(client) -> None:
        if not modern:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                await client.set_logging_level("warning")
        steps: list[tuple[float, float | None, str | None]] = []

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))

        await client.call_tool("wire.steps", {}, progress_callback=on_progress)
        assert steps == [(n, 3, f"step {n}") for n in (1, 2, 3)]
        assert logged == [("warning", "loud words")]

        note = shared.root / f"note-{transport}-{era}"
        slow = asyncio.create_task(client.call_tool("wire.slow", {"note": str(note)}))
        await until(lambda: note.exists() and note.read_text() == "started")
        slow.cancel()
        await asyncio.wait([slow])
        await until(lambda: note.read_text() == "cancelled")
        assert (await client.call_tool("wire.echo", {"value": 1})).structured_content == {"value": 1}

        if modern:
            from mcp.client.subscriptions import ToolsListChanged

            async with client.listen(tools_list_changed=True) as events:
                await client.call_tool("wire.change", {})
                assert isinstance(await anext(aiter(events)), ToolsListChanged)
        else:
            await client.call_tool("wire.change", {})
            await until(
                lambda: any(getattr(each, "method", "") == "notifications/tools/list_changed" for each in messages)
            )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the client calls logging deprecated
        options = {
            "logging_callback": on_log,
            "message_handler": on_message,
            **({"log_level": "warning"} if modern else {}),
        }
        talk(transport, era, everything, **options)


async def until(look: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not look():  # noqa: ASYNC110 - what is looked at is another process's
            await asyncio.sleep(0.01)


def test_the_sample_tool_and_an_older_client_version(shared):
    """A client that only knows an older revision is answered in it; the sample from the documentation works."""
    server = shared.stdio(plugins=shared.SAMPLE)
    assert server.shake_hands("2024-11-05")["result"]["protocolVersion"] == "2024-11-05"
    tool = server.ask(shared.request(1, "tools/list"))["result"]["tools"][0]
    assert tool["name"] == "demo.hello" and "Defaults: times 1" in tool["description"].replace("=", " ")
    result = server.ask(shared.call(2, "demo.hello", {"who": "Ada", "times": 2}))["result"]
    assert result["content"][0]["text"] == "Hello Ada! Hello Ada!"
