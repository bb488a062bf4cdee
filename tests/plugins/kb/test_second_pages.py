"""The second hop where no page is called as the bridge is, and where a question compares two things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PAGES = {
    "sites/orion.md": "# Orion site\n\nThe Orion site was built by Quillfeather Works and has a staff of nine.",
    "law/permit.md": "# Old permits\n\nQuillfeather Works lost its licence in 1987, after the flood.",
    "films/harbour.md": "# Harbour Lights\n\nHarbour Lights is a drama directed by Odile Brandt.",
    "films/meadow.md": "# Meadow Song\n\nMeadow Song is a comedy directed by Tomas Varga.",
    "people/brandt.md": "# Odile Brandt\n\nBrandt, born in Ghent, also painted.",
    "people/varga.md": "# Tomas Varga\n\nVarga, born in Pest, also taught.",
    "common/a.md": "# Cellar\n\nThe Lyra site is looked after by Common Hands.",
}
NOISE = {
    f"notes/n{number}.md": f"# Note {number}\n\nIn rack {number} the fans turn once a year, as in many films."
    for number in range(12)
}
WIDELY = {f"hands/h{number}.md": f"# Rota {number}\n\nCommon Hands lost week {number}." for number in range(30)}
BRIDGE = "In which year did the firm that built the Orion site lose its licence?"
COMPARISON = "Which film has the director who was born later, Harbour Lights or Meadow Song?"


@pytest.fixture(scope="module")
def pages(serve: Callable[..., Any], take_in: Callable[..., None], tmp_path_factory: pytest.TempPathFactory) -> Any:
    data, docs = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("docs")
    for name, text in (PAGES | NOISE | WIDELY).items():
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text(text)
    take_in(data, docs)
    other = tmp_path_factory.mktemp("other")
    (other / "secret.md").write_text("# Secret\n\nQuillfeather Works lost more than its licence.")
    take_in(data, other, project="other")
    return serve(data)


def found(kb: Any, query: str, most: int = 20, **more: object) -> dict[str, str]:
    """Path → source."""
    asked = {"query": query, "top_k": most, "page_size": most, "options": {"mode": "hybrid_local"}, **more}
    return {row["path"]: row["source"] for row in kb.ask("kb.search", asked)["results"]}


def test_a_name_that_two_pages_share_leads_on_though_no_page_is_called_so(pages):
    query = "How many films a year did the makers of the Orion site see?"
    assert found(pages, query)["law/permit.md"] == "graph_expanded"


def test_a_name_that_everybody_shares_leads_nowhere(pages):
    rows = found(pages, "How many films a year do those at the Lyra site see?")
    assert not [path for path, source in rows.items() if path.startswith("hands/") and source == "graph_expanded"]


@pytest.mark.parametrize("filters", [{"path_prefix": "sites/"}, {"doc_tag": ["sites", "notes"]}])
def test_filters_hold_where_a_shared_name_leads(pages, filters):
    assert "law/permit.md" not in found(pages, BRIDGE, filters=filters)


def test_a_shared_name_leads_into_no_other_project(pages):
    assert "secret.md" not in found(pages, BRIDGE)


def test_each_side_of_a_comparison_has_its_second_page(pages):
    assert {"people/brandt.md", "people/varga.md"} <= found(pages, COMPARISON, 4).keys()
