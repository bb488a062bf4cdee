"""A contract says which environment variable sets which of its numbers."""

from __future__ import annotations

from typing import Any

import pytest

LIMITED = """
@tool("demo.limited")
async def limited(call):
    return {"tokens": call.limits["answer_tokens"], "seconds": call.deadline.seconds}
"""
SAID = {
    "input": {"type": "object", "additionalProperties": False},
    "budgets": {"timeout_seconds": 5},
    "limits": {"answer_tokens": 100},
    "environment": {"DEMO_TIMEOUT": "budgets.timeout_seconds", "DEMO_TOKENS": "limits.answer_tokens"},
}


def asked(workshop: Any, settings: Any = None) -> dict[str, Any]:
    workshop.tool(LIMITED, "demo.limited", **SAID)
    return workshop.call(workshop.app(settings or {}), "demo.limited").data


def test_without_the_variable_the_contract_holds(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_TOKENS", " ")
    assert asked(workshop) == {"tokens": 100, "seconds": 5}


def test_it_goes_up_and_down_and_over_tools_yaml(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_TIMEOUT", "600")
    monkeypatch.setenv("DEMO_TOKENS", "7")
    lowered = {"overlays": {"demo.limited": {"budgets": {"timeout_seconds": 2}}}}
    assert asked(workshop, lowered) == {"tokens": 7, "seconds": 600}


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "soon", "99999999999"])
def test_what_is_no_number_is_refused_at_start(workshop: Any, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DEMO_TIMEOUT", value)
    workshop.tool(LIMITED, "demo.limited", **SAID)
    said = workshop.refusal({})
    assert "environment variable DEMO_TIMEOUT" in said
    assert "whole number" in said and value not in said.replace("10000000", "").replace("from 1", "")


def test_a_variable_for_a_limit_that_is_none_is_refused(workshop: Any) -> None:
    workshop.tool(LIMITED, "demo.limited", **{**SAID, "environment": {"DEMO_TOKENS": "limits.answer_token"}})
    said = workshop.refusal({})
    assert "`answer_token` is no limit of this contract — did you mean `answer_tokens`?" in said
