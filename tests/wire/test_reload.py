"""Hot reload with --dev: edits are served without a restart, broken ones are shown and change nothing."""

from __future__ import annotations

import json

import pytest

ADDED = "from wekadocs_mcp import tool\n@tool('wire.added')\nasync def added(call): return {'added': True}\n"
CHANGED = "notifications/tools/list_changed"


class Dev:
    """A server under --dev with a listening client: the same to a test on either transport and in either era."""

    def __init__(self, world, transport: str, *, modern: bool) -> None:
        self.world, self.modern = world, modern
        self.heard: list[str] = []
        self._number = 10
        if transport == "stdio":
            self.server = world.stdio("--dev")
            self._open_stdio()
        else:
            self.server = world.http("--dev")
            self._open_http()

    def _open_stdio(self) -> None:
        self.ask = self._ask_stdio
        if self.modern:
            self.server.write(self._listen())
            while "acknowledged" not in self.server.read().get("method", ""):
                pass
        else:
            self.server.shake_hands()

    def _open_http(self) -> None:
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        self._stream = self.server.connect()
        if self.modern:
            self.ask = lambda message: self.server.post_modern(message).message
            headers |= {"MCP-Protocol-Version": self.world.MODERN, "Mcp-Method": "subscriptions/listen"}
            self._stream.request("POST", "/_mcp", json.dumps(self._listen()), headers)
        else:
            session = self.server.session()
            self.ask = lambda message: self.server.post(message, **session).message
            headers |= {name.replace("_", "-"): value for name, value in session.items()}
            self._stream.request("GET", "/_mcp", headers=headers)
        self._events = self._stream.getresponse()

    def _listen(self) -> dict:
        wanted = {"notifications": {"toolsListChanged": True, "promptsListChanged": True}}
        return self.world.request("listen", "subscriptions/listen", wanted, modern=True)

    def _ask_stdio(self, message: dict) -> dict:
        answer = self.server.ask(message)
        self.heard += [each.get("method", "") for each in self.server.unasked]
        self.server.unasked.clear()
        return answer

    def tools(self) -> dict[str, dict]:
        self._number += 1
        result = self.ask(self.world.request(self._number, "tools/list", modern=self.modern))["result"]
        return {tool["name"]: tool for tool in result["tools"]}

    def call(self, tool: str, arguments: dict | None = None) -> dict:
        self._number += 1
        return self.ask(self.world.call(self._number, tool, arguments or {}, modern=self.modern))["result"]

    def hears(self, method: str) -> bool:
        """Waits for the notification, by polling what comes with answers, or in the stream of events."""
        if not hasattr(self, "_events"):
            self.world.eventually(lambda: self.tools() and method in self.heard)
            return True
        while method.encode() not in self._events.readline():
            pass
        return True

    def close(self) -> None:
        if hasattr(self, "_stream"):
            self._stream.close()


@pytest.mark.parametrize(("transport", "modern"), [("stdio", False), ("http", True)])
def test_edits_are_served_without_a_restart(furnished, transport, modern):
    dev = Dev(furnished, transport, modern=modern)
    contract, handler = furnished.tools / "echo.v1.yaml", furnished.tools / "echo.py"
    good_contract, good_handler = contract.read_text(), handler.read_text()
    assert dev.tools()["wire.echo"]["title"] == "Test echo"

    # An edited contract, and every client hears of it.
    contract.write_text(good_contract.replace("Test echo", "Test anew"))
    assert dev.hears(CHANGED)
    assert dev.tools()["wire.echo"]["title"] == "Test anew"

    # An edited handler is live; the list did not change.
    handler.write_text(good_handler.replace('{"value": value}', '{"value": "edited"}', 2))
    furnished.eventually(lambda: dev.call("wire.echo", {"value": 1}).get("structuredContent") == {"value": "edited"})

    # A broken contract: the last good version goes on, and the mistake is shown with a caret.
    contract.write_text(good_contract.replace('"status": "stable"', '"status": "wobbly"'))
    furnished.eventually(lambda: "wobbly" in dev.server.err.text and "^" in dev.server.err.text)
    furnished.eventually(lambda: "last good version" in dev.server.err.text)
    assert "echo.v1.yaml:" in dev.server.err.text
    assert dev.tools()["wire.echo"]["title"] == "Test anew"
    assert dev.call("wire.echo", {"value": 1})["structuredContent"] == {"value": "edited"}
    contract.write_text(good_contract)
    assert dev.hears(CHANGED)

    # A handler that is no Python: the same.
    handler.write_text("def broken(:\n")
    furnished.eventually(lambda: "SyntaxError" in dev.server.err.text)
    assert dev.call("wire.echo", {"value": 1})["structuredContent"] == {"value": "edited"}
    handler.write_text(good_handler)
    furnished.eventually(lambda: dev.call("wire.echo", {"value": 2}).get("structuredContent") == {"value": 2})

    # An added drop-in, and one that is taken away.
    furnished.tool("wire.added", ADDED)
    furnished.eventually(lambda: "wire.added" in dev.tools())
    assert dev.call("wire.added")["structuredContent"] == {"added": True}
    for file in furnished.tools.glob("added.*"):
        file.unlink()
    furnished.eventually(lambda: "wire.added" not in dev.tools())
    dev.close()
    if transport == "stdio":
        dev.server.end_of_input()
        assert dev.server.gone_within(1.5) == 0


def test_a_new_tool_is_announced_to_the_other_pairs_of_era_and_transport(furnished):
    """And nothing else is: no prompt changed."""
    listeners = [Dev(furnished, "stdio", modern=True), Dev(furnished, "http", modern=False)]
    furnished.tool("wire.added", ADDED)
    for dev in listeners:
        assert dev.hears(CHANGED)
        assert "wire.added" in dev.tools()
        dev.close()
    assert "notifications/prompts/list_changed" not in listeners[0].heard


STATEFUL = """
import asyncio
import contextlib
import pathlib
from wekadocs_mcp import hookimpl, tool

@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    state = {"version": 1, "open": True}
    yield state
    state["open"] = False

@tool("wire.stateful")
async def stateful(call, note):
    pathlib.Path(note).write_text("started")
    while not pathlib.Path(note + ".go").exists():
        await asyncio.sleep(0.01)
    return dict(call.state)
"""


def test_a_call_under_way_is_finished_by_the_version_it_began_with(furnished):
    furnished.tool("wire.stateful", STATEFUL, {"note": {"type": "string"}})
    dev = Dev(furnished, "stdio", modern=False)
    note, go = furnished.root / "note", furnished.root / "note.go"
    dev.server.write(furnished.call(1, "wire.stateful", {"note": str(note)}))
    furnished.eventually(note.exists)
    for version in (2, 3):
        (furnished.tools / "stateful.py").write_text(STATEFUL.replace('"version": 1', f'"version": {version}'))
        furnished.eventually(lambda version=version: dev.server.err.text.count("reloaded") == version - 1)
    go.touch()
    assert dev.server.answer(1)["result"]["structuredContent"] == {"version": 1, "open": True}
    assert dev.call("wire.stateful", {"note": str(note)})["structuredContent"] == {"version": 3, "open": True}


def test_a_folder_that_disappears_and_a_broken_configuration_leave_the_server_as_it_was(furnished):
    config = furnished.root / "tools.yaml"
    config.write_text("server: {instructions: one}\n")
    furnished.environment["WEKADOCS_CONFIG"] = str(config)
    dev = Dev(furnished, "stdio", modern=False)
    config.write_text("server: {instructoins: two}\n")
    furnished.eventually(lambda: "instructoins" in dev.server.err.text)
    config.unlink()
    moved = furnished.tools.rename(furnished.root / "moved")
    furnished.eventually(lambda: "is not a folder" in dev.server.err.text)
    assert dev.call("wire.echo", {"value": 1})["structuredContent"] == {"value": 1}
    config.write_text("server: {instructions: three}\n")
    moved.rename(furnished.tools)
    (furnished.tools / "echo.py").write_text(
        (furnished.tools / "echo.py").read_text().replace('{"value": value}', '{"value": 3}', 2)
    )
    furnished.eventually(lambda: dev.call("wire.echo", {"value": 1}).get("structuredContent") == {"value": 3})
