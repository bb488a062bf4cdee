"""A handler that fails, on purpose or not: what the caller is told, what the log is told, and nothing more."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from wekadocs_mcp.errors import ProtocolError
from wekadocs_mcp.testing import CheckFailed, check_plugin

from .outcomes import error


def test_a_tool_error_becomes_the_envelope(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        raise ToolError("NO_NAME", "Pass a name.", details={"name": text})
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo", {"text": "ä"}).error == {
        "error": {"code": "NO_NAME", "message": "Pass a name.", "details": {"name": "ä"}, "retryable": False}
    }


@pytest.mark.parametrize("promised", [True, False])
def test_whether_a_call_may_be_repeated_is_what_its_contract_declares(workshop: Any, promised: bool) -> None:
    raising = f"raise ToolError('BUSY' if text == 'b' else 'OTHER', 'Later.', retryable={not promised})"
    workshop.tool(
        f"@tool('demo.echo')\nasync def echo(call, text):\n    {raising}\n",
        error_details={"BUSY": {"retryable": promised}, "OTHER": {"description": "Says nothing of it."}},
    )
    app = workshop.app()
    outcome = workshop.call(app, "demo.echo", {"text": "b"})
    assert error(outcome)["retryable"] is promised
    assert json.loads(outcome.content[0]["text"])["error"]["retryable"] is promised
    assert error(workshop.call(app, "demo.echo", {"text": "o"}))["retryable"] is not promised


@pytest.mark.parametrize("details", ["{'x': float('nan')}", "{('a', 'b'): 1}", "{'x': '\\ud800'}", "{'x': object()}"])
def test_a_tool_error_always_reaches_the_wire(workshop: Any, details: str) -> None:
    raising = f"raise ToolError('NO', 'It \\ud800 is so.', details={details})"
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    {raising}\n")
    outcome = workshop.call(workshop.app(), "demo.echo")
    told = json.loads(outcome.content[0]["text"].encode(), parse_constant=pytest.fail)
    assert told["error"]["code"] == "NO"
    json.dumps(outcome.error, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("errors", "code"), [(["OTHER"], "INTERNAL_ERROR"), (["NO_NAME"], "NO_NAME"), (None, "NO_NAME")]
)
def test_only_listed_codes_leave_the_host(workshop: Any, caplog: Any, errors: Any, code: str) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError('NO_NAME', 'Secret words.')\n",
        errors=errors,
    )
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == code
    if code == "INTERNAL_ERROR":
        assert "Secret" not in told["message"]
        assert "NO_NAME" in caplog.text


@pytest.mark.parametrize(
    "code", ["INVALID_ARGUMENT", "SCOPE_VIOLATION", "BACKEND_UNAVAILABLE", "TIMEOUT", "BUDGET_EXCEEDED"]
)
def test_the_hosts_own_codes_are_always_allowed(workshop: Any, code: str) -> None:
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError({code!r}, 'So.')\n", errors=[])
    assert error(workshop.call(workshop.app(), "demo.echo"))["code"] == code


BROKEN = {
    "wrong type": "return {'n': 's3cret'}",
    "missing field": "return {'s3cret': 1}",
    "an exception": "raise RuntimeError('s3cret')",
    "no dict": "return 's3cret'",
    "nothing": "return None",
    "not json": "return {'n': 1, 'x': {'s3cret'}}",
    "nan": "return {'n': 1, 'x': [float('nan'), 's3cret']}",
    "a surrogate": "return {'n': 1, 'x': 's3cret\\ud800'}",
    "a circle": "a = {'n': 1, 'x': 's3cret'}; a['a'] = a; return a",
    "numbers as names": "return {'n': 1, 7: 's3cret', 'o': {1: 2}}",
    "an exit": "raise SystemExit('s3cret')",
    "a stopped iteration": "next(iter(()))",
    "a cancellation of its own": "import asyncio; raise asyncio.CancelledError('s3cret')",
    "a timeout of its own": "raise TimeoutError('s3cret')",
    "a bad error code": "raise ToolError('s3cret code', 'x')",
    "an answer without data": "return Answer(None, content=[{'type': 'text', 'text': 's3cret'}])",
}


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_promise_is_our_fault_and_tells_nothing(workshop: Any, caplog: Any, kind: str, body: str) -> None:
    caplog.set_level(logging.DEBUG)
    output = {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"type": "integer"}, "o": {"type": "object", "maxProperties": 0}},
    }
    workshop.tool(
        f"@tool('demo.echo')\n{kind} echo(call, text):\n    {body}\n", output=output, budgets={"timeout_seconds": 5}
    )
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert told["code"] == "INTERNAL_ERROR"
    assert told["details"]["id"] in told["message"]
    assert "s3cret" not in json.dumps(told)
    assert told["details"]["id"] in caplog.text
    assert "s3cret" not in caplog.text


UNFIT = {
    "datetime": ("{'rows': [1, {'at': __import__('datetime').datetime.now()}]}", "is not JSON at /rows/1/at: datetime"),
    "nan": ("{'rows': [0.1, float('nan')]}", "is not JSON at /rows/1: float"),
    "a surrogate": ("{'word': 'a\\ud800'}", "is not JSON at /word: str"),
    "a tuple as a name": ("{'o': {(1, 2): 3}}", "is not JSON at /o: a name that is no text"),
    "a number as a name": ("{7: 8}", "a name in it is no text"),
    "a list as data": ("Answer([1])", "the data of its Answer is of type list"),
}


@pytest.mark.parametrize(("value", "why"), UNFIT.values(), ids=UNFIT.keys())
def test_what_json_cannot_carry_is_logged_with_its_place_and_type(
    workshop: Any, caplog: Any, value: str, why: str
) -> None:
    code = f"@tool('demo.echo')\nasync def echo(call, text):\n    return {value}\n"
    workshop.tool(code, output={"type": "object"})
    error(workshop.call(workshop.app(), "demo.echo"))
    assert why in caplog.text


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_a_timeout_of_the_handlers_own_is_logged_with_its_place(workshop: Any, caplog: Any, kind: str) -> None:
    path = workshop.tool(f"@tool('demo.echo')\n{kind} echo(call, text):\n    raise TimeoutError\n")
    error(workshop.call(workshop.app(), "demo.echo"))
    assert str(path.with_name("echo.py")) in caplog.text


def test_a_failure_does_not_flood_the_context(workshop: Any) -> None:
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n"
        "    raise ToolError('TOO_MUCH', 'Ask for less. ' + 'x' * 100_000, {'rows': list(range(10_000))})\n"
    )
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert error(outcome)["message"].startswith("Ask for less. ")
    assert outcome.size < 16_384


def test_an_output_violation_is_logged_with_its_place(workshop: Any, caplog: Any) -> None:
    output = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "integer"}}}}
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [1, 's3cret']}\n", output=output
    )
    error(workshop.call(workshop.app(), "demo.echo"))
    assert "/rows/1 (type integer)" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_missing_field_of_an_answer_is_named_for_the_author_alone(workshop: Any, caplog: Any) -> None:
    row = {"type": "object", "required": ["title"], "properties": {"rank": {"type": "integer"}}}
    output = {"type": "object", "required": ["total"], "properties": {"rows": {"type": "array", "items": row}}}
    example = {"arguments": {}}
    code = "@tool('demo.echo')\nasync def echo(call, text):\n    return {'rows': [{'rank': 's3cret'}]}\n"
    workshop.tool(code, output=output, examples=[example])
    told = error(workshop.call(workshop.app(), "demo.echo"))
    assert not any(word in json.dumps(told) for word in ("total", "title", "rank"))
    for what in ("/total is missing", "/rows/0/title is missing", "/rows/0/rank (type integer)"):
        assert what in caplog.text
    assert "s3cret" not in caplog.text
    with pytest.raises(CheckFailed, match="/total is missing"):
        check_plugin(workshop.tools)
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(("size", "code"), [(989, "OK"), (990, "BUDGET_EXCEEDED")])
def test_an_answer_over_its_budget_is_refused_never_cut(workshop: Any, size: int, code: str) -> None:
    code_text = "@tool('demo.echo')\nasync def echo(call, n):\n    return {'x': 'é' + 'a' * (n - 1)}\n"
    workshop.tool(
        code_text, input={"type": "object", "properties": {"n": {"type": "integer"}}}, budgets={"response_bytes": 998}
    )
    outcome = workshop.call(workshop.app(), "demo.echo", {"n": size})
    assert outcome.code == code
    if code != "OK":
        assert error(outcome)["details"] == {"bytes": 999, "response_bytes": 998}


def test_max_response_bytes_is_over_every_tools_budget(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_RESPONSE_BYTES", "2000")
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'x': 'a' * 3000}\n",
        budgets={"response_bytes": 9999},
    )
    assert workshop.call(workshop.app(), "demo.echo").code == "BUDGET_EXCEEDED"


def test_rows_that_fit_the_budget_make_an_answer_that_does(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        rows = []
        while call.budget.fits(row := {"id": len(rows), "text": "ä" * 50}):
            rows.append(row)
        return {"rows": rows, "partial": True}
    """
    workshop.tool(code, budgets={"response_bytes": 4096})
    outcome = workshop.call(workshop.app(), "demo.echo")
    assert outcome.code == "OK"
    assert len(outcome.data["rows"]) > 20


def test_a_handler_may_end_a_call_with_a_protocol_error(workshop: Any) -> None:
    workshop.tool(
        "from wekadocs_mcp import ProtocolError\n@tool('demo.echo')\nasync def echo(call, text):\n"
        "    raise ProtocolError(-32001, 'gone', {'x': 1})\n"
    )
    with pytest.raises(ProtocolError) as caught:
        workshop.call(workshop.app(), "demo.echo")
    assert (caught.value.code, caught.value.data) == (-32001, {"x": 1})
