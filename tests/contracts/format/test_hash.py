"""What a contract's hash covers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .on_the_wire import wire


def hash_of(workshop: Any, settings: Any = None, **options: Any) -> str:
    return wire(workshop, settings, **options)["_meta"]["dev.wekadocs/contract"]["hash"]


def test_the_hash_changes_with_a_shared_fragment(workshop: Any) -> None:
    fragment = workshop.write("tools/_shared/few.yaml", "type: integer\nmaximum: 10\n")
    workshop.echo(input={"type": "object", "properties": {"n": {"$ref": "wekadocs:shared/few"}}})
    before = hash_of(workshop)
    fragment.write_text("type: integer\nmaximum: 11\n")
    assert hash_of(workshop) != before


@pytest.mark.parametrize(
    "settings",
    [
        {"server": {"prefix": "acme_"}},
        {"server": {"name_style": "underscore"}},
        {"overlays": {"demo.echo": {"title": "Other", "caps": {"text": 5}, "instructions": "More."}}},
        {"flags": {"SOME_FLAG": True}},
        {"budgets": {"timeout_seconds": 3}},
    ],
)
def test_the_hash_does_not_change_with_the_deployment(workshop: Any, settings: dict[str, Any]) -> None:
    workshop.echo()
    plain = wire(workshop)
    other = wire(workshop, settings)
    assert other["_meta"] == plain["_meta"]
    assert plain["_meta"]["dev.wekadocs/contract"]["version"] == "1.0.0"


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Other"},
        {"version": "1.0.1"},
        {"status": "deprecated"},
        {"errors": ["NOT_FOUND"]},
        {"budgets": {"timeout_seconds": 1}},
        {"argument_aliases": {"q": "text"}},
        {"output": {"type": "object"}},
    ],
)
def test_the_hash_changes_with_every_promise(workshop: Any, change: dict[str, Any]) -> None:
    workshop.echo()
    before = hash_of(workshop)
    workshop.echo(**change)
    assert hash_of(workshop) != before


def test_the_hash_does_not_change_with_examples_comments_folder_or_order(workshop: Any) -> None:
    path = workshop.echo()
    before = hash_of(workshop)
    workshop.echo(examples=[{"arguments": {"text": "a"}}])
    path.write_text("# a comment\n" + path.read_text())
    assert hash_of(workshop) == before
    data = workshop.contract()
    workshop.echo(**dict(reversed(data.items())))
    assert hash_of(workshop) == before
    moved = Path(workshop.folder / "elsewhere")
    workshop.tools.rename(moved)
    assert hash_of(workshop, plugin_paths=(str(moved),)) == before
