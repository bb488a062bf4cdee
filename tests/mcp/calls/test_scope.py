"""A caller's scope: filled from tools.yaml, narrowed at will, never widened."""

from __future__ import annotations

from typing import Any

import pytest

from .outcomes import CEILING, SCOPED, SHOW_SCOPE, error


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        (None, ["docs", "prod", ["a", "b"], []]),
        ({}, ["docs", "prod", ["a", "b"], []]),
        ({"project_id": "docs"}, ["docs", "prod", ["a", "b"], []]),
        ({"doc_tags": ["b"]}, ["docs", "prod", ["b"], []]),
        ({"doc_tags": []}, ["docs", "prod", ["a", "b"], []]),
        ({"repositories": ["r"], "environment": "prod"}, ["docs", "prod", ["a", "b"], ["r"]]),
    ],
)
def test_the_scope_is_filled_from_tools_yaml_and_may_be_narrowed(workshop: Any, asked: Any, seen: list[Any]) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    app = workshop.app({"scope": CEILING})
    assert workshop.call(app, "demo.echo", {} if asked is None else {"scope": asked}).data == {"got": seen}


@pytest.mark.parametrize(
    "asked",
    [
        {"project_id": "other"},
        {"environment": "dev"},
        {"doc_tags": ["c"]},
        {"doc_tags": ["a", "c"]},
        {"project_id": ""},
    ],
)
def test_a_wider_or_foreign_scope_is_refused(workshop: Any, asked: Any) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    told = error(workshop.call(workshop.app({"scope": CEILING}), "demo.echo", {"scope": asked}))
    assert told["code"] == "SCOPE_VIOLATION"
    assert told["details"]["path"] == f"/scope/{next(iter(asked))}"


@pytest.mark.parametrize(
    "asked", ["file", {"project": "other"}, {"doc_tags": "ab"}, {"doc_tags": [1]}, {"project_id": 1}, [1]]
)
def test_a_scope_that_is_none_is_refused_however_open_the_contract(workshop: Any, asked: Any) -> None:
    workshop.tool(SHOW_SCOPE, input={"type": "object", "properties": {"scope": {}}})
    told = error(workshop.call(workshop.app({"scope": CEILING}), "demo.echo", {"scope": asked}))
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["path"].startswith("/scope")


def test_a_tool_without_a_scope_argument_has_the_configured_scope(workshop: Any) -> None:
    workshop.tool(SHOW_SCOPE, input={"type": "object"})
    app = workshop.app({"scope": CEILING})
    assert workshop.call(app, "demo.echo").data["got"][0] == "docs"
    assert workshop.call(app, "demo.echo", {"scope": {}}).code == "INVALID_ARGUMENT"
