"""What a client may tell its model: the server's instructions, the prompts, the playbook; true to the real tools."""

import re
from pathlib import Path

import pytest

from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.config.deployment import Options
from wekadocs_mcp.testing import connect

ROOT = Path(__file__).parents[3]
PLAYBOOK = (ROOT / "docs/mcp/retrieval_playbook.md").read_text("utf-8")


def shipped(tmp_path, **options):
    return App.build(configuration.load(None, tmp_path, Options(**options)))


def names_in(schema):
    """Every property, however deep."""
    found = set()
    for key, value in schema.items() if isinstance(schema, dict) else ():
        found |= set(value) if key == "properties" else set()
        children = value if isinstance(value, list) else [value]
        children = value.values() if key == "properties" else children
        for child in children:
            found |= names_in(child)
    return found


def known_words(app):
    """Arguments, fields and names of the tools that are served."""
    tools = app.tools_list()["tools"]
    words = {tool["name"] for tool in tools}
    for tool in tools:
        words |= names_in(tool["inputSchema"]) | names_in(tool.get("outputSchema", {}))
    return words


def coded(text):
    return set(re.findall(r"`([a-z_.]+)`", text))


def test_instructions_name_real_tools_and_parameters(tmp_path):
    app = shipped(tmp_path)
    assert coded(app.instructions)
    assert coded(app.instructions) <= known_words(app)
    served = {tool["name"] for tool in app.tools_list()["tools"]}
    assert set(re.findall(r"\b(?:kb|graph)\.[a-z_]+", app.instructions)) <= served


def test_instructions_name_tools_as_they_are_served(tmp_path):
    settings = configuration.load(None, tmp_path)
    settings.server["name_style"] = "underscore"
    text = App.build(settings).instructions
    assert "kb_retrieve_evidence" in text
    assert "kb.retrieve_evidence" not in text


def test_instructions_are_silent_about_what_is_not_served(tmp_path, monkeypatch):
    settings = configuration.load(None, tmp_path)
    settings.server["exclude"] = ["graph.*", "kb.search"]
    text = App.build(settings).instructions
    assert "kb.retrieve_evidence" in text
    assert "graph" not in text
    monkeypatch.setenv("MCP_KB_V2_ENABLED", "false")
    rolled_back = shipped(tmp_path).instructions
    assert "search_sections" in rolled_back
    assert not re.search(r"\b(?:kb|graph)\.", rolled_back)


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_client_gets_them(kb, tmp_path, era):
    async def asked():
        async with connect(shipped(tmp_path), era) as client:
            return client.instructions

    assert "kb.retrieve_evidence" in kb.run(asked)


PROMPTS = {"answer_from_evidence": {"question": "How do I mount?"}, "explore_the_graph": {"topic": "snapshots"}}


def test_prompts_name_real_tools_and_parameters(kb, tmp_path):
    async def asked():
        async with connect(app, "modern") as client:
            listed = {prompt.name for prompt in (await client.list_prompts()).prompts}
            texts = [
                (await client.get_prompt(name, arguments)).messages[0].content.text
                for name, arguments in PROMPTS.items()
            ]
            return listed, texts

    app = shipped(tmp_path)
    words = known_words(app)
    listed, texts = kb.run(asked)
    assert set(PROMPTS) <= listed
    for text in texts:
        named = set(re.findall(r"\b(?:kb|graph)\.[a-z_]+", text))
        assert named and named <= words
        assert set(re.findall(r"\b[a-z]+_[a-z_]+\b", text)) - {part.split(".")[1] for part in named} <= {
            *words, *(f"{word}s" for word in words),
        }  # fmt: skip
    assert "How do I mount?" in texts[0]
    assert "snapshots" in texts[1]


def test_the_playbook_begins_with_the_one_call(kb):
    first = PLAYBOOK.index("kb.retrieve_evidence")
    assert first < PLAYBOOK.index("kb.search")
    assert first < PLAYBOOK.index("graph.expand")


def test_the_playbook_names_real_tools_and_parameters(tmp_path):
    app = shipped(tmp_path)
    settings = {"mode", "plugins.scratch.ttl_seconds"}
    unknown = coded(PLAYBOOK) - known_words(app) - settings
    assert not unknown
