"""Citation chunks over the wire: real processes, both transports and eras, with the file of their issue."""

import json

import pytest

CONFIG = """plugins:
  chunks:
    enabled: true
    projects:
      citeloom/clean-arch: {}
      citeloom/ddd: {hybrid_enabled: false, min_batch: 1, references: refs.json}
      lab/foreign: {embedding_model: acme/other-1024, dimension: 1024}
"""
REFERENCES = [{"id": "evans2003", "title": "Domain-Driven Design", "DOI": "10.5555/861502"}]
TOOLS = ["delete_chunks", "find_chunks", "find_quote", "format_citation", "inspect_collection", "list_projects"]
TOOLS += ["query_hybrid", "store_chunks", "verify_quotes"]


@pytest.fixture
def citing(furnished):
    """The arguments of `serve` that the issue gives."""
    (furnished.root / "mine.yaml").write_text(CONFIG)
    (furnished.root / "refs.json").write_text(json.dumps(REFERENCES))
    return "--config", str(furnished.root / "mine.yaml"), "--toolset", "citeloom"


def paper(count):
    return [
        {
            "text": f"Entities and value objects are distinct, says passage {number}.",
            "metadata": {
                "source": {"title": "Domain driven design"},
                "doc": {"id": "ddd", "page_span": [number, number + 1], "section_path": ["Part I"]},
            },
        }
        for number in range(count)
    ]


def round_trip(world, ask, modern):
    def call(tool, **arguments):
        result = ask(world.call(7, tool, arguments, modern=modern))["result"]
        if result.get("isError"):
            assert "structuredContent" not in result
            return json.loads(result["content"][0]["text"])["error"]
        return result["structuredContent"]

    listed = ask(world.request(1, "tools/list", modern=modern))["result"]["tools"]
    assert [tool["name"] for tool in listed if tool["name"] in TOOLS] == TOOLS
    assert [each["id"] for each in call("list_projects")["projects"]] == [
        "citeloom/clean-arch",
        "citeloom/ddd",
        "lab/foreign",
    ]
    stored = call("store_chunks", project="citeloom/ddd", items=paper(3))
    assert (stored["chunks_written"], stored["warnings"]) == (3, [])  # refs.json stands beside the file that names it
    assert call("store_chunks", project="citeloom/clean-arch", items=paper(3))["details"]["min_batch"] == 100
    assert call("store_chunks", project="citeloom/clean-arch", items=paper(3), final=True)["chunks_written"] == 3
    found = call("query_hybrid", project="citeloom/clean-arch", query="passage 2")
    assert found["items"][0]["page_span"] == [2, 3] and found["hybrid_enabled"] is True
    assert call("find_chunks", project="citeloom/ddd", query="value objects")["items"][0]["citekey"] == "evans2003"
    assert call("query_hybrid", project="citeloom/ddd", query="x")["code"] == "HYBRID_NOT_SUPPORTED"
    assert call("find_chunks", project="lab/foreign", query="x")["code"] == "INDEX_UNAVAILABLE"
    assert call("inspect_collection", project="citeloom/ddd", sample=1)["size"] == 3
    assert call("inspect_collection", project="nobody/here")["code"] == "INVALID_PROJECT"


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_the_seeds_tools_over_stdio(furnished, citing, modern):
    server = furnished.stdio(*citing)
    if not modern:
        server.shake_hands()
    round_trip(furnished, server.ask, modern)


def test_the_seeds_tools_over_http(furnished, citing):
    server = furnished.http(*citing)
    mine = server.session()
    round_trip(furnished, lambda message: server.post(message, **mine).message, modern=False)
    round_trip(furnished, lambda message: server.post_modern(message).message, modern=True)


def large(world, number):
    vector = [(number * 31 + place) % 97 / 97.000123 + 0.123456789012 for place in range(1024)]
    items = [
        {"id": str(n), "text": f"Text {n}. " * 20, "embedding": vector, "metadata": {"embed_model": "acme/other-1024"}}
        for n in range(500)
    ]
    message = world.call(number, "store_chunks", {"project": "lab/foreign", "items": items})
    assert len(json.dumps(message)) > 9_000_000
    return message


def test_a_batch_of_500_with_1024_numbers_each_passes_on_both_transports_and_nothing_else_of_its_size(
    furnished, citing
):
    server = furnished.stdio(*citing)
    server.shake_hands()
    assert server.ask(large(furnished, 1))["result"]["structuredContent"]["chunks_written"] == 500
    other = furnished.call(2, "find_chunks", {"project": "lab/foreign", "query": "x" * 5_000_000})
    assert "4194304" in server.ask(other)["error"]["message"]
    http = furnished.http(*citing)
    mine = http.session()
    assert http.post(large(furnished, 3), **mine).message["result"]["structuredContent"]["chunks_written"] == 500
    assert http.post(other, **mine).status == 413
    assert http.post(b"[" * 5_000_000, **mine).status == 413


def test_a_number_that_is_not_finite_is_refused_by_its_place(furnished, citing):
    server = furnished.stdio(*citing)
    server.shake_hands()
    items = [{"text": "x", "embedding": [0.5] * 1024, "metadata": {"embed_model": "acme/other-1024"}} for _ in range(2)]
    raw = json.dumps(furnished.call(1, "store_chunks", {"project": "lab/foreign", "items": items, "final": True}))
    head, _, tail = raw.rpartition("0.5]")
    for number in ("1e999", "-1e999"):
        server.write(f"{head}{number}]{tail}\n".encode())
        error = json.loads(server.answer(1)["result"]["content"][0]["text"])["error"]
        assert error["code"] == "INVALID_ARGUMENT" and error["message"].startswith(
            "items.1.embedding.1023: not a finite"
        )


def test_writers_vanish_under_read_only_and_the_plugin_is_off_until_it_is_enabled(furnished, citing):
    server = furnished.stdio(*citing, "--read-only")
    server.shake_hands()
    names = [tool["name"] for tool in server.ask(furnished.request(1, "tools/list"))["result"]["tools"]]
    assert {"store_chunks", "delete_chunks"} & set(names) == set() and "find_chunks" in names
    plain = furnished.stdio()
    plain.shake_hands()
    listed = plain.ask(furnished.request(1, "tools/list"))["result"]["tools"]
    assert [tool["name"] for tool in listed if "chunks" in tool["name"]] == []
