"""kb.read_excerpt, kb.expand_excerpt and kb.verify_quote: bounded, verbatim, checkable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.showing.excerpts import ExcerptRoom, bullets, end_of_excerpt
from wekadocs_corpus.model import fingerprint
from wekadocs_mcp.calls.budgets import json_size

QUERIES = ["mount a filesystem", "quota", "STR-2004", "configuration keys", "snapshot schedule"]


@pytest.fixture(scope="module")
def rows(kb):
    return [row for query in QUERIES for row in kb.ask("kb.search", {"query": query})["results"]]


@pytest.fixture(scope="module")
def documents(kb, rows):
    """path → text, as the corpus has it."""
    corpus = kb.state("corpus")
    ids = {
        row["path"]: kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"]})["citation"]["document_id"]
        for row in rows
    }
    return {path: corpus.truth.document(document_id).text for path, document_id in ids.items()}


@pytest.mark.parametrize("size", [1, 7, 50, 300, 800])
def test_excerpts_joined_are_the_passage(kb, rows, documents, size):
    for row in rows[:5]:
        parts, at = [], 0
        while at is not None:
            got = kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"], "start_char": at, "max_tokens": size})
            assert got["tokens"] <= size or len(got["excerpt"]) == 1
            assert got["truncated"] is (got["next_start_char"] is not None)
            assert documents[row["path"]][got["citation"]["start"] : got["citation"]["end"]] == got["excerpt"]
            parts.append(got["excerpt"])
            at = got["next_start_char"]
        assert len("".join(parts).encode()) == row["size_bytes"]
        assert "".join(parts) in documents[row["path"]]


def test_an_excerpt_ends_with_a_sentence_where_it_can(kb, rows):
    long = [row for row in rows if row["size_bytes"] > 300]
    ends = [kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"], "max_tokens": 60})["excerpt"] for row in long]
    whole = [each for each in ends if each.rstrip().endswith((".", "|", ":", "```")) or each.endswith("\n")]
    assert len(whole) > len(ends) / 2


@given(
    st.text(st.sampled_from("aé語🙂\u0301 \n.-|`#*"), max_size=400),
    st.integers(1, 60),
    st.sampled_from([str, bullets]),
)
def test_any_text_is_walked_without_gap_or_overlap(text, most, form):
    at, parts = 0, []
    while at < len(text):
        end = end_of_excerpt(text, at, ExcerptRoom(most, 32768, form, 65536, json_size))
        assert at < end <= len(text)
        assert tokens.count(form(text[at:end])) <= most or end == at + 1
        parts.append(text[at:end])
        at = end
    assert "".join(parts) == text


@pytest.mark.parametrize("text", ["x" * 200_000, "🙂" * 50_000, "- " * 50_000, " " * 200_000, "```\n" + "a\n" * 50_000])
@pytest.mark.parametrize("form", [str, bullets])
def test_pathological_texts_keep_within_tokens_and_bytes(text, form):
    shown = form(text[: end_of_excerpt(text, 0, ExcerptRoom(800, 32768, form, 65536, json_size))])
    assert tokens.count(shown) <= 800
    assert len(shown.encode()) <= 32768


def test_bullets_are_one_line_a_sentence_and_leave_code_alone():
    text = "First. Second one.\n\n- an item\n2. another\n\n```sh\nmount /mnt\n  indented\n```\n"
    assert bullets(text).splitlines() == [
        "- First.", "- Second one.", "- an item", "- another", "```sh", "mount /mnt", "  indented", "```",
    ]  # fmt: skip


def test_bullets_are_bounded_as_they_are_shown(kb, rows):
    for row in rows:
        arguments = {"passage_id": row["passage_id"], "max_tokens": 30, "options": {"format": "bullets"}}
        got = kb.ask("kb.read_excerpt", arguments)
        assert got["tokens"] == tokens.count(got["excerpt"]) <= 30


def test_the_citation_can_be_left_out(kb, rows):
    got = kb.ask("kb.read_excerpt", {"passage_id": rows[0]["passage_id"], "options": {"include_citation": False}})
    assert "citation" not in got


def test_the_text_is_the_excerpt_with_where_to_go_on(kb, rows):
    row = max(rows, key=lambda row: row["size_bytes"])
    outcome = kb.outcome("kb.read_excerpt", {"passage_id": row["passage_id"], "max_tokens": 30})
    text = outcome.content[0]["text"]
    assert text.startswith(outcome.data["excerpt"].strip())
    assert f"[{row['passage_id']}] Goes on at start_char {outcome.data['next_start_char']}, " in text


def test_expanding_crosses_the_border_of_the_passage(kb, rows, documents):
    crossed = 0
    for row in rows:
        got = kb.ask("kb.expand_excerpt", {"passage_id": row["passage_id"], "before_tokens": 400, "after_tokens": 400})
        cited, text = got["citation"], documents[row["path"]]
        assert text[cited["start"] : cited["end"]] == got["excerpt"]
        assert cited["hash"] == fingerprint(got["excerpt"])
        assert got["tokens"] <= 800
        crossed += len(got["excerpt"].encode()) > row["size_bytes"]
        assert got["truncated"] is (cited["end"] < len(text))
    assert crossed > len(rows) / 2


def test_expanding_by_nothing_is_what_matched(kb, rows):
    for row in rows:
        got = kb.ask("kb.expand_excerpt", {"passage_id": row["passage_id"], "before_tokens": 0, "after_tokens": 0})
        assert " ".join(got["excerpt"].split())[:30] in row["preview"]


def test_expanding_grows_with_what_is_asked_for(kb, rows):
    sizes = [
        kb.ask("kb.expand_excerpt", {"passage_id": rows[0]["passage_id"], "before_tokens": n, "after_tokens": n})[
            "tokens"
        ]
        for n in (0, 20, 100, 300)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_expanding_from_a_place_of_ones_own(kb, rows):
    arguments = {"passage_id": rows[0]["passage_id"], "before_tokens": 0, "after_tokens": 20, "start_char": 0}
    assert kb.text(rows[0]["passage_id"]).startswith(kb.ask("kb.expand_excerpt", arguments)["excerpt"])


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("kb.read_excerpt", {"max_tokens": 801}),
        ("kb.read_excerpt", {"max_tokens": 0}),
        ("kb.read_excerpt", {"start_char": -1}),
        ("kb.read_excerpt", {"start_char": 10_000_000}),
        ("kb.expand_excerpt", {"before_tokens": 401}),
        ("kb.expand_excerpt", {"after_tokens": -1}),
        ("kb.expand_excerpt", {"start_char": 10_000_000}),
        ("kb.extract_evidence", {"max_quotes": 13}),
        ("kb.extract_evidence", {"max_quote_tokens": 201}),
        ("kb.extract_evidence", {"include_context_tokens": 81}),
        ("kb.extract_evidence", {"passage_ids": []}),
        ("kb.extract_evidence", {"passage_ids": ["x"] * 21}),
        ("kb.extract_evidence", {"question": "x" * 2001}),
        ("kb.extract_evidence", {"question": " "}),
        ("kb.verify_quote", {"quote": ""}),
        ("kb.verify_quote", {"start": -1}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kb, rows, tool, more):
    passage_id = rows[0]["passage_id"]
    given = {
        "kb.extract_evidence": {"question": "mount", "passage_ids": [passage_id]},
        "kb.verify_quote": {"quote": "mount", "passage_id": passage_id},
    }.get(tool, {"passage_id": passage_id})
    assert kb.refused(tool, {**given, **more})["code"] == "INVALID_ARGUMENT"


@pytest.fixture(scope="module")
def quote(kb):
    return kb.ask("kb.retrieve_evidence", {"question": "How do I mount a filesystem?"})["quotes"][0]


def verified(kb, cited, **changes):
    given = {name: cited[name] for name in ("quote", "passage_id", "start", "hash")}
    return kb.ask("kb.verify_quote", {**given, **changes})


def test_a_quote_is_verified_as_cited(kb, quote):
    got = verified(kb, quote)
    assert (got["verified"], got["reason"], got["similarity"]) == (True, "exact", 1.0)
    assert got["found"] == quote["quote"]
    assert got["citation"]["start"] == quote["start"]
    assert got["citation"]["hash"] == quote["hash"]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda quote: {"start": quote["start"] + 5}, (True, "moved")),
        (lambda quote: {"hash": "0" * 16}, (True, "moved")),
        (lambda quote: {"quote": " ".join(quote["quote"].split()).replace(" ", "  ")}, (True, "spacing")),
        (lambda quote: {"quote": quote["quote"].replace("mount", "unmount", 1)}, (False, "changed")),
        (lambda quote: {"quote": "The moon is made of green cheese, says the manual."}, (False, "absent")),
    ],
    ids=["another place", "another hash", "other blanks", "another word", "invented"],
)
def test_what_is_not_as_cited_is_told(kb, quote, change, verdict):
    got = verified(kb, quote, **change(quote))
    assert (got["verified"], got["reason"]) == verdict


@pytest.mark.parametrize("name", ["section_id", "document_id"])
def test_a_citation_can_be_checked_after_its_passage_is_gone(kb, quote, name):
    citation = verified(kb, quote)["citation"]
    given = {"quote": quote["quote"], name: citation[name], "start": quote["start"]}
    assert kb.ask("kb.verify_quote", given, principal="bob")["reason"] == "exact"
    assert kb.refused("kb.verify_quote", {**given, name: "x"})["code"] == "INVALID_ARGUMENT"
    assert kb.refused("kb.verify_quote", {**given, "scope": {"doc_tags": ["cli"]}})["code"] == "INVALID_ARGUMENT"


PAGE = """---
title: Mounting
---
# Mounting

Short words first.

## Steps

Run `strata mount fs` as root.

## Undo

Run `strata umount fs` to undo it.
"""


@pytest.fixture(scope="module")
def page(serve, ingested):
    return serve(ingested({"mount.md": PAGE}))


def test_a_quote_checked_by_its_document_is_cited_with_the_section_it_stands_in(page):
    row = page.ask("kb.search", {"query": "undo umount"})["results"][0]
    document = page.ask("kb.read_excerpt", {"passage_id": row["passage_id"]})["citation"]["document_id"]
    got = page.ask("kb.verify_quote", {"quote": "Run `strata mount fs` as root.", "document_id": document})["citation"]
    assert got["anchor"] == "steps"
    again = page.ask("kb.verify_quote", {"quote": "Short words first.", "section_id": got["section_id"]})["citation"]
    assert again["anchor"] == "mounting"
    assert "" != again["section_id"] != got["section_id"]


def test_an_unknown_passage_of_several_is_pointed_at(page):
    known = page.ask("kb.search", {"query": "undo"})["results"][0]["passage_id"]
    told = page.refused("kb.extract_evidence", {"question": "undo", "passage_ids": [known, "nobody"]})
    assert told["details"]["path"] == "/passage_ids/1"


def test_an_excerpt_does_not_grow_into_front_matter(page):
    row = page.ask("kb.search", {"query": "short words"})["results"][0]
    got = page.ask("kb.expand_excerpt", {"passage_id": row["passage_id"]})
    assert got["excerpt"].startswith("# Mounting\n")
    assert PAGE[got["citation"]["start"] : got["citation"]["end"]] == got["excerpt"]


def test_a_quote_of_nothing_cannot_be_checked(kb):
    assert "passage_id, section_id or document_id" in kb.refused("kb.verify_quote", {"quote": "x"})["message"]


@pytest.mark.parametrize("odd", ["a" * 4000, "a " * 2000, "\n" * 4000, "🙂" * 1000])
def test_odd_quotes_are_absent_and_cost_no_minutes(kb, rows, odd):
    answer = kb.ask("kb.verify_quote", {"quote": odd, "passage_id": rows[0]["passage_id"]})
    assert (answer["verified"], answer["reason"], answer["found"]) == (False, "absent", None)
