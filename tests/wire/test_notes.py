"""A vault over the wire: real processes, both transports and eras, with the file of its issue."""

import json

import pytest

CONFIG = "plugins: {notes: {enabled: true, vault: garden}}\n"
READING = [
    *("daily_notes", "find_path", "get_hubs", "get_neighbors", "get_node", "link_context", "list_nodes", "list_tags"),
    *("local_graph", "random_node", "resolve_nodes", "search", "search_by_tags", "suggest_links", "vault_guide"),
]


@pytest.fixture
def garden(furnished):
    """The arguments of `serve`; the vault is beside the file that names it."""
    folder = furnished.root / "garden"
    folder.mkdir()
    (folder / "Rose.md").write_text("---\ntags: [plant]\n---\nRoses need [[water]] and [[light]].")
    (folder / "water.md").write_text("Clean water for plants.")
    (furnished.root / "mine.yaml").write_text(CONFIG)
    return "--config", str(furnished.root / "mine.yaml"), "--toolset", "roux"


def round_trip(world, ask, modern):
    def call(tool, **arguments):
        return ask(world.call(7, tool, arguments, modern=modern))["result"]

    listed = ask(world.request(1, "tools/list", modern=modern))["result"]["tools"]
    assert [tool["name"] for tool in listed if tool["name"] in READING] == READING
    first = call("get_node", id="rose.md")
    text = json.loads(first["content"][0]["text"])
    assert first["structuredContent"] == {"node": text} and text["id"] == "Rose.md"
    assert text["_warnings"] == ["Broken link: [[light]]"] == first["_meta"]["dev.wekadocs/warnings"]
    missing = call("get_node", id="nope.md")
    assert (missing["content"][0]["text"], missing["structuredContent"]) == ("null", {"node": None})
    found = call("search", query="water plants")
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]["results"]
    assert found["structuredContent"]["results"][0]["id"] == "water.md" and " " not in found["content"][0]["text"][:12]
    way = call("find_path", source="Rose.md", target="water.md")
    assert way["content"][0]["text"] == '{"path":["Rose.md","water.md"],"length":1}'
    assert call("find_path", source="water.md", target="Rose.md")["content"][0]["text"] == "null"
    assert call("get_neighbors", id="water.md", direction="out")["content"][0]["text"] == "[]"
    wrong = call("search", query="x", limit=51)
    assert wrong["isError"] and "structuredContent" not in wrong
    assert json.loads(wrong["content"][0]["text"])["error"]["code"] == "INVALID_PARAMS"
    note = ask(world.request(9, "resources/read", {"uri": "note://vault/Rose.md"}, modern=modern))["result"]
    assert note["contents"][0]["text"].startswith("---\ntags: [plant]")
    secret = ask(world.request(9, "resources/read", {"uri": "note://vault/../mine.yaml"}, modern=modern))
    assert "no such resource" in secret["error"]["message"]
    asked = {"name": "research_in_vault", "arguments": {"question": "What do roses need?"}}
    prompt = ask(world.request(9, "prompts/get", asked, modern=modern))["result"]
    assert "roses need" in prompt["messages"][0]["content"]["text"]


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_a_vault_over_stdio(furnished, garden, modern):
    server = furnished.stdio(*garden)
    if not modern:
        server.shake_hands()
    else:
        told = server.ask(furnished.request(2, "server/discover", modern=True))["result"]["instructions"]
        assert "vault_guide says how" in told and "with search, read one with get_node" in told
    round_trip(furnished, server.ask, modern)


def test_a_vault_over_http(furnished, garden):
    server = furnished.http(*garden)
    mine = server.session()
    round_trip(furnished, lambda message: server.post(message, **mine).message, modern=False)


ALL = {
    "search": {"query": "water"},
    "get_node": {"id": "Rose.md", "depth": 1},
    "get_neighbors": {"id": "Rose.md"},
    "find_path": {"source": "Rose.md", "target": "water.md"},
    "get_hubs": {"metric": "pagerank"},
    "search_by_tags": {"tags": ["PLANT"]},
    "random_node": {},
    "list_nodes": {},
    "list_tags": {},
    "resolve_nodes": {"names": ["Rose"]},
    "local_graph": {"id": "Rose.md"},
    "link_context": {"id": "water.md"},
    "suggest_links": {"id": "water.md"},
    "daily_notes": {},
    "vault_guide": {},
    "create_node": {"title": "New Bed", "content": "# Soil\n\nSand. [[Rose]]\n"},
    "append": {"id": "new-bed.md", "content": "Clay."},
    "patch_section": {"id": "new-bed.md", "heading": "Soil", "content": "Loam."},
    "move_node": {"id": "new-bed.md", "directory": "beds"},
    "update_node": {"id": "Rose.md", "title": "Dog Rose"},
    "delete_node": {"id": "beds/new-bed.md"},
}


@pytest.mark.parametrize("prefix", ["", "notes."], ids=["bare", "prefixed"])
def test_every_tool_answers_the_modern_era_over_http(furnished, garden, prefix):
    server = furnished.http(*(garden if not prefix else garden[:2]))

    def ask(message):
        return server.post_modern(message).message

    listed = ask(furnished.request(1, "tools/list", modern=True))["result"]["tools"]
    assert {f"{prefix}{name}" for name in ALL} <= {tool["name"] for tool in listed}
    for name, arguments in ALL.items():
        result = ask(furnished.call(7, f"{prefix}{name}", arguments, modern=True))["result"]
        assert not result.get("isError"), (name, result["content"])
        text = json.loads(result["content"][0]["text"])
        assert text == result["structuredContent"] or text in result["structuredContent"].values()
    there = sorted(path.name for path in (furnished.root / "garden").glob("*.md"))
    assert there == ["dog-rose.md", "water.md"]
