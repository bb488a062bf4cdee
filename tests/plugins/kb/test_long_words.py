"""A page or a question with a word longer than anyone writes: every tool answers, and no other answer changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PAGES = {f"page{n}.md": f"# Page {n}\n\nMount filesystem {n} with the option `--quota-{n}`.\n" for n in range(12)}
POISON = ["a1" * 60, "1-" * 70 + "1", "_" * 130, "aB" * 1000, "漢1" * 60]
WORDS = st.sampled_from(POISON) | st.builds(
    lambda unit, size: (unit * size)[:size], st.text("aA1_-./é漢", min_size=1, max_size=4), st.integers(97, 2000)
)


def poisoned(pages: dict[str, str]) -> dict[str, str]:
    bad = {
        f"bad{place}.md": f"# Bad {word}\n\nFilesystem {word} here.\n\n## {word}\n\nMore.\n"
        for place, word in enumerate(POISON)
    }
    return {**pages, **bad}


@pytest.fixture(scope="module")
def bad(serve: Callable[..., Any], ingested: Callable[[dict[str, str]], Path]) -> Any:
    everything = {name: {} for name in ("corpus", "scratch", "kb", "graph", "legacy_compat")}
    return serve(ingested(poisoned(PAGES)), plugins=everything)


def filled(schema: dict[str, Any], word: str) -> Any:
    """An argument that is this word wherever it may be text."""
    match schema.get("type"):
        case "string":
            return schema["enum"][0] if "enum" in schema else word[: schema.get("maxLength", len(word))]
        case "array":
            return [filled(schema.get("items", {"type": "string"}), word)]
        case "integer":
            return schema.get("minimum", 1)
    return None


def arguments(tool: Any, word: str) -> dict[str, Any]:
    rows = {name: filled(each, word) for name, each in tool.input["properties"].items() if name != "cursor"}
    return {name: value for name, value in rows.items() if value is not None}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=WORDS)
def test_no_tool_fails_over_a_long_word(bad: Any, word: str) -> None:
    for tool in bad.app.catalogue.tools:
        given = arguments(tool, word)
        asked = {name: given[name] for name in ("query", "question") if name in given}
        for each in (given, asked):
            error = bad.outcome(tool.name, each).error
            assert error is None or error["error"]["code"] != "INTERNAL_ERROR", (tool.name, error)
