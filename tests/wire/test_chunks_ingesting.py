"""A folder of papers over the wire: real processes, both transports, bare and prefixed names."""

import pytest
from made_pdf import Page, lines, pdf

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
