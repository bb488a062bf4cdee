"""The same tools for agents without MCP: what /openapi.json says is what POST /tools/NAME does."""

from __future__ import annotations

import json
import re

import pytest
from openapi_spec_validator import validate

TOKEN = "a-token-of-more-than-sixteen-characters"
AUTH = {"Authorization": f"Bearer {TOKEN}"}
TREE = {"type": "object", "properties": {"inner": {"$ref": "#/$defs/tree"}, "name": {"$ref": "#/$defs/name"}}}


@pytest.fixture(scope="module")
def facade(documented):
    definitions = {"tree": TREE, "name": {"type": "string", "maxLength": 5}}
    properties = {"tree": {"$ref": "#/$defs/tree"}, "name": {"$ref": "#/$defs/name"}}
    whole = {"type": "object", "properties": properties, "additionalProperties": False, "$defs": definitions}
    code = "from wekadocs_mcp import tool\n\n@tool('wire.tree')\nasync def tree(call, tree, name):\n    return {}\n"
    documented.tool("wire.tree", code, input=whole)
    named = {"type": "object", "properties": {"name": {"$ref": "#/$defs/name"}}, "additionalProperties": False}
    documented.tool("wire.named", code.replace("tree, name", "name").replace("tree", "named"),
                    input={**named, "$defs": {"name": definitions["name"]}})  # fmt: skip
    return documented.http("--openapi", env={"MCP_AUTH_TOKEN": TOKEN})


@pytest.fixture(scope="module")
def document(facade):
    reply = facade.send("GET", "/openapi.json", None, AUTH)
    assert reply.status == 200 and reply.headers["content-type"] == "application/json"
    assert facade.send("GET", "/openapi.json", None, AUTH).body == reply.body
    return json.loads(reply.body)


def post(facade, name, arguments, **headers):
    raw = arguments if isinstance(arguments, bytes) else json.dumps(arguments).encode()
    given = {"Content-Type": "application/json", **AUTH, **headers}
    return facade.send("POST", f"/tools/{name}", raw, {key.replace("_", "-"): value for key, value in given.items()})


def code_of(reply):
    error = json.loads(reply.body)["error"]
    assert error["message"] and error["details"] is not None and error["retryable"] in (True, False)
    return reply.status, error["code"]


def test_the_document_is_valid_openapi_with_an_operation_for_each_listed_tool(document, facade, documented):
    validate(document)
    listed = facade.post_modern(documented.request(1, "tools/list", modern=True), **AUTH).message["result"]["tools"]
    assert [*document["paths"]] == [f"/tools/{tool['name']}" for tool in listed]
    for tool in listed:
        operation = document["paths"][f"/tools/{tool['name']}"]["post"]
        assert (operation["summary"], operation["description"]) == (tool["title"], tool["description"])
    assert document["security"] == [{"bearer": []}] and document["components"]["securitySchemes"]["bearer"]


def test_open_webui_reads_each_tool_as_a_function(document):
    """Its reader takes operationId, description and the body's properties, and follows references to components."""
    for path in document["paths"].values():
        operation = path["post"]
        assert re.fullmatch("[A-Za-z0-9_-]{1,64}", operation["operationId"])
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if body is not None and operation["operationId"] != "wire_tree":
            assert body["properties"] and "$ref" not in json.dumps(body), operation["operationId"]
    body = document["paths"]["/tools/wire.tree"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    component = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    assert component["properties"]["tree"]["$ref"] == f"{body['$ref']}/$defs/tree"
    named = document["paths"]["/tools/wire.named"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert named["properties"]["name"] == {"type": "string", "maxLength": 5}


def test_a_call_answers_what_mcp_answers_and_a_passage_can_be_read_on(facade):
    found = post(facade, "kb.search", {"query": "mount a filesystem", "top_k": 2})
    data = json.loads(found.body)
    assert found.status == 200 and data["results"][0]["rank"] == 1
    passage = data["results"][0]["passage_id"]
    assert json.loads(post(facade, "kb_read_excerpt", {"passage_id": passage}).body)["excerpt"]
    text = post(facade, "kb.retrieve_evidence", {"question": "How do I mount a filesystem?"}, Accept="text/plain")
    assert text.headers["content-type"].startswith("text/plain") and b"mount" in text.body


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("kb.search", {}, (400, "INVALID_ARGUMENT")),
        ("kb.search", {"query": "x", "top_k": 999}, (400, "INVALID_ARGUMENT")),
        ("kb.search", b"[1]", (400, "INVALID_ARGUMENT")),
        ("kb.search", b'{"query": NaN}', (400, "INVALID_ARGUMENT")),
        ("kb.search", b"[" * 100_000, (400, "INVALID_ARGUMENT")),
        ("kb.search", {"query": "x", "scope": {"project_id": "another"}}, (403, "SCOPE_VIOLATION")),
        ("kb.serch", {"query": "x"}, (404, "INVALID_ARGUMENT")),
        ("../_mcp", {}, (404, "INVALID_ARGUMENT")),
        ("search_documentation", {"query": "x"}, (403, "INVALID_ARGUMENT")),
        ("kb.search", b"x" * 5_000_000, (413, "INVALID_ARGUMENT")),
    ],
)
def test_a_failure_has_a_fitting_status_and_the_envelope(facade, name, body, expected):
    assert code_of(post(facade, name, body)) == expected


def test_the_door_is_the_same_as_for_mcp(facade):
    call = {"query": "mount"}
    assert post(facade, "kb.search", call, Authorization="Bearer wrong").status == 401
    assert post(facade, "kb.search", call, Origin="http://evil.example").status == 403
    assert post(facade, "kb.search", call, Host="evil.example").status == 421
    assert facade.send("GET", "/openapi.json").status == 401
    assert post(facade, "kb.search", call, Content_Type="text/plain").status == 415
    wrong_method = facade.send("GET", "/tools/kb.search", None, AUTH)
    assert wrong_method.status == 405 and wrong_method.headers["allow"] == "POST"
    metrics = facade.send("GET", "/metrics", None, AUTH).body.decode()
    assert re.search(r"wekadocs_tool_calls_total\{[^}]*kb\.search", metrics)


def test_a_client_that_leaves_ends_its_call_and_a_tools_own_code_is_422(facade, documented):
    note = documented.root / "facade.note"
    raw = json.dumps({"note": str(note), "seconds": 20}).encode()
    connection = facade.connect()
    connection.request("POST", "/tools/wire.slow", raw, {"Content-Type": "application/json", **AUTH})
    documented.eventually(lambda: note.exists() and note.read_text() == "started")
    connection.close()
    documented.eventually(lambda: note.read_text() == "cancelled")
    assert code_of(post(facade, "wire.echo", {"value": "refuse"})) == (422, "NO_VALUE")


def test_it_is_off_unless_somebody_switches_it_on(served):
    for method, path in (("GET", "/openapi.json"), ("POST", "/tools/kb.search")):
        reply = served.send(method, path)
        assert reply.status == 404 and "serve --openapi" in json.loads(reply.body)["error"]["message"]


def test_over_stdio_it_is_refused_instead_of_being_ignored(world):
    server = world.stdio("--openapi", plugins=world.SAMPLE)
    assert server.gone_within(20) == 2 and "--transport http" in server.err.text
