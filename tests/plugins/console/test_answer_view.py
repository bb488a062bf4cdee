"""The page that clients with MCP Apps show for an answer: on the wire, and in a browser that plays such a client."""

from __future__ import annotations

import json

import pytest
from web_site import Reply, WebSite

from wekadocs_mcp.testing import client_for

URI, KIND = "ui://wekadocs/answer", "text/html;profile=mcp-app"
HARM = '<img src=x onerror="parent.harmed=1"><script>parent.harmed=2</script>'
RESULT = {
    "content": [{"type": "text", "text": "as a model reads it"}],
    "structuredContent": {
        "answerable": True,
        "answer_confidence": 0.93,
        "session_id": "s",
        "quotes": [
            {
                "quote": f"Light the lantern.\n\n```html\n{HARM}\n```",
                "title": HARM,
                "path": "a.md",
                "url": "https://x.example/",
            },
            {"quote": "Second.", "title": "Two", "path": "b.md", "url": "javascript:parent.harmed=3"},
        ],
    },
}
# Sandboxed without an origin of its own, as clients do it.
HOST = """<!doctype html><iframe sandbox="allow-scripts" src="/view"></iframe><script>
window.heard = [];
addEventListener("message", ({source, data}) => {
  heard.push(data);
  const say = (message) => source.postMessage({jsonrpc: "2.0", ...message}, "*");
  const known = {protocolVersion: "2026-01-26", hostContext: {theme: "dark"}};
  if (data.method === "ui/initialize") say({id: data.id, result: known});
  if (data.method === "ui/notifications/initialized") {
    say({method: "ui/notifications/tool-input", params: {arguments: {question: "?"}}});
    say({method: "ui/notifications/tool-result", params: RESULT});
  }
});
</script>"""


@pytest.fixture(scope="module")
def shipped():
    config = {"extends": "shipped", "plugins": {"legacy_compat": None}}
    with pytest.MonkeyPatch.context() as patch, client_for(config) as client:
        patch.delenv("MCP_AUTH_TOKEN", raising=False)
        yield client


@pytest.fixture
def view(shipped):
    """The page as a client reads it."""
    (content,) = shipped._run(shipped._session.read_resource(URI)).contents
    assert content.mime_type == KIND
    return content.text


def test_the_tool_names_its_page_and_the_page_can_be_read(shipped, view):
    named = {tool["name"]: tool["_meta"].get("ui") for tool in shipped.tools()}
    assert named.pop("kb.retrieve_evidence") == {"resourceUri": URI}
    assert set(named.values()) == {None}
    assert view.startswith("<!doctype html>")
    assert "import " not in view.partition("<script")[2].partition("\n\n")[0]
    assert "src=" not in view.partition("<script")[0]


def test_a_contract_whose_page_nobody_serves_is_refused(workshop):
    workshop.echo(view="ui://demo/nothing")
    told = workshop.refusal()
    assert "serves no resource `ui://demo/nothing`" in told
    assert "register_resources" in told


@pytest.mark.browser
def test_an_answer_is_shown_in_a_client_and_nothing_in_it_is_markup(view, browser):
    with WebSite() as site:
        html = {"Content-Type": "text/html; charset=utf-8"}
        site.replies["/host"] = Reply(HOST.replace("RESULT", json.dumps(RESULT).replace("</", "<\\/")), headers=html)
        site.replies["/view"] = Reply(view, headers=html)
        browser.open(f"http://{site.place}/host")
        browser.post("frame", {"id": 0})
        browser.find("section.card", "Light the lantern.")
        assert "onerror" in browser.find("section.card pre").text
        assert HARM in browser.find("footer b").text
        assert len(browser.all("section.card button")) == 1  # javascript: leads nowhere
        assert browser.run("return document.documentElement.dataset.theme") == "dark"
        assert browser.all("img, iframe, a, section script") == []
        browser.find("section.card button", "Open the page").click()
        browser.post("frame", {"id": None})
        heard = browser.run("return window.heard")
        assert browser.run("return window.harmed") is None
    methods = [each["method"] for each in heard if "method" in each]
    assert methods[:2] == ["ui/initialize", "ui/notifications/initialized"]
    assert heard[0]["params"]["protocolVersion"] == "2026-01-26"
    assert next(each for each in heard if each.get("method") == "ui/open-link")["params"] == {
        "url": "https://x.example/"
    }
    sizes = [each["params"] for each in heard if each.get("method") == "ui/notifications/size-changed"]
    assert sizes[-1]["height"] > 50
