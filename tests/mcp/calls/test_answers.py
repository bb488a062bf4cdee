"""From what a handler returns to what a client reads: structure, text, links, content."""

from __future__ import annotations

from typing import Any

import pytest

from .outcomes import ANYTHING, error


def test_a_plain_function_runs_in_a_thread(workshop: Any) -> None:
    code = """
    import threading
    @tool("demo.echo")
    def echo(call, text):
        return {"main": threading.current_thread() is threading.main_thread()}
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo").data == {"main": False}


@pytest.mark.parametrize(
    "code",
    [
        "@tool('demo.echo')\n@functools.wraps(inner)\nasync def echo(call, text):\n    return inner(call, text)\n",
        "class Echo:\n    async def __call__(self, call, text):\n        return {'got': text}\n"
        "echo = tool('demo.echo')(Echo())\n",
        "async def base(x, call, text):\n    return {'got': text}\n"
        "echo = tool('demo.echo')(functools.partial(base, 1))\n",
        "@tool('demo.echo')\ndef echo(call, text):\n    return later(call, text)\n",
    ],
    ids=["async wrapper", "callable object", "partial", "def that returns a coroutine"],
)
def test_every_kind_of_callable_can_be_a_handler(workshop: Any, code: str) -> None:
    start = (
        "import functools\ndef inner(call, text):\n    return {'got': text}\n"
        "async def later(call, text):\n    return {'got': text}\n"
    )
    workshop.tool(start + code)
    assert workshop.call(workshop.app(), "demo.echo", {"text": "a"}).data == {"got": "a"}


def test_an_answer_brings_links_and_content_beside_its_text(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        links = [{"uri": "demo://a", "name": "a", "size": 3}]
        return Answer({"n": 1}, links=links, content=[{"type": "image", "data": "AA==", "mimeType": "image/png"}])
    """
    workshop.tool(code)
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert outcome.data == {"n": 1}
    assert outcome.content == [
        {"type": "text", "text": "n: 1"},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "demo://a", "name": "a", "size": 3},
    ]
    quiet = workshop.call(workshop.app({"server": {"resource_links": False}}), "demo.echo")
    assert [block["type"] for block in quiet.content] == ["text", "image"]


def test_the_text_comes_from_the_contracts_template(workshop: Any) -> None:
    text = "{% for r in got.rows %}{{ r }}\n{% else %}Nothing found.{% endfor %}"
    workshop.echo(text=text, input=ANYTHING)
    app = workshop.app()
    assert workshop.call(app, "demo.echo", {"rows": ["a", "b"]}).content[0]["text"] == "a\nb"
    assert workshop.call(app, "demo.echo", {"rows": []}).content[0]["text"] == "Nothing found."


@pytest.mark.parametrize("text", [None, "state: {{ state }}"])
def test_a_member_of_an_enum_reads_in_the_text_as_in_the_structure(workshop: Any, text: str | None) -> None:
    code = """
    import enum
    class State(str, enum.Enum):
        OPEN = "open"
    @tool("demo.echo")
    async def echo(call, text):
        return {"state": State.OPEN}
    """
    workshop.tool(code, text=text)
    assert workshop.call(workshop.app(), "demo.echo").content[0]["text"] == "state: open"


def test_a_text_template_that_fails_falls_back_to_minified_json(workshop: Any, caplog: Any) -> None:
    workshop.echo(text="{{ got.secret / 2 }}", input=ANYTHING)
    outcome = workshop.call(workshop.app(), "demo.echo", {"secret": "s3cret"})
    assert outcome.content[0]["text"] == '{"got":{"secret":"s3cret"}}'
    assert "text template of demo.echo failed" in caplog.text
    assert "s3cret" not in caplog.text


def test_an_absent_list_in_a_text_template_is_an_empty_one(workshop: Any) -> None:
    workshop.echo(text="{% for r in results %}{{ r }}{% else %}Nothing found.{% endfor %}")
    assert workshop.call(workshop.app(), "demo.echo").content[0]["text"] == "Nothing found."


def test_an_interceptor_sees_the_checked_arguments(workshop: Any) -> None:
    workshop.tool(
        "from wekadocs_mcp import hookimpl, tool\n"
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'got': text}\n"
        "async def note(call, proceed):\n    return {**await proceed(call), 'seen': dict(call.arguments)}\n"
        "@hookimpl\ndef register_interceptors():\n    return [note]\n"
    )
    outcome = workshop.call(workshop.app(), "demo.echo", {"text": "x"})
    assert outcome.data["seen"] == {"text": "x"}


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "GeneratorExit", "SystemExit"])
def test_a_handler_cannot_end_the_server(workshop: Any, kind: str, raised: str) -> None:
    workshop.tool(f"@tool('demo.echo')\n{kind} echo(call, text):\n    raise {raised}\n")
    assert workshop.call(workshop.app(), "demo.echo").code == "INTERNAL_ERROR"


BLOCKS = {
    "no dict": ("'s3cret'", "content[0] of its answer is of type str, not a dict"),
    "an unknown type": ("{'type': 's3cret'}", "needs a `type`: text, image"),
    "no data": ("{'type': 'image', 'mimeType': 'image/png'}", "no text as `data`"),
    "raw bytes": ("{'type': 'image', 'mimeType': 'image/png', 'data': b's3cret'}", "no text as `data`"),
    "no base64": ("{'type': 'audio', 'mimeType': 'audio/wav', 'data': 's3cret!'}", "base64.b64encode(raw).decode()"),
    "an empty resource": ("{'type': 'resource', 'resource': {'uri': 'a://s3cret'}}", "neither `text` nor `blob`"),
    "a set in it": (
        "{'type': 'text', 'text': 'x', 'annotations': {'audience': {'s3cret'}}}",
        "/annotations/audience: set",
    ),
}


@pytest.mark.parametrize(("block", "why"), BLOCKS.values(), ids=BLOCKS.keys())
def test_a_content_block_that_no_client_could_read_is_our_fault_and_logged_with_its_place(
    workshop: Any, caplog: Any, block: str, why: str
) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{}}, content=[{block}])\n")
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == "INTERNAL_ERROR"
    assert why in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("link", ["'demo://a'", "{'uri': 'demo://a'}"])
def test_a_link_needs_its_name_also_where_links_are_off(workshop: Any, caplog: Any, link: str) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{}}, links=[{link}])\n")
    app = workshop.app({"server": {"resource_links": False}})
    assert error(workshop.call(app, "demo.echo"))["code"] == "INTERNAL_ERROR"
    assert "links[0] of its answer" in caplog.text


def test_the_text_is_never_empty(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {}\n")
    workshop.echo("demo.blank", text="{% if false %}x{% endif %}")
    app = workshop.app()
    assert workshop.call(app, "demo.echo").content[0]["text"].strip()
    assert workshop.call(app, "demo.blank").content[0]["text"].strip()


def test_brief_text_is_one_line(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [1, 2], 'x': 1}\n")
    outcome = workshop.call(workshop.app({"server": {"text": "brief"}}), "demo.echo")
    assert outcome.content == [{"type": "text", "text": "Echo: 2 rows."}]


def test_without_structured_output_the_text_is_minified_json_alone(
    workshop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "off")
    workshop.echo(output={"type": "object"}, text="words")
    app = workshop.app()
    assert "outputSchema" not in app.tools_list()["tools"][0]
    outcome = workshop.call(app, "demo.echo", {"text": "é"})
    assert outcome.data is None
    assert outcome.content == [{"type": "text", "text": '{"got":{"text":"é"}}'}]


def test_without_structured_output_links_and_other_blocks_stay_beside_the_text(
    workshop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "off")
    link = {"uri": "x://y", "name": "y"}
    block = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    workshop.tool(
        f"@tool('demo.echo')\nasync def echo(call, text):\n    return Answer({{'a': 1}}, [{link}], [{block}])\n"
        f"@tool('demo.outer')\nasync def outer(call, text):\n    return await call.invoke('demo.echo')\n"
    )
    workshop.tool("", "demo.outer")
    text = {"type": "text", "text": '{"a":1}'}
    app = workshop.app()
    assert workshop.call(app, "demo.echo").content == [text, block, {"type": "resource_link", **link}]
    assert workshop.call(app, "demo.outer").content == [text]
    app = workshop.app({"server": {"resource_links": False}})
    assert workshop.call(app, "demo.echo").content == [text, block]
