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
TOOLS = ["delete_chunks", "find_chunks", "find_quote", "format_citation", "ingest_documents", "inspect_collection"]
TOOLS += [
    "list_projects",
    "query_hybrid",
    "store_chunks",
    "verify_quotes",
    "zotero_annotations",
    "zotero_collections",
    "zotero_items",
]


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


def caller(world, ask, modern, prefix=""):
    def call(tool, **arguments):
        result = ask(world.call(7, prefix + tool, arguments, modern=modern))["result"]
        if result.get("isError"):
            assert "structuredContent" not in result
            return json.loads(result["content"][0]["text"])["error"]
        assert result["content"][0]["text"]
        return result["structuredContent"]

    return call


def round_trip(world, ask, modern, prefix=""):
    call = caller(world, ask, modern, prefix)
    listed = ask(world.request(1, "tools/list", modern=modern))["result"]["tools"]
    assert [tool["name"] for tool in listed if tool["name"].removeprefix(prefix) in TOOLS] == [
        prefix + t for t in TOOLS
    ]
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
    rulings(call)
    given = {"name": "from_papers_to_paragraph", "arguments": {"project": "citeloom/ddd", "topic": "entities"}}
    prompt = ask(world.request(3, "prompts/get", given, modern=modern))["result"]["messages"][0]["content"]["text"]
    steps = [f"{prefix}{name} " for name in ("ingest_documents", "query_hybrid", "verify_quotes", "format_citation")]
    assert sorted(prompt.index(each) for each in steps) == [prompt.index(each) for each in steps]
    reference = {"ref": {"type": "ref/prompt", "name": given["name"]}, "argument": {"name": "project", "value": "cite"}}
    completed = ask(world.request(4, "completion/complete", reference, modern=modern))["result"]["completion"]["values"]
    assert completed == ["citeloom/clean-arch", "citeloom/ddd"]


def rulings(call):
    """What was ruled on the seed, a line each."""
    unknown = call("find_chunks", project="citeloom/unknown", query="x")
    known = ["citeloom/clean-arch", "citeloom/ddd", "lab/foreign"]
    assert unknown["message"] == f"Project 'citeloom/unknown' not found. Available projects: {known}"
    assert unknown["details"] == {"project_id": "citeloom/unknown", "available_projects": known}
    other = {"id": "x", "text": "x", "embedding": [1.0] * 256, "metadata": {"embed_model": "acme/else"}}
    mismatch = call("store_chunks", project="citeloom/ddd", items=[paper(1)[0], other])
    assert mismatch["code"] == "EMBEDDING_MISMATCH" and mismatch["details"]["provided_model"] == "acme/else"
    assert {"project_id", "expected_model"} <= set(mismatch["details"])
    wrong = {"text": "x", "embedding": [1.0] * 7, "metadata": {"embed_model": "acme/other-1024"}}
    told = call("store_chunks", project="lab/foreign", items=[wrong], final=True)
    assert told["code"] == "INVALID_ARGUMENT" and told["message"].startswith("items[0].embedding has 7 numbers")
    twice = [{"id": "📚 same/id", "text": text} for text in ("Former text.", "Latter zebra.")]
    stored = call("store_chunks", project="citeloom/clean-arch", items=twice, final=True)
    assert stored["chunks_written"] == 1 and "the last wins" in stored["warnings"][0]
    top = call("query_hybrid", project="citeloom/clean-arch", query="zebra", debug=True, include_full_text=True)[
        "items"
    ][0]
    assert (top["id"], top["full_text"], top["words_rank"]) == ("📚 same/id", "Latter zebra.", 1)
    assert all(
        0 <= each["score"] <= 1 for each in call("find_chunks", project="citeloom/ddd", query="passage")["items"]
    )
    assert "section_prefix" in call("find_chunks", project="citeloom/ddd", query="x", filters={"part": 1})["message"]
    asked = {"project": "citeloom/ddd", "query": "x", "filters": {"section_prefix": ["Part I"], "doc": "ddd"}}
    assert call("find_chunks", **asked)["count"] == 3
    assert call("find_chunks", project="citeloom/ddd", query="x", top_k=21)["code"] == "INVALID_ARGUMENT"
    assert call("inspect_collection", project="citeloom/ddd", sample=6)["code"] == "INVALID_ARGUMENT"
    first = call("find_chunks", project="citeloom/ddd", query="passage", max_tokens=100)
    rest = call("find_chunks", project="citeloom/ddd", query="passage", cursor=first["next_cursor"])
    assert (first["count"], rest["count"]) == (1, 2)
    deleted = call("delete_chunks", project="citeloom/clean-arch", docs=["ddd"])
    assert deleted["chunks_deleted"] == 3
    assert call("delete_chunks", project="citeloom/clean-arch", ids=["📚 same/id"])["chunks_deleted"] == 1
    assert call("inspect_collection", project="citeloom/clean-arch")["size"] == 0


@pytest.mark.parametrize(("modern", "toolset"), [(False, True), (True, True), (True, False)])
def test_the_seeds_tools_over_stdio(furnished, citing, modern, toolset):
    server = furnished.stdio(*(citing if toolset else citing[:2]))
    if not modern:
        server.shake_hands()
    round_trip(furnished, server.ask, modern, "" if toolset else "chunks.")


def test_the_seeds_tools_over_http(furnished, citing):
    server = furnished.http(*citing)
    mine = server.session()
    round_trip(furnished, lambda message: server.post(message, **mine).message, modern=False)
    round_trip(furnished, lambda message: server.post_modern(message).message, modern=True)


def test_the_seeds_tools_by_their_prefixed_names_over_http(furnished, citing):
    server = furnished.http(*citing[:2])
    mine = server.session()
    round_trip(furnished, lambda message: server.post(message, **mine).message, modern=False, prefix="chunks.")


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
