"""Descriptions and instructions name only what is served, and read well without the rest."""

import re

import pytest
import yaml

from wekadocs_contracts.format.leaving_out import ABSENT, without_absent
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment
from wekadocs_mcp.config.deployment import Options

NAMED = re.compile(r"\b(?:kb|graph)[._][a-z_]+")
CHOICES = {
    "search": ["kb.search"],
    "quotes": ["kb.extract_evidence", "kb.expand_excerpt"],
    "evidence": ["kb.retrieve_evidence"],
    "check": ["kb.verify_quote"],
    "graph": ["graph.*"],
    "walk": ["graph.expand", "graph.paths"],
    "texts": ["kb.read_excerpt", "kb.search"],
}


@pytest.fixture(scope="module")
def choose(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toolsets")
    (folder / "tools.yaml").write_text(yaml.safe_dump({"toolsets": CHOICES}))
    return lambda name: App.build(deployment.load(folder / "tools.yaml", folder / "data", Options(toolsets=(name,))))


@pytest.mark.parametrize("name", CHOICES)
def test_with_a_toolset_only_its_tools_are_named(choose, name):
    app = choose(name)
    served = {tool["name"] for tool in app.tools_list()["tools"]}
    for tool in app.tools_list()["tools"]:
        said = tool["description"]
        assert set(NAMED.findall(said)) <= served, said
        assert all(part in said for part in ("Use when ", "Do not use when ", "Returns ", "Defaults: "))
        assert ABSENT not in said and "another tool" not in said and "()" not in said and " ." not in said
    assert set(NAMED.findall(app.instructions or "")) <= served


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Widen it with \0.", ""),
        ("Read on. Widen it with \0.", "Read on."),
        ("If it is short, widen it with \0; if not, say so.", "If not, say so."),
        ("you want links (\0). Do not call it twice (use \0/\0 only).", "you want links. Do not call it twice."),
        ("One line.\nAnother with \0.\nA third.", "One line.\nA third."),
        ("Nothing is missing; truly (so).", "Nothing is missing; truly (so)."),
    ],
)
def test_what_names_an_absent_tool_is_left_out(text, left):
    assert without_absent(text) == left
