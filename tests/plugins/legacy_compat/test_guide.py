"""The migration guide names every argument and field of every old tool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wekadocs_contracts.format import contracts
from wekadocs_mcp import shipped

ROOT = Path(__file__).parents[3]
OLD = contracts.load(contracts.contract_files(Path(shipped.CONTRACTS) / "legacy"))
GUIDE = (ROOT / "docs" / "how-to" / "migrate.md").read_text("utf-8")
# Fields of a node, which the new tools have alike.
SAME_IN_ALL = {"id", "label", "title", "level", "tokens", "doc_tag", "anchor", "snippet", "src", "dst", "type"}
ENVELOPE = {"session_id", "partial", "limit_reason", "meta"}


def fields(schema: Any) -> Iterator[str]:
    """The names of an answer, rows included."""
    for name, child in schema.get("properties", {}).items():
        yield name
        yield from fields(child.get("items", {}) if child.get("type") == "array" else child)


@pytest.mark.parametrize("contract", OLD, ids=lambda each: each.name)
def test_every_argument_and_field_has_a_successor_or_is_said_to_be_gone(contract: Any) -> None:
    heading = f"### `{contract.name}` → `{contract.replaced_by}`"
    section = GUIDE.split(f"{heading}\n", 1)[1].split("\n### ", 1)[0]
    rows = " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("|"))
    told = set(re.findall(r"`([a-z_]+)`", rows))
    named = {*contract.input["properties"], *(set(fields(contract.output)) - ENVELOPE)}
    assert named - SAME_IN_ALL <= told, named - SAME_IN_ALL - told


def test_the_envelope_is_explained() -> None:
    section = GUIDE.split("### Around every answer", 1)[1].split("\n## ", 1)[0]
    for name in (*ENVELOPE, "tokens_estimate", "bytes_returned", "duplicates_suppressed", "lowered", "error"):
        assert f"`{name}`" in section


def test_the_differences_speak_of_every_old_tool() -> None:
    page = (ROOT / "docs" / "explanation" / "legacy-differences.md").read_text("utf-8")
    unchanged = {"describe_nodes", "list_children", "list_parents", "get_sections_for_entities"}
    assert {each.name for each in OLD} - unchanged <= set(re.findall(r"`([a-z_]+)`", page))
