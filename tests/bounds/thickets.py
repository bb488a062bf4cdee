"""Documents that are as costly to ask as a stranger can make them, and the costliest call of every tool on them."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.catalogue.served import ServedTool
from wekadocs_mcp.config import deployment as configuration

_spec = importlib.util.spec_from_file_location("kb_conftest", Path(__file__).parents[1] / "plugins" / "conftest.py")
assert _spec is not None and _spec.loader is not None
kb = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = kb
_spec.loader.exec_module(kb)

FAMILIES = ("kb", "graph", "legacy_compat")
WHO = Caller(principal="ada", session="one")
Arguments = dict[str, Any]


def pages() -> dict[str, str]:
    """Two thickets with no way from one to the other, a table, tabs, one long page."""
    found = {}
    for side in ("LEFT", "RIGHT"):
        names = " ".join(f"`{side}_{number}`" for number in range(90))
        links = " ".join(f"[page](../{side}/{number}.md)" for number in range(30))
        for number in range(30):
            parts = "".join(f"## {side} part {part} of {number}\n\nSet {names}.\n\n" for part in range(6))
            found[f"{side}/{number}.md"] = f"# {side} {number}\n\n{links}\n\n{parts}"
    rows = "".join(f"| r{number} | | x |\n" for number in range(500))
    found["table.md"] = f"# Table of cells\n\n| a | b | c |\n|---|---|---|\n{rows}"
    found["tabs.md"] = "# Tabulated\n\n```\n" + "\t\t\t\tcell\t\t\t\t\n" * 600 + "```\n"
    found["long.md"] = "# Long\n\n" + "Mount the filesystem, then mount it again with the same option. " * 3000
    return found


@dataclass
class Server:
    """An app with all three families; `worst` is the costliest call of each of its tools."""

    app: App
    worst: dict[str, Arguments] = field(default_factory=dict)

    def tool(self, name: str) -> ServedTool:
        return self.app.catalogue.by_contract[name]

    async def call(self, name: str, arguments: Arguments, **caller: Any) -> Outcome:
        who = Caller(**caller) if caller else WHO
        return await self.app.dispatcher.call(self.tool(name).name, arguments, who)


def settings(**changes: Any) -> dict[str, Any]:
    plugins: dict[str, Any] = {name: changes.pop(name, {}) for name in ("corpus", "scratch", *FAMILIES)}
    scope = {"project_id": "wekadocs-matrix", "environment": "prod"}
    flags = {"MCP_KB_V2_ENABLED": True, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": True}
    return {"plugins": plugins, "flags": flags, "scope": scope, **changes}


def tool_names() -> list[str]:
    app = App.build(configuration.from_dict(settings()))
    return sorted(tool.contract.name for tool in app.catalogue.tools if tool.plugin.name in FAMILIES)


async def ids(server: Server, side: str, count: int) -> list[str]:
    """Nodes of one thicket."""
    found = await server.call("search_sections", {"query": f"{side} part", "top_k": 50})
    assert found.data is not None
    wanted = [row["section_id"] for row in found.data["results"] if row["title"].startswith(side)]
    around = await server.call("graph.expand", {"node_ids": wanted[:20], "page_size": 100, "max_hops": 2})
    assert around.data is not None
    return [*wanted, *(row["id"] for row in around.data["nodes"])][:count]


async def worst_calls(server: Server) -> dict[str, Arguments]:
    """Within every cap of its contract."""
    left, right = await ids(server, "LEFT", 100), await ids(server, "RIGHT", 100)
    entities = await server.call("graph.entities_for_sections", {"section_ids": left[:20], "max_per_section": 50})
    assert entities.data is not None, entities.error
    named = [each["id"] for row in entities.data["results"] for each in row["entities"]][:100]
    question = " ".join(f"LEFT_{number} mountt RIGHT_{number}" for number in range(60))
    passages = {}
    for words, path in (("Table of cells", "table.md"), ("Tabulated cell", "tabs.md"), ("Long mount again", "long.md")):
        rows = await server.call("kb.search", {"query": words, "top_k": 20, "page_size": 20})
        assert rows.data is not None
        passages[path] = next(row["passage_id"] for row in rows.data["results"] if row["path"] == path)
    return {
        "kb.search": {"query": question, "top_k": 20, "page_size": 20, "options": {"include_debug": True}},
        "kb.retrieve_evidence": {"question": question, "max_quotes": 12, "max_quote_tokens": 200},
        "kb.extract_evidence": {"question": question, "passage_ids": list(passages.values()), "max_quotes": 12},
        "kb.read_excerpt": {"passage_id": passages["tabs.md"], "max_tokens": 800},
        "kb.expand_excerpt": {"passage_id": passages["tabs.md"], "before_tokens": 400, "after_tokens": 400},
        "kb.verify_quote": {"passage_id": passages["table.md"], "quote": "| x " * 1000},
        "graph.describe": {"node_ids": left, "include_snippet": True},
        "graph.expand": {"node_ids": left, "max_hops": 3, "page_size": 100, "include_snippet": True},
        "graph.paths": {"a_ids": left[:20], "b_ids": right[:20], "max_hops": 5, "max_paths": 50},
        "graph.parents": {"section_ids": left},
        "graph.children": {"parent_id": left[0], "page_size": 100, "include_snippet": True},
        "graph.entities_for_sections": {"section_ids": left, "max_per_section": 50},
        "graph.sections_for_entities": {"entity_ids": named, "max_per": 50, "include_snippet": True},
        "search_sections": {"query": question, "top_k": 100, "page_size": 100},
        "search_documentation": {"query": question, "top_k": 100, "verbosity": "graph"},
        "get_section_text": {"section_ids": left, "max_bytes_per": 32768},
        "describe_nodes": {"node_ids": left},
        "expand_neighbors": {"node_ids": left, "max_hops": 3, "page_size": 100, "include_snippet": True},
        "get_paths_between": {"a_ids": left[:20], "b_ids": right[:20], "max_hops": 5, "max_paths": 50},
        "list_children": {"parent_id": left[0], "page_size": 100},
        "list_parents": {"section_ids": left},
        "get_entities_for_sections": {"section_ids": left, "max_per_section": 100},
        "get_sections_for_entities": {"entity_ids": named, "max_per": 100},
        "traverse_relationships": {"start_ids": left, "max_depth": 3, "include_text": True},
        "summarize_neighborhood": {"node_ids": left[:20], "token_budget": 100000},
        "compute_context_bundle": {"seeds": left[:20], "strategy": "default", "token_budget": 100000},
    }
