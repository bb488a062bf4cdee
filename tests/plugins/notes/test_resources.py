"""A resource per note, and what a client is offered while its user writes one's address or a prompt's argument."""

from __future__ import annotations

import asyncio

import pytest
from mcp.types import PromptReference, ResourceTemplateReference
from reading_room import config

from wekadocs_mcp.testing import app_from, connect

NOTE = ResourceTemplateReference(type="ref/resource", uri="note://{vault}/{+path}")
PROMPT = PromptReference(type="ref/prompt", name="research_in_vault")


@pytest.fixture(params=["modern", "legacy"])
def completed(request, tmp_path):
    """What is offered for an argument, beside how many there are."""
    for name, ids in {"work": ["Plan.md", "a/plane.md", "b/explain.md", "c.md"], "home": ["Garden.md"]}.items():
        for id in ids:
            (tmp_path / name / id).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / id).write_text("x")
    vaults = {name: str(tmp_path / name) for name in ("work", "home")}
    app = app_from(config(vaults, watch="off"), toolsets=["roux"], data_dir=tmp_path / "data")

    def ask(reference, argument, value, **chosen):
        async def asked():
            async with connect(app, request.param) as client:
                given = {"name": argument, "value": value}
                found = (await client.complete(reference, given, context_arguments=chosen or None)).completion
                return found.values, found.total, found.has_more

        return asyncio.run(asked())

    ask.root = tmp_path
    return ask


def test_paths_of_the_vault_that_was_chosen_are_completed_those_that_begin_so_first(completed):
    assert completed(NOTE, "path", "PLA") == (["Plan.md", "a/plane.md", "b/explain.md"], 3, False)
    assert completed(NOTE, "path", "", vault="home") == (["Garden.md"], 1, False)
    assert completed(NOTE, "path", "x", vault="nobody") == ([], 0, False)
    assert completed(NOTE, "vault", "W") == (["work"], 1, False)
    assert completed(PROMPT, "vault", "") == (["work", "home"], 2, False)
    assert completed(PROMPT, "question", "") == ([], 0, False)


def test_of_many_notes_a_hundred_are_offered_and_all_counted(completed):
    for number in range(120):
        (completed.root / "work" / f"n{number:03}.md").write_text("x")
    values, total, has_more = completed(NOTE, "path", "n")
    assert (values[0], len(values), total, has_more) == ("n000.md", 100, 123, True)
