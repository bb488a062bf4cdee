"""Questions to web pages over the wire: the file of their issue, both transports and eras, progress, time, leaving."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "backends"))

from web_site import Reply, WebSite, page

HOME = (
    "<main><h1>Widgets</h1><p>Widgets are small machines. See the <a href=/guide.html>calibration guide</a>.</p></main>"
)
GUIDE = "<main><h1>Calibration</h1><p>To calibrate the widget, hold the red button for five seconds.</p></main>"


@pytest.fixture
def site():
    with WebSite() as open_site:
        open_site.replies |= {"/home.html": page("Widgets", HOME), "/guide.html": page("Guide", GUIDE)}
        yield open_site


@pytest.fixture
def researching(furnished, site):
    """The arguments of `serve` that the issue gives."""
    (furnished.root / "mine.yaml").write_text(f'plugins: {{web: {{enabled: true, allow_hosts: ["{site.place}"]}}}}')
    return "--config", str(furnished.root / "mine.yaml"), "--toolset", "webrag"


def asking(world, tool, number=7, modern=False, **arguments):
    message = world.call(number, tool, arguments, modern=modern)
    message["params"]["_meta"] = {**message["params"].get("_meta", {}), "progressToken": "t"}
    return message


def heard(read):
    """Messages up to the answer: (progress, …), answer."""
    told = []
    while "result" not in (message := read()):
        assert message["method"] == "notifications/progress"
        told.append(message["params"])
    return told, message["result"]


def check(told, result, site):
    assert [each["progress"] for each in told] == sorted({each["progress"] for each in told})
    assert {each["total"] for each in told} == {100}
    said = [each["message"] for each in told]
    for expected in (
        f"Checking if {site.url('/home.html')} is indexed...",
        f"Scraping {site.url('/home.html')}...",
        "Analyzing query — decomposed into 1 sub-queries",
        "Searching 1 documents...",
        "Expanding to linked pages (iteration 1/5)...",
        f"Scraping {site.url('/guide.html')}...",
        "Searching 2 documents...",
        "Grabbing adjacent context...",
    ):
        assert expected in said
    assert any(line.startswith(f"Indexed {site.url('/home.html')} (1 chunks, ") for line in said)
    assert any(line.startswith("Reranking ") for line in said)
    assert said[-1].startswith("Assembling results (")
    assert result["content"][0]["text"].startswith(f"[SOURCES]\n[1] Guide — {site.url('/guide.html')}\n")
    assert result["structuredContent"]["evidence"][0]["text"].endswith("hold the red button for five seconds.")


QUESTION = "How do I calibrate the widget?"


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_every_phase_is_told_and_the_answer_is_the_brief_over_stdio(furnished, researching, site, modern):
    server = furnished.stdio(*researching)
    if not modern:
        server.shake_hands()
    listed = server.ask(furnished.request(1, "tools/list", modern=modern))["result"]["tools"]
    assert {"answer", "search", "status"} <= {tool["name"] for tool in listed}
    server.write(asking(furnished, "answer", modern=modern, url=site.url("/home.html"), query=QUESTION))
    check(*heard(server.read), site)
    again = server.ask(
        furnished.call(8, "search", {"query": QUESTION, "source_urls": [site.url("/guide.html")]}, modern=modern)
    )
    assert "hold the red button" in again["result"]["content"][0]["text"]
    failed = server.ask(furnished.call(9, "answer", {"url": "ftp://e.org/", "query": "x"}, modern=modern))["result"]
    first, second = (block["text"] for block in failed["content"])
    assert failed["isError"] and "structuredContent" not in failed
    assert first.startswith("[ERROR]\nWebRAG encountered an error during retrieval.\n\nError type: URL_INVALID\n")
    assert json.loads(second)["error"]["code"] == "URL_INVALID"


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_every_phase_is_told_over_http(furnished, researching, site, modern):
    server = furnished.http(*researching)
    message = asking(furnished, "answer", modern=modern, url=site.url("/home.html"), query=QUESTION)
    reply = server.post_modern(message) if modern else server.post(message, **server.session())
    lines = [line[6:] for line in reply.body.decode().splitlines() if line.startswith("data: {")]
    check(*heard(iter([json.loads(line) for line in lines]).__next__), site)


def test_time_that_runs_out_gives_what_there_is_or_says_so(furnished, researching, site):
    server = furnished.stdio(*researching, env={"MCP_TOOL_TIMEOUT": "6"})
    server.shake_hands()
    urls = [site.url("/home.html"), site.url("/slow")]
    result = server.ask(furnished.call(1, "answer", {"url": urls, "query": "What are widgets?"}))["result"]
    text = result["content"][0]["text"]
    assert result["structuredContent"]["partial"] is True
    assert "Widgets are small machines." in text
    assert "\nNote: Partial result (stopped after " in text
    assert f"\nNote: Failed: {site.url('/slow')} (it was not read in time)." in text
    site.replies["/lead.html"] = page("Lead", f"<main><h1>Lead</h1><p>Read <a href=/slow>{QUESTION}</a></p></main>")
    result = server.ask(furnished.call(3, "answer", {"url": site.url("/lead.html"), "query": QUESTION}))["result"]
    text = result["content"][0]["text"]
    assert "\nStop reason: out of time\n" in text and "\nNote: Partial result (stopped after " in text
    assert "\n└── /slow (depth 1, " in text
    assert "ms) [failed: it was not read in time]\n    [stopped: out of time]\n" in text
    assert "expansion: 0ms" not in text
    assert "graph_" not in text
    failed = server.ask(furnished.call(2, "answer", {"url": site.url("/silent"), "query": "x"}))["result"]
    assert failed["content"][0]["text"] == (
        "[ERROR]\nWebRAG timed out after 6s.\n\n"
        "The orchestration pipeline did not complete within the allowed time. This may indicate:\n"
        "- A very large page requiring extensive indexing.\n"
        "- Many expansion iterations with slow external APIs.\n"
        "- Network latency to external services.\n\n"
        "Suggestion: Retry with expansion_budget=0 to skip expansion, or try a more specific URL."
    )


def test_a_budget_of_tokens_from_the_environment_is_kept(furnished, researching, site):
    body = "".join(f"<p>Widget number {number} is a small machine of kind {number * 7}.</p>" for number in range(900))
    site.replies["/long.html"] = page("Long", f"<main><h1>Widgets</h1>{body}</main>")
    server = furnished.stdio(*researching, env={"MCP_RESPONSE_TOKEN_BUDGET": "1200"})
    server.shake_hands()
    arguments = {"url": site.url("/long.html"), "query": "small widgets", "retrieval_mode": "full_context"}
    text = server.ask(furnished.call(1, "answer", arguments))["result"]["content"][0]["text"]
    assert len(text) < 1200 * 6
    assert " omitted due to response budget)" in text


def test_the_most_talkative_log_keeps_to_itself_what_pages_and_callers_say(furnished, researching, site):
    headers = {"Location": "/home.html?ticket=sesame", "Set-Cookie": "ticket=sesame"}
    site.replies["/moved"] = Reply(b"", status=302, headers=headers)
    site.replies["/home.html?ticket=sesame"] = site.replies["/home.html"]
    server = furnished.stdio(*researching, env={"MCP_LOG_LEVEL": "debug"})
    server.shake_hands()
    arguments = {"url": site.url("/moved"), "query": "What are widgets, sesame?", "expansion_budget": 0}
    server.write(asking(furnished, "answer", **arguments))
    _, result = heard(server.read)
    server.end_of_input()
    assert server.gone_within(10) == 0
    assert "small machines" in result["content"][0]["text"]
    assert "tool=web.answer completed" in server.err.text
    assert "sesame" not in server.err.text


def test_a_client_that_cancels_stops_the_fetching_at_once(furnished, researching, site):
    server = furnished.stdio(*researching)
    server.shake_hands()
    server.write(furnished.call(5, "answer", {"url": site.url("/slow"), "query": "x"}))
    furnished.eventually(lambda: "/slow" in site.paths() and site.answering == 1)
    server.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}})
    furnished.eventually(lambda: site.answering == 0)  # the site sees the connection closed
    answered = server.ask(furnished.call(6, "answer", {"url": site.url("/guide.html"), "query": QUESTION}))
    assert "red button" in answered["result"]["content"][0]["text"]
