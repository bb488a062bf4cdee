"""kb.search: pages, cursors, previews, filters, hints, and what it says of how it searched."""

import pytest

from wekadocs_corpus.evidence import confidence
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

MOUNT = {"query": "How do I mount a filesystem?"}


def pages(kb, arguments, **caller):
    """All pages, following the cursor."""
    found = [kb.ask("kb.search", arguments, **caller)]
    while found[-1]["next_cursor"]:
        found.append(kb.ask("kb.search", {**arguments, "cursor": found[-1]["next_cursor"]}, **caller))
    return found


def test_defaults_are_five_candidates_of_five_documents(kb):
    answer = kb.ask("kb.search", MOUNT)
    assert [row["rank"] for row in answer["results"]] == [1, 2, 3, 4, 5]
    assert len({row["path"] for row in answer["results"]}) == 5
    assert answer["results"][0]["path"] == "filesystems/mount.md"
    assert answer["next_cursor"] is None
    assert (answer["partial"], answer["limit_reason"]) == (False, "none")


def test_top_k_bounds_all_pages_and_ranks_count_on(kb):
    got = pages(kb, {**MOUNT, "top_k": 7, "page_size": 3})
    assert [[row["rank"] for row in page["results"]] for page in got] == [[1, 2, 3], [4, 5, 6], [7]]
    assert [(page["partial"], page["limit_reason"]) for page in got] == [
        (True, "page_size"),
        (True, "page_size"),
        (False, "none"),
    ]


def test_pages_together_are_the_list_in_one(kb):
    whole = kb.ask("kb.search", {**MOUNT, "top_k": 20, "page_size": 20})["results"]
    got = [row for page in pages(kb, {**MOUNT, "top_k": 20, "page_size": 6}) for row in page["results"]]
    assert [row["section_id"] for row in got] == [row["section_id"] for row in whole]


def test_a_page_may_have_another_size_than_the_first(kb):
    first = kb.ask("kb.search", {**MOUNT, "top_k": 10, "page_size": 2})
    second = kb.ask("kb.search", {**MOUNT, "top_k": 10, "page_size": 8, "cursor": first["next_cursor"]})
    assert [row["rank"] for row in second["results"]] == [3, 4, 5, 6, 7, 8, 9, 10]


def test_the_same_cursor_gives_the_same_page(kb):
    first = kb.ask("kb.search", {**MOUNT, "page_size": 2})
    again = [kb.ask("kb.search", {**MOUNT, "page_size": 2, "cursor": first["next_cursor"]}) for _ in range(2)]
    assert again[0]["results"] == again[1]["results"]


@pytest.mark.parametrize(
    "changes",
    [
        {"query": "quota"},
        {"top_k": 6},
        {"filters": {"doc_tag": ["cli"]}},
        {"options": {"max_per_doc": 2}},
        {"scope": {"doc_tags": ["cli"]}},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_cursor_fits_only_its_own_question(kb, changes):
    arguments = {**MOUNT, "page_size": 2}
    cursor = kb.ask("kb.search", arguments)["next_cursor"]
    refused = kb.refused("kb.search", {**arguments, **changes, "cursor": cursor})
    assert refused == kb.refused("kb.search", {**arguments, "cursor": "garbage"})
    assert refused["code"] == "INVALID_ARGUMENT"


def test_what_is_left_out_and_what_is_null_are_the_same_question(kb):
    cursor = kb.ask("kb.search", {**MOUNT, "page_size": 2})["next_cursor"]
    filters = {"doc_tag": [], "path_prefix": None, "updated_after": None}
    assert kb.ask("kb.search", {**MOUNT, "page_size": 2, "filters": filters, "cursor": cursor})["results"]


@pytest.mark.parametrize("size", [40, 120, 280, 600])
def test_previews_keep_their_length_and_come_from_the_passage(kb, size):
    rows = kb.ask("kb.search", {"query": "quota limit", "options": {"max_snippet_chars": size}})["results"]
    for row in rows:
        assert 0 < len(row["preview"]) <= size
        text = " ".join(kb.text(row["passage_id"]).split())
        assert all(part.strip().rstrip("…") in text for part in row["preview"].split(" … "))


def test_the_preview_is_what_matched_and_not_the_head(kb):
    row = kb.ask("kb.search", {"query": "STR-2004"})["results"][0]
    assert "STR-2004" in row["preview"]
    assert len(kb.text(row["passage_id"])) > len(row["preview"])


def test_scores_and_debug_only_on_request(kb):
    plain = kb.ask("kb.search", MOUNT)["results"][0]
    assert not {"score", "debug"} & plain.keys()
    full = kb.ask("kb.search", {**MOUNT, "options": {"include_scores": True, "include_debug": True}})["results"][0]
    assert full["score"] > 0
    assert full["debug"]["words_rank"] >= 1


def test_more_of_one_document_on_request(kb):
    rows = kb.ask("kb.search", {**MOUNT, "top_k": 20, "page_size": 20, "options": {"max_per_doc": 3}})["results"]
    counts = [sum(row["path"] == path for row in rows) for path in {row["path"] for row in rows}]
    assert max(counts) > 1
    assert max(counts) <= 3


def test_every_row_has_a_link_with_what_only_links_can_carry(kb):
    outcome = kb.outcome("kb.search", MOUNT)
    links = [block for block in outcome.content if block["type"] == "resource_link"]
    assert [link["uri"] for link in links] == [row["scratch_uri"] for row in outcome.data["results"]]
    for link, row in zip(links, outcome.data["results"], strict=True):
        assert (link["name"], link["mimeType"], link["size"]) == (row["title"], "text/plain", row["size_bytes"])
        assert link["annotations"]["audience"] == ["assistant"]
        assert link["annotations"]["priority"] == 0.1
        assert link["annotations"]["lastModified"].endswith("+00:00")
    assert [block["type"] for block in outcome.content].count("text") == 1


def test_filters_are_kept(kb):
    tagged = kb.ask("kb.search", {**MOUNT, "filters": {"doc_tag": ["cli", "filesystems"]}})["results"]
    assert {row["doc_tag"] for row in tagged} == {"cli", "filesystems"}
    below = kb.ask("kb.search", {**MOUNT, "filters": {"path_prefix": "troubleshooting/"}})["results"]
    assert below
    assert all(row["path"].startswith("troubleshooting/") for row in below)
    assert kb.ask("kb.search", {**MOUNT, "filters": {"updated_after": "2999-01-01"}})["results"] == []


def test_tags_of_scope_and_filter_are_intersected(kb):
    scope = {"doc_tags": ["cli", "filesystems"]}
    rows = kb.ask("kb.search", {**MOUNT, "scope": scope, "filters": {"doc_tag": ["filesystems", "security"]}})[
        "results"
    ]
    assert {row["doc_tag"] for row in rows} == {"filesystems"}
    assert kb.ask("kb.search", {**MOUNT, "scope": scope, "filters": {"doc_tag": ["security"]}})["results"] == []


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"filters": {"doc_tag": ["filesystem"]}}, "did you mean 'filesystems'"),
        ({"filters": {"updated_after": "2999-01-01T00:00:00Z"}}, "Without filters.updated_after there are results"),
        ({"filters": {"path_prefix": "no/such"}}, "Without filters.path_prefix there are results"),
        ({"scope": {"doc_tags": ["clii"]}}, "did you mean 'cli'"),
    ],
)
def test_nothing_found_says_what_keeps_it_out(kb, arguments, hint):
    outcome = kb.outcome("kb.search", {**MOUNT, **arguments})
    assert hint in outcome.data["hint"]
    assert "Tags that exist: " in outcome.data["hint"]
    assert outcome.content[0]["text"].startswith("Nothing found.")


def test_a_scope_of_repositories_that_keeps_all_out_is_told(serve, ingested):
    data = ingested({".git/HEAD": "", "mount.md": "# Mount\n\nHow to mount a filesystem.\n"})
    (there,) = SqliteTruth(data).roots("wekadocs-matrix", "prod").values()
    hint = serve(data).ask("kb.search", {**MOUNT, "scope": {"repositories": [f"{there}x"]}})["hint"]
    assert hint.startswith(f"No document is of the repository '{there}x'")
    assert hint.endswith(f"Repositories that exist: {there}.")
    elsewhere = serve(data, scope={"project_id": "wekadocs-matrix", "environment": "prod", "repositories": ["ours"]})
    assert there not in elsewhere.ask("kb.search", MOUNT)["hint"]


def test_an_exact_name_is_found_whole_without_rewriting(kb):
    rows = kb.ask("kb.search", {"query": "STR-2004", "options": {"rewrite": False, "include_debug": True}})["results"]
    assert rows[0]["debug"]["words_rank"] == 1
    split = kb.ask("kb.search", {"query": "STR-2004", "top_k": 20, "page_size": 20, "options": {"include_debug": True}})
    whole = [row for row in rows if row["debug"]["words_rank"]]
    assert len(whole) <= len([row for row in split["results"] if row["debug"]["words_rank"]])


@pytest.mark.parametrize("mode", ["auto", "vector_only", "hybrid_local"])
def test_the_mode_that_ran_is_told(kb, mode):
    answer = kb.ask("kb.search", {**MOUNT, "options": {"mode": mode}})
    assert answer["mode_used"] == ("vector_only" if mode == "vector_only" else "hybrid_local")
    assert "degraded" not in answer
    assert "graph." not in kb.outcome("kb.search", {**MOUNT, "options": {"mode": "vector_only"}}).content[0]["text"]


def test_the_text_is_one_line_a_row_and_one_a_preview(kb):
    outcome = kb.outcome("kb.search", {**MOUNT, "page_size": 3})
    lines = outcome.content[0]["text"].splitlines()
    assert len(lines) == 7
    for row, line, preview in zip(outcome.data["results"], lines[::2], lines[1::2], strict=False):
        assert line.startswith(f"{row['rank']}. {row['title']}, {row['path']}")
        assert line.endswith(f"[{row['passage_id']}]")
        assert preview == f"   {row['preview']}"
    assert lines[-1] == f"More with cursor {outcome.data['next_cursor']}"


def test_tool_names_in_what_is_said_are_the_served_ones(serve, monkeypatch):
    kb = serve(server={"name_style": "underscore"})
    assert "Call kb_search again" in kb.refused("kb_search", {**MOUNT, "cursor": "x"})["message"]
    monkeypatch.setattr(confidence, "ANSWERABLE", 2.0)
    monkeypatch.setattr(confidence, "_COVERS", 2.0)
    assert "look around with kb_search" in kb.ask("kb_retrieve_evidence", {"question": "mount"})["hint"]


def test_an_answer_too_large_goes_on_at_the_next_cursor(kb, monkeypatch):
    arguments = {**MOUNT, "top_k": 12, "page_size": 12}
    monkeypatch.setattr(kb.app.catalogue.by_contract["kb.search"], "response_bytes", 4096)
    got = pages(kb, arguments)
    assert [row["rank"] for page in got for row in page["results"]] == list(range(1, 13))
    assert [page["limit_reason"] for page in got] == ["byte_cap"] * (len(got) - 1) + ["none"]
    assert len(got) > 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "x" * 2001},
        {"query": "x", "top_k": 21},
        {"query": "x", "top_k": 0},
        {"query": "x", "page_size": -1},
        {"query": "x", "options": {"max_snippet_chars": 39}},
        {"query": "x", "options": {"max_per_doc": 6}},
        {"query": "   "},
        {"query": "x", "filters": {"updated_after": ""}},
        {"query": "x", "filters": {"updated_after": " "}},
        {"query": "x", "filters": {"updated_after": "yesterday"}},
        {"query": "x", "nonsense": 1},
        {},
    ],
)
def test_what_is_out_of_bounds_is_refused(kb, arguments):
    assert kb.refused("kb.search", arguments)["code"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("query", ["\x00", "'; DROP TABLE documents; --", "🙂" * 500, "a" * 2000, "\u202e" * 20, '"*"'])
def test_odd_queries_are_answered(kb, query):
    assert kb.outcome("kb.search", {"query": query}).error is None


@pytest.mark.parametrize("letter", ["x", '"', "\\", "\n", "漢", "\U0001f600", "e\u0301"[1]])
def test_a_cap_counts_what_was_sent(kb, letter):
    assert kb.ask("kb.search", {"query": letter * 1999 + "x"})
    for tool, name in (("kb.search", "query"), ("kb.retrieve_evidence", "question")):
        told = kb.refused(tool, {name: letter * 2001})["message"]
        assert "(2001 characters)" in told
        assert "longer than 2000 characters" in told


@pytest.mark.parametrize("size", [280, 600])
def test_a_preview_has_one_to_three_sentences(serve, ingested, size):
    said = "".join(f"The NAME number {n} is up. " for n in range(12))
    pages = {f"{name}.md": f"# {name}\n\n{said.replace('NAME', name)}\n" for name in ("disk", "node")}
    for row in serve(ingested(pages)).ask("kb.search", {"query": "disk node", "options": {"max_snippet_chars": size}})[
        "results"
    ]:
        assert 1 <= row["preview"].count(". ") + row["preview"].endswith(".") <= 3, row["preview"]
