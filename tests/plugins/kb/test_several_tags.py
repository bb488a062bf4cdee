"""A page with several tags is served under any of them, and everything that a search hands out of it can be read on."""

import pytest

PAGES = {
    "vault/plan.md": "---\ndoc_tags: [vault, handbook]\ntags: [how-to]\n---\n# Plan\n\nThe plan's lease is renewed.\n",
    "vault/key.md": "# Key\n\nThe lease of a key is renewed in the vault.\n",
    "handbook/mount.md": "# Mount\n\nThe lease of a mount is renewed.\n",
}


@pytest.fixture(scope="module")
def data(ingested):
    return ingested(PAGES)


@pytest.mark.parametrize(
    ("tags", "filters", "paths"),
    [
        (["handbook"], {}, {"vault/plan.md", "handbook/mount.md"}),
        (["how-to"], {}, {"vault/plan.md"}),
        (["handbook"], {"doc_tag": ["vault", "how-to"]}, {"vault/plan.md"}),
        (["vault"], {"doc_tag": ["handbook"]}, {"vault/plan.md"}),
        (["vault"], {}, {"vault/plan.md", "vault/key.md"}),
        ([], {"doc_tag": ["how-to"]}, {"vault/plan.md"}),
    ],
)
def test_scope_and_filter_match_any_tag_of_a_page(serve, data, tags, filters, paths):
    served = serve(data, scope={"project_id": "wekadocs-matrix", "environment": "prod", "doc_tags": tags})
    rows = served.ask("kb.search", {"query": "lease renewed", "filters": filters})["results"]
    assert {row["path"] for row in rows} == paths
    assert {row["doc_tag"] for row in rows if row["path"] == "vault/plan.md"} == {"vault"}
    for row in rows:
        again = served.ask("kb.read_excerpt", {"passage_id": row["passage_id"]})
        assert "lease" in str(again)
        quote = {"quote": "is renewed", "section_id": row["section_id"]}
        assert served.ask("kb.verify_quote", quote)["verified"]
