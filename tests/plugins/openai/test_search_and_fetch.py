"""search and fetch as ChatGPT's connectors demand them: one string in, one text block with JSON out."""

import json

import pytest

from wekadocs_mcp.testing import client_for

SCOPE = {"project_id": "wekadocs-matrix", "environment": "prod"}


@pytest.fixture(scope="module")
def long(tmp_path_factory, take_in):
    """A short page, and one of 200 KB whose answer stands at its end."""
    folder, data = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("data")
    (folder / "short.md").write_text("---\ndoc_tag: open\n---\n# Short\n\nAbout gadgets.\n", "utf-8")
    words = "".join(f"## Part {number}\n\n{'Filler words of no use. ' * 80}\n\n" for number in range(100))
    (folder / "long page.md").write_text(f"# Long\n\n{words}## Zebras\n\nZebras gallop at dawn.\n", "utf-8")
    take_in(data, folder)
    return data


@pytest.fixture(scope="module")
def client(long):
    with client_for({"extends": "shipped"}, enable=["openai"], toolsets=["openai"], data_dir=long) as client:
        yield client


def test_the_toolset_serves_the_two_bare_names_with_one_string_each(client):
    tools = {tool["name"]: tool for tool in client.tools()}
    assert {name: list(tool["inputSchema"]["properties"]) for name, tool in tools.items()} == {
        "fetch": ["id"],
        "search": ["query"],
    }
    assert "kb." not in json.dumps([tool["description"] for tool in tools.values()])
    assert client.app.instructions.startswith("Find pages with search, read one with fetch")


def test_a_search_gives_ids_and_a_fetch_the_page_both_as_one_json_text(client):
    found = client.call("search", query="gadgets")
    first = found.data["results"][0]
    assert set(first) == {"id", "title", "url"} and first["url"].startswith("wekadocs://doc/short.md")
    page = client.call("fetch", id=first["id"])
    assert set(page.data) == {"id", "title", "text", "url", "metadata"}
    assert page.data["text"] == "# Short\n\nAbout gadgets.\n"
    assert page.data["metadata"]["path"] == "short.md" and "next_id" not in page.data["metadata"]
    for reply in (found, page):
        assert len(reply.content) == 1 and json.loads(reply.text) == reply.data


def test_of_a_long_page_the_part_that_was_found_is_fetched_and_the_rest_can_be(client):
    found = client.call("search", query="zebras gallop")
    part = client.call("fetch", id=found.data["results"][0]["id"]).data
    assert "Zebras gallop at dawn." in part["text"] and part["text"].endswith("]")
    begin = part["text"].rpartition("It begins at ")[2].removesuffix(".]")
    texts, id = [], begin
    while id is not None:
        page = client.call("fetch", id=id)
        assert len(page.text) <= 65536
        texts.append(page.data["text"].rpartition("\n\n[Characters ")[0])
        id = page.data["metadata"].get("next_id")
    whole = "".join(texts)
    assert len(texts) > 3 and whole.startswith("# Long") and whole.endswith("Zebras gallop at dawn.\n")
    assert whole.count("## Part ") == 100


@pytest.mark.parametrize("id", ["", "x", "../../etc/passwd", "a@b", "0" * 32, "@5", "a" * 600])
def test_an_unknown_id_says_how_to_get_one(client, id):
    error = client.call("fetch", id=id).error
    assert error["code"] == "INVALID_ARGUMENT" and "search" in error["message"]


def test_what_is_out_of_scope_is_neither_found_nor_fetched(client, long):
    (hidden,) = [row["id"] for row in client.call("search", query="zebras").data["results"][:1]]
    narrow = {"extends": "shipped", "scope": {**SCOPE, "doc_tags": ["open"], "repositories": []}}
    with client_for(narrow, enable=["openai"], toolsets=["openai"], data_dir=long) as other:
        assert [row["title"] for row in other.call("search", query="zebras gadgets").data["results"]] == ["Short"]
        assert other.call("fetch", id=hidden).error["code"] == "INVALID_ARGUMENT"
