"""Resources and prompts: refused at start where they could not answer, and run like a tool's handler."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from mcp import MCPError

from wekadocs_mcp.errors import ProtocolError, ToolError
from wekadocs_mcp.testing import connect

START = "from wekadocs_mcp import Prompt, PromptArgument, Resource\n"
TOOL = "@tool('demo.echo')\nasync def echo(call, text):\n    return {}\n"


def with_prompt(workshop: Any, function: str, arguments: str = "PromptArgument('title', required=True)") -> None:
    hook = f"@hookimpl\ndef register_prompts():\n    return [Prompt('review', 'Review.', review, [{arguments}])]\n"
    workshop.tool(f"{START}{function}\n{hook}{TOOL}")


def with_resource(workshop: Any, function: str, uri: str, more: str = "") -> None:
    hook = f"@hookimpl\ndef register_resources():\n    return [Resource({uri!r}, 'thing', read{more})]\n"
    workshop.tool(f"{START}{function}\n{hook}{TOOL}")


def asked(workshop: Any, work: Any) -> Any:
    app = workshop.app()

    async def main() -> Any:
        async with connect(app) as client:
            return await work(client)

    return workshop.run(app, main)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("def review(call): ...", "prompt `review`: it does not take `title`"),
        ("def review(title): ...", "its first parameter must be `call`"),
        ("def review(call, titel): ...", "`titel` is none of its arguments — did you mean `title`?"),
        ("async def review(call, title):\n    yield 'x'", "it yields"),
    ],
)
def test_a_prompt_that_does_not_take_its_arguments_is_refused_at_start(
    workshop: Any, function: str, message: str
) -> None:
    with_prompt(workshop, function)
    said = workshop.refusal()
    assert message in said
    assert "echo.py:3" in said
    assert "fix: its parameters are: call, title" in said


@pytest.mark.parametrize(
    ("function", "uri", "message"),
    [
        ("def read(call): ...", "x://{id}", "resource `x://{id}`: it does not take `id`"),
        ("def read(call, id): ...", "x://fixed", "`id` is none of its arguments"),
        ("def read(call, id): ...", "x://{id", "is no URI template"),
        ("def read(call, id): ...", "x://{id*}", "is no URI template"),
    ],
)
def test_a_resource_that_does_not_take_its_variables_is_refused_at_start(
    workshop: Any, function: str, uri: str, message: str
) -> None:
    with_resource(workshop, function, uri)
    assert message in workshop.refusal()


def test_a_completion_takes_argument_and_value(workshop: Any) -> None:
    function = "def complete(call, value): ...\ndef read(call, id): ..."
    with_resource(workshop, function, "x://{id}", ", complete=complete")
    assert "complete of resource `x://{id}`: it does not take `argument`" in workshop.refusal()


def test_what_is_no_prompt_and_what_has_two_owners_is_refused(workshop: Any) -> None:
    hook = "@hookimpl\ndef register_prompts():\n    return [{'name': 'x'}]\n"
    workshop.tool(hook + TOOL)
    assert "register_prompts returned a dict, not a Prompt" in workshop.refusal()
    prompt = "Prompt('review', 'Review.', lambda call: 'x')"
    workshop.tool(f"{START}@hookimpl\ndef register_prompts():\n    return [{prompt}, {prompt}]\n{TOOL}")
    assert "prompt `review` has two owners" in workshop.refusal()


def test_a_prompts_arguments_must_be_prompt_arguments(workshop: Any) -> None:
    with_prompt(workshop, "def review(call, title): ...", "{'name': 'title'}")
    assert "the arguments of prompt `review` hold a dict, not a PromptArgument" in workshop.refusal()


def test_a_misspelt_argument_is_named_before_the_missing_one(workshop: Any) -> None:
    with_prompt(workshop, "def review(call, title):\n    return title")

    async def misspell(client: Any) -> None:
        with pytest.raises(MCPError, match="has no argument titel — did you mean `title`"):
            await client.get_prompt("review", {"titel": "x"})

    asked(workshop, misspell)


def test_a_plain_function_may_give_its_completions_as_a_generator(workshop: Any) -> None:
    from mcp_types import ResourceTemplateReference

    function = "def complete(call, argument, value):\n    return (each for each in 'ab')\ndef read(call, id): ..."
    with_resource(workshop, function, "x://{id}", ", complete=complete")
    reference = ResourceTemplateReference(uri="x://{id}")
    done = asked(workshop, lambda client: client.complete(reference, {"name": "id", "value": ""}))
    assert done.completion.values == ["a", "b"]


@pytest.mark.parametrize(
    ("body", "told", "logged"),
    [
        ("return None", "The server made a mistake", "complete of thing returned NoneType, not a list of texts"),
        ("return 'abc'", "The server made a mistake", "complete of thing returned str, not a list of texts"),
        ("return ['a', 7]", "The server made a mistake", "a list whose item 1 is of type int, not text"),
        ("raise ToolError('NO_TITLES', 'Ingest a book first.')", "Ingest a book first", ""),
    ],
)
def test_a_completion_that_is_none_is_told_plainly(
    workshop: Any, caplog: Any, body: str, told: str, logged: str
) -> None:
    from mcp_types import ResourceTemplateReference

    function = f"def complete(call, argument, value):\n    {body}\ndef read(call, id): ..."
    with_resource(workshop, function, "x://{id}", ", complete=complete")

    async def refused(client: Any) -> None:
        with pytest.raises(MCPError, match=told):
            await client.complete(ResourceTemplateReference(uri="x://{id}"), {"name": "id", "value": ""})

    asked(workshop, refused)
    assert logged in caplog.text


def test_an_optional_argument_that_is_absent_is_none_or_the_parameters_default(workshop: Any) -> None:
    arguments = "PromptArgument('title'), PromptArgument('tone')"
    with_prompt(workshop, "def review(call, title, tone='dry'):\n    return f'{title} {tone}'", arguments)
    got = asked(workshop, lambda client: client.get_prompt("review"))
    assert got.messages[0].content.text == "None dry"


def test_a_template_variable_that_is_absent_is_none(workshop: Any) -> None:
    with_resource(workshop, "def read(call, id, page):\n    return f'{id} {page}'", "x://{id}{?page}")
    read = asked(workshop, lambda client: client.read_resource("x://a"))
    assert read.contents[0].text == "a None"


@pytest.mark.parametrize(
    ("returned", "more", "mime"),
    [
        ("b'\\x00'", "", "application/octet-stream"),
        ("'text'", "", "text/plain"),
        ("b'\\x00'", ", mime_type='image/png'", "image/png"),
        ("[{'text': 'x', 'mimeType': 'text/markdown'}]", "", "text/markdown"),
    ],
)
def test_a_resource_without_a_mime_type_is_labelled_by_what_it_is(
    workshop: Any, returned: str, more: str, mime: str
) -> None:
    with_resource(workshop, f"def read(call):\n    return {returned}", "x://y", more)
    content = asked(workshop, lambda client: client.read_resource("x://y")).contents[0]
    assert content.mime_type == mime
    assert str(content.uri) == "x://y"
    if returned.startswith("b"):
        assert base64.b64decode(content.blob) == b"\x00"


@pytest.mark.parametrize(
    ("returned", "why"),
    [
        ("None", "NoneType, not text or a list of dicts"),
        ("{'a': 1}", "dict, not text"),
        ("[{'mimeType': 's3cret'}]", "item 0 has neither `text` nor `blob`"),
        ("[{'text': 'x'}, {'blob': 's3cret!'}]", "item 1 has a `blob` that is not base64"),
    ],
)
def test_contents_that_no_client_could_read_are_logged_under_the_id_that_is_told(
    workshop: Any, caplog: Any, returned: str, why: str
) -> None:
    with_resource(workshop, f"def read(call):\n    return {returned}", "x://y")

    async def told(client: Any) -> str:
        with pytest.raises(MCPError, match="The server made a mistake") as caught:
            await client.read_resource("x://y")
        return str(caught.value)

    number = asked(workshop, told).rstrip(".").rsplit(" ", 1)[-1]
    assert f"id={number} plugin=echo resource x://y returned" in caplog.text
    assert why in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("returned", "why"),
    [
        ("[{'role': 'user', 'content': 's3cret'}]", "item 0 has a `content` that is of type str, not a dict"),
        ("[{'role': 'system', 'content': {'type': 'text', 'text': 's3cret'}}]", "item 0 needs a `role`"),
        ("7", "int, not text"),
    ],
)
def test_messages_that_no_client_could_read_are_our_fault(workshop: Any, caplog: Any, returned: str, why: str) -> None:
    with_prompt(workshop, f"def review(call, title):\n    return {returned}")

    async def refused(client: Any) -> None:
        with pytest.raises(MCPError, match="The server made a mistake"):
            await client.get_prompt("review", {"title": "x"})

    asked(workshop, refused)
    assert why in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ("raise ToolError('NOT_FOUND', 'No such book.')", ToolError),
        ("raise SystemExit(3)", ProtocolError),
        ("1 / 0", ProtocolError),
    ],
)
def test_a_function_that_fails_leaves_no_message_behind_it(workshop: Any, body: str, raised: type) -> None:
    """What it wanted to tell a client that does not read is not sent after its failure."""
    import asyncio

    from wekadocs_mcp.calls.call import Caller, Client

    heard: list[str] = []

    class Deaf(Client):
        async def progress(self, progress: float, total: float | None, message: str | None) -> None:
            await asyncio.sleep(0.05)
            heard.append("late")

    with_prompt(workshop, f"async def review(call, title):\n    call.progress(1)\n    {body}")
    app = workshop.app()
    (prompt, plugin) = app.prompts[0]

    async def work() -> None:
        with pytest.raises(raised):
            await app.dispatcher.run(prompt.get, plugin, Caller(client=Deaf()), {"title": "x"})
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(others, timeout=1) if others else None
        assert heard == []

    workshop.run(app, work)
