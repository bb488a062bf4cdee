"""What each protocol version can read is all that its clients are sent."""

import json

import pytest

OLD_VERSIONS = ["2024-11-05", "2025-03-26"]
NEW_VERSIONS = ["2025-06-18", "2025-11-25"]
BLOCKS = """
from wekadocs_mcp import Answer, tool

@tool("demo.blocks")
def blocks(call):
    link = {"uri": "demo://one", "name": "one"}
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    audio = {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}
    return Answer({"value": 1}, links=[link], content=[image, audio])
"""
KINDS = {
    "2024-11-05": ["text", "image", "text"],
    "2025-03-26": ["text", "image", "audio"],
    "2025-06-18": ["text", "image", "audio", "resource_link"],
    "2025-11-25": ["text", "image", "audio", "resource_link"],
}


def asking(world, transport, version):
    if transport == "stdio":
        server = world.stdio()
        server.shake_hands(version)
        return server.ask
    server = world.http()
    reply = server.post(world.initialize(version=version))
    mine = {"Mcp_Session_Id": reply.headers["mcp-session-id"], "MCP_Protocol_Version": version}
    server.post(world.INITIALIZED, **mine)
    return lambda message: server.post(message, **mine).message


@pytest.mark.parametrize("version", OLD_VERSIONS + NEW_VERSIONS)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_client_is_sent_only_what_its_version_knows(world, transport, version):
    world.tool("demo.blocks", BLOCKS, output={"type": "object", "properties": {"value": {"type": "integer"}}})
    ask = asking(world, transport, version)
    listed = {tool["name"]: tool for tool in ask(world.request(1, "tools/list"))["result"]["tools"]}
    result = ask(world.call(2, "demo.blocks", {}))["result"]
    assert [block["type"] for block in result["content"]] == KINDS[version]
    assert ("structuredContent" in result) is (version in NEW_VERSIONS)
    assert ("outputSchema" in listed["demo.blocks"]) is (version in NEW_VERSIONS)


@pytest.mark.parametrize("version", OLD_VERSIONS)
def test_search_has_no_links_and_old_names_are_json(documented, version):
    ask = asking(documented, "stdio", version)
    found = ask(documented.call(1, "kb.search", {"query": "How do I mount a filesystem?"}))["result"]
    assert [block["type"] for block in found["content"]] == ["text"]
    assert "filesystems/mount.md" in found["content"][0]["text"]
    old = ask(documented.call(2, "search_sections", {"query": "mount", "top_k": 3}))["result"]
    assert json.loads(old["content"][0]["text"])["results"]
