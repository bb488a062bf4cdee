"""A folder of papers over the wire: real processes, both transports, bare and prefixed names."""

import pytest
from made_pdf import Page, lines, pdf

MANY = 300
CONFIG = """plugins:
  chunks:
    enabled: true
    projects:
      lab/papers: {folders: [papers]}
"""


@pytest.fixture
def papers(furnished):
    folder = furnished.root / "papers"
    folder.mkdir()
    made = pdf(lines("Dependencies must point in-", "ward only."), Page(picture=True))
    (folder / "martin2017.pdf").write_bytes(made)
    (furnished.root / "papers.yaml").write_text(CONFIG)
    return "--config", str(furnished.root / "papers.yaml")


def round_trip(world, ask, prefix, modern):
    def call(tool, **arguments):
        return ask(world.call(7, prefix + tool, arguments, modern=modern))["result"]["structuredContent"]

    report = call("ingest_documents", project="lab/papers")
    assert (report["added"] + report["unchanged"], report["failed"]) == (1, 0)
    if report["files"]:
        assert report["files"][0]["unread_pages"][0]["pages"] == [2, 2]
    (found,) = call("find_quote", project="lab/papers", quote="must point inward only")["items"]
    assert (found["verbatim"], found["page_span"]) == (True, [1, 1])


def test_papers_over_stdio(furnished, papers):
    server = furnished.stdio(*papers, "--toolset", "citeloom")
    server.shake_hands()
    round_trip(furnished, server.ask, "", modern=False)


def test_papers_over_http(furnished, papers):
    server = furnished.http(*papers)
    mine = server.session()
    round_trip(furnished, lambda message: server.post(message, **mine).message, "chunks.", modern=False)
    round_trip(furnished, lambda message: server.post_modern(message).message, "chunks.", modern=True)


def test_under_read_only_the_tool_is_gone(furnished, papers):
    server = furnished.stdio(*papers, "--toolset", "citeloom", "--read-only")
    server.shake_hands()
    listed = server.ask(furnished.request(1, "tools/list"))["result"]["tools"]
    assert "ingest_documents" not in {tool["name"] for tool in listed}


@pytest.fixture
def many(papers, furnished):
    """More than is read in a moment."""
    write_notes(furnished, range(MANY))
    return papers


def write_notes(furnished, numbers):
    for number in numbers:
        text = "".join(f"## Part {part}\n\nLayer {number} of part {part}, in words.\n\n" for part in range(20))
        (furnished.root / "papers" / f"note{number}.md").write_text(f"# Note {number}\n\n{text}")


def size_at_rest(furnished, server):
    """Of the collection, once nothing is added to it any more."""

    def size():
        asked = furnished.call(90, "inspect_collection", {"project": "lab/papers"})
        return server.ask(asked)["result"]["structuredContent"]["size"]

    seen = [size()]

    def rests():
        seen.append(size())
        return len(seen) > 20 and len(set(seen[-20:])) == 1

    furnished.eventually(rests)
    return seen[-1]


def goes_on(furnished, server, before):
    """The next call reads what is left, and only that; every document is whole."""
    asked = furnished.call(91, "ingest_documents", {"project": "lab/papers"})
    report = server.ask(asked, timeout=120)["result"]["structuredContent"]
    assert report["complete"] and report["added"] + report["unchanged"] == MANY + 1
    assert report["unchanged"] < MANY and size_at_rest(furnished, server) == before + report["chunks_written"]
    assert server.ask(asked)["result"]["structuredContent"]["unchanged"] == MANY + 1


def test_a_client_that_cancels_stops_the_reading_and_what_was_read_stays_whole(furnished, many):
    server = furnished.stdio(*many, "--toolset", "citeloom")
    server.shake_hands()
    asked = furnished.call(5, "ingest_documents", {"project": "lab/papers"})
    asked["params"]["_meta"] = {"progressToken": "p"}
    server.write(asked)
    while server.read().get("method") != "notifications/progress":
        pass
    server.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
    before = size_at_rest(furnished, server)
    assert not any(message.get("id") == 5 for message in server.unasked)
    goes_on(furnished, server, before)


def test_at_its_deadline_an_ingest_says_so_and_the_next_goes_on(furnished, many):
    write_notes(furnished, range(MANY, 10 * MANY))
    server = furnished.stdio(*many, "--toolset", "citeloom", env={"MCP_TOOL_TIMEOUT": "8"})
    server.shake_hands()
    first = server.ask(furnished.call(5, "ingest_documents", {"project": "lab/papers"}))["result"]
    report = first["structuredContent"]
    assert (first["isError"], report["complete"]) == (False, False) and report["added"] < 10 * MANY
    assert size_at_rest(furnished, server) == report["chunks_written"]
