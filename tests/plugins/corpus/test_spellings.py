"""What the graph calls a thing that pages spell in several ways: the same in whatever order they came and went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from postgres_server import dropped, postgres_server

PAGES = {
    "a.md": "# Tiering Policies\n\nRun `strata Tier` with `--Keep-Hot`.\n",
    "b.md": "# Objects\n\nThings.\n\n## The tiering policies (old)\n\nRun `strata tier`.\n\n## TIERING POLICIES\n",
    "c.md": "# Overview\n\nSee the Tiering Policies; `strata tier --keep-hot` sets them.\n",
}
SPELLINGS = {"Tiering Policies", "TIERING POLICIES", "The tiering policies (old)"}
Taken = Callable[..., None]


@pytest.fixture(params=["file", "postgres"])
def truth(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    if request.param == "file":
        yield {}
        return
    server = postgres_server()
    settings = server.settings
    with dropped(server, settings["schema"]):
        yield {"truth": settings}


def write(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        (folder / name).write_text(PAGES[name])


def answer(server: Any, tool: str, arguments: dict[str, Any]) -> Any:
    outcome = server.outcome(tool, arguments)
    assert outcome.error is None, outcome.error
    return outcome.data


def names(serve: Callable[..., Any], data: Path, truth: dict[str, Any]) -> set[str]:
    """Of all that the overview mentions."""
    server = serve(data_dir=data, plugins={"corpus": truth, "scratch": {}, "kb": {}, "graph": {}})
    (row, *_) = answer(server, "kb.search", {"query": "overview", "top_k": 1})["results"]
    asked = {"section_ids": [row["section_id"]]}
    (found,) = answer(server, "graph.entities_for_sections", asked)["results"]
    return {each["name"] for each in found["entities"]}


@pytest.mark.parametrize("order", [("a.md", "b.md", "c.md"), ("c.md", "b.md", "a.md")], ids=["forwards", "backwards"])
def test_the_order_of_arrival_does_not_show(
    order: tuple[str, ...], truth: dict[str, Any], serve: Callable[..., Any], take_in: Taken, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in order:
        write(docs, [name])
        take_in(tmp_path / "data", docs, **truth)
    found = names(serve, tmp_path / "data", truth)
    assert found & SPELLINGS == {"Tiering Policies"}
    assert {"strata tier", "--keep-hot"} <= found, "as anybody types it"


def test_a_spelling_goes_with_the_last_page_that_has_it(
    truth: dict[str, Any], serve: Callable[..., Any], take_in: Taken, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write(docs, sorted(PAGES))
    take_in(tmp_path / "data", docs, **truth)
    (docs / "a.md").unlink()
    take_in(tmp_path / "data", docs, **truth)
    assert names(serve, tmp_path / "data", truth) & SPELLINGS == {"TIERING POLICIES"}
    (docs / "b.md").write_text("# Objects\n\n## The tiering policies (old)\n\nRun it.\n")
    take_in(tmp_path / "data", docs, **truth)
    assert names(serve, tmp_path / "data", truth) & SPELLINGS == {"The tiering policies (old)"}
