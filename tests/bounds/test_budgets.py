"""Whatever an answer may have, every tool fills it and no more: it trims, and says so."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from thickets import Server, tool_names

from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.budgets import json_size

_LEAST, _SMALL = 1024, 6144
_BUDGETS = [_LEAST, 1100, 1250, 1500, 1900, 2500, 4096, _SMALL, 20_000, 49_152, 65_536]
_TOLD = ("partial", "truncated")


def wrong_with(outcome: Outcome, whole: dict[str, Any], budget: int) -> str:
    if outcome.code == "BUDGET_EXCEEDED":
        by_host = "bytes" in (outcome.error or {})["error"]["details"]
        return "the host had to refuse it" if by_host else "" if budget < _SMALL else "it did not trim"
    if outcome.data is None:
        return outcome.code
    size = json_size(outcome.data)
    if size > budget:
        return f"{size} bytes"
    smaller = size < json_size(whole) * 0.9
    return "" if not smaller or any(outcome.data.get(name) for name in _TOLD) else "it does not say that it trimmed"


def fresh(name: str, arguments: dict[str, Any], session: str) -> dict[str, Any]:
    """As if never asked before, where a tool does not repeat itself; and paths where there are many."""
    around = {"b_ids": arguments["a_ids"]} if "a_ids" in arguments else {}
    return {**arguments, **around, **({"session_id": session} if name == "expand_neighbors" else {})}


def test_every_tool_has_a_worst_call(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> list[str]:
        return sorted(server.worst)

    assert serving(work) == tool_names()


def test_every_tool_trims_to_every_budget(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> list[str]:
        found = []
        for name, arguments in server.worst.items():
            tool = server.tool(name)
            tool.response_bytes = 10_000_000
            whole = (await server.call(name, fresh(name, arguments, "whole"))).data
            assert whole is not None, name
            answered = False
            for budget in _BUDGETS:
                tool.response_bytes = budget
                outcome = await server.call(name, fresh(name, arguments, str(budget)))
                wrong = wrong_with(outcome, whole, budget)
                if answered and outcome.data is None:
                    wrong = f"{outcome.code}, though less was enough"
                answered = answered or outcome.data is not None
                found += [f"{name} with {budget}: {wrong}"] * bool(wrong)
        return found

    assert serving(work) == []


def test_relationships_and_paths_stay_in_proportion_to_nodes(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> None:
        start = server.worst["traverse_relationships"]["start_ids"]
        for count in (1, 3, 60, 100):
            asked = {"start_ids": start[:count], "max_depth": 3, "include_text": True}
            answer = (await server.call("traverse_relationships", asked)).data
            assert answer is not None
            shown = {row["id"] for row in answer["nodes"]}
            assert len(shown) == len(answer["nodes"]) <= 100
            assert {end for edge in answer["relationships"] for end in (edge["from_id"], edge["to_id"])} <= shown
            reached = {row["id"] for row in answer["nodes"] if row["distance"]}
            assert {path["nodes"][-1] for path in answer["paths"]} == reached
        for name, nodes, edges in (("graph.expand", "nodes", "edges"), ("expand_neighbors", "nodes", "edges")):
            answer = (await server.call(name, fresh(name, server.worst[name], "proportion"))).data
            assert answer is not None
            assert answer[nodes] and answer[edges]

    serving(work)


def test_a_path_that_is_left_out_makes_the_answer_partial(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> None:
        ids = server.worst["graph.paths"]["a_ids"][:3]
        asked = {"a_ids": ids[:1], "b_ids": ids[1:], "rel_types": ["MENTIONS"], "max_hops": 4}
        most = (await server.call("graph.paths", {**asked, "max_paths": 50})).data
        few = (await server.call("graph.paths", {**asked, "max_paths": 1})).data
        assert most is not None and few is not None
        assert few["paths"] == most["paths"][:1]
        assert (few["partial"], few["limit_reason"]) == (True, "node_cap")
        old = (await server.call("get_paths_between", {**asked, "max_paths": 1})).data
        assert old is not None
        assert (old["partial"], old["limit_reason"]) == (True, "page_size")

    serving(work)


def test_an_excerpt_of_escaped_characters_is_as_long_as_the_answer_allows(serving: Callable[..., Any]) -> None:
    async def work(server: Server) -> None:
        rng = random.Random(14)
        asked = server.worst["kb.read_excerpt"]
        tool = server.tool("kb.read_excerpt")
        for budget in [rng.randint(_LEAST, 9000) for _ in range(20)]:
            tool.response_bytes = budget
            answer = (await server.call("kb.read_excerpt", asked)).data
            assert answer is not None
            assert json_size(answer) <= budget
            assert answer["excerpt"]
            assert answer["truncated"] == (answer["next_start_char"] is not None)

    serving(work)
