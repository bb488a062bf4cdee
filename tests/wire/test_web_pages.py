"""The web tools over the wire, as a client meets them: bare names, progress, tasks, cancellation, the environment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from web_site import WebSite

HELLO = "from wekadocs_mcp import tool\n@tool('demo.hello')\nasync def hello(call):\n    return {'said': 'hello'}\n"
EXTENSION = "io.modelcontextprotocol/tasks"
TASKS = {"io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {}}}}


@pytest.fixture
def site() -> Iterator[WebSite]:
    with WebSite() as running:
        yield running


def options(world: Any, site: WebSite) -> tuple[str, ...]:
    """All that a user has to say; the tool beside it is this world's own."""
    world.tool("demo.hello", HELLO)
    said = {"plugins": {"web": {"enabled": True, "allow_hosts": [site.place]}}}
    file = world.root / "web.yaml"
    file.write_text(json.dumps(said))
    return ("--config", str(file), "--toolset", "webrag")


def test_a_file_of_one_line_serves_the_seeds_names(world: Any, site: WebSite) -> None:
    server = world.stdio(*options(world, site))
    server.shake_hands()
    tools = server.ask(world.request(1, "tools/list", {}))["result"]["tools"]
    assert {"answer", "search", "status"} <= {tool["name"] for tool in tools}
    result = server.ask(world.call(2, "status", {}))["result"]
    assert result["content"][0]["text"].startswith("[CORPUS STATUS]\nDocuments indexed: 0\n")
    refused = server.ask(world.call(3, "ingest", {"url": "http://169.254.169.254/"}))["result"]
    first, second = (block["text"] for block in refused["content"])
    assert refused["isError"] and first.startswith("[ERROR]\nWebRAG encountered an error")
    assert json.loads(second)["error"]["code"] == "FETCH_FAILED"


def test_an_older_client_sees_every_page_go_in(world: Any, site: WebSite) -> None:
    server = world.stdio(*options(world, site))
    server.shake_hands()
    message = world.call(2, "ingest", {"url": site.url("/llms.txt")})
    message["params"]["_meta"] = {"progressToken": "p"}
    result = server.ask(message)["result"]["structuredContent"]
    assert (result["indexed"], result["complete"]) == (6, True)
    told = [each["params"] for each in server.unasked if each.get("method") == "notifications/progress"]
    steps = [each["progress"] for each in told]
    assert steps == sorted(steps)
    assert sum(each["message"].startswith("Indexed ") for each in told) == 6
    assert sum(each["message"].startswith("Scraping ") for each in told) == 7


def test_a_client_with_tasks_leaves_an_ingest_and_comes_back(world: Any, site: WebSite) -> None:
    server = world.http(*options(world, site))

    def ask(method: str, **params: Any) -> dict[str, Any]:
        message = world.request(7, method, params, modern=True)
        message["params"]["_meta"].update(TASKS)
        named = {"Mcp_Name": params["taskId"]} if "taskId" in params else {}
        return server.post_modern(message, **named).message["result"]

    made = ask("tools/call", name="ingest", arguments={"url": site.url("/sitemap.xml"), "max_pages": 30})
    assert made["resultType"] == "task"

    def over() -> dict[str, Any] | None:
        found = ask("tasks/get", taskId=made["taskId"])
        return found if found["status"] != "working" else None

    done = world.eventually(over)
    assert done["status"] == "completed"
    assert done["result"]["structuredContent"]["indexed"] == 30


def test_a_cancelled_ingest_asks_for_nothing_more(world: Any, site: WebSite) -> None:
    server = world.stdio(*options(world, site))
    server.shake_hands()
    server.write(world.call(5, "ingest", {"url": site.url("/silent")}))
    world.eventually(lambda: "/silent" in site.paths())
    server.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
    status = server.ask(world.call(6, "status", {}))["result"]["structuredContent"]
    assert (status["documents"], site.paths()) == (0, ["/silent"])


def test_the_environment_ends_a_crawl_early_and_it_goes_on_later(world: Any, site: WebSite) -> None:
    server = world.stdio(*options(world, site), env={"MCP_TOOL_TIMEOUT": "5"})
    server.shake_hands()
    first = server.ask(world.call(1, "ingest", {"url": site.url("/sitemap.xml"), "max_pages": 500}))["result"]
    assert first["isError"] is False
    came = first["structuredContent"]
    assert came["indexed"] > 0
    assert came["indexed"] + came["waiting"] == 200
