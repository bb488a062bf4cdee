"""What is asked for beside the words of a query, and what is said of words that no document has."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wekadocs_corpus.retrieval.question import acronyms
from wekadocs_corpus.retrieval.rewriting import spelled_out
from wekadocs_corpus.tuning import TUNING

PAGES = {
    "overview.md": "# Overview\n\nSnap-To-Object (STO) moves a snapshot away.",
    "bucket.md": "# Bucket\n\nSnap-to-object needs a bucket with versioning switched off.",
    "codes.md": "# Codes\n\nThe code STO-1042 means that the bucket is gone.",
    "other.md": "# Other\n\nNothing of the kind.",
}


@pytest.fixture(scope="module")
def small(serve, ingested):
    return serve(data_dir=ingested(PAGES))


def by_words(kb, query, **options):
    """Page → its place in the words leg; None where only the vectors had it."""
    given = {"query": query, "options": {"include_debug": True, **options}}
    return {row["path"]: row["debug"]["words_rank"] for row in kb.ask("kb.search", given)["results"]}


def test_an_acronym_also_finds_what_it_stands_for(small):
    assert by_words(small, "Explain STO")["bucket.md"] is not None
    assert by_words(small, "Explain STO", rewrite=False)["bucket.md"] is None


def test_evidence_comes_from_the_same_candidates_as_the_search(small):
    found = small.ask("kb.search", {"query": "Explain STO"})["results"]
    quotes = small.ask("kb.retrieve_evidence", {"question": "Explain STO"})["quotes"]
    assert {row["section_id"] for row in quotes} <= {row["section_id"] for row in found}
    assert "bucket.md" in {row["path"] for row in quotes}


def test_codes_identifiers_and_shouting_are_never_rewritten(small):
    assert acronyms("What does STO-1042 mean in v4.2 with --STO and a/STO/b, X_STO, STO.md?", TUNING.asking) == []
    assert acronyms("WHAT DOES STO NEED", TUNING.asking) == []
    assert (
        by_words(small, "STO-1042 means?")["bucket.md"]
        == by_words(small, "STO-1042 means?", rewrite=False)["bucket.md"]
    )


@pytest.mark.parametrize(
    ("acronym", "text", "meaning"),
    [
        ("STO", "with Snap-To-Object (STO) you", "Snap To Object"),
        ("RBAC", "uses role-based access control (RBAC).", "role based access control"),
        ("QOS", "the Quality of Service (QOS)", "Quality of Service"),
        ("MOU", "a Memorandum of the Understanding (MOU)", None),
        ("STO", "nothing (STO) here", None),
        ("STO", "no brackets: Snap To Object STO", None),
    ],
)
def test_a_definition_is_words_whose_initials_are_the_acronym(acronym, text, meaning):
    assert spelled_out(acronym, [text], TUNING.rewriting) == meaning


def test_a_word_that_no_document_has_is_named_with_the_nearest_heading(kb):
    answer = kb.ask("kb.retrieve_evidence", {"question": "Who invented the snapshhoot in 1805?"})
    assert answer["answerable"] is False
    assert "No document has the word 'snapshhoot'; did you mean 'snapshot" in answer["hint"]
    nothing = kb.ask("kb.search", {"query": "snapshhoot", "filters": {"path_prefix": "none/"}})
    assert nothing["results"] == []
    assert "did you mean 'snapshot" in nothing["hint"]


def test_names_outside_the_scope_are_not_told(serve):
    narrow = {"project_id": "wekadocs-matrix", "environment": "prod", "doc_tags": ["security"]}
    answer = serve(scope=narrow).ask("kb.retrieve_evidence", {"question": "Who invented the snapshhoot in 1805?"})
    assert "did you mean" not in answer["hint"]


TYPED = {
    "levels.md": "# Isolation levels\n\nThere are three isolation levels: loose, firm and strict.",
    "configuration.md": "# Configuration\n\nThe configuration is read at start.",
    "status.md": "# Status\n\nThe status tells what runs.",
    "speech.md": "# Transform speech\n\nSpeech is transformed to text.",
}


@pytest.fixture(scope="module")
def typed(serve, ingested):
    return serve(data_dir=ingested(TYPED))


def test_a_word_mistyped_by_a_letter_is_read_as_the_headings_spell_it(typed):
    answer = typed.ask("kb.retrieve_evidence", {"question": "isolation levles"})
    assert answer["answerable"] and answer["quotes"][0]["path"] == "levels.md"
    assert answer["hint"] == "Read 'levles' as 'levels'."
    assert by_words(typed, "configuratoin")["configuration.md"] == 1
    assert by_words(typed, "configuratoin", rewrite=False).get("configuration.md") is None


@pytest.mark.parametrize("word", ["Terraform", "terraform", "Levles", "states", "spee", "X_levles"])
def test_names_real_words_and_what_is_further_off_stay_as_they_are(typed, word):
    answer = typed.ask("kb.retrieve_evidence", {"question": f"isolation {word}"})
    assert "Read" not in answer.get("hint", "")


CHANGED = {
    "guide/limits.md": "# Limits\n\nThe soft limit of a task warns it by a word in its log.",
    "history/changelog-5.1.md": "# Limits\n\nThe soft limit of a task warns. Fixed.",
    "other.md": "# Other\n\nNothing of the kind.",
}


def test_lists_of_changes_come_after_what_explains_unless_changes_are_asked_for(serve, ingested):
    kb = serve(data_dir=ingested(CHANGED))

    def first(query):
        return kb.ask("kb.search", {"query": query})["results"][0]["path"]

    assert first("soft limit of a task") == "guide/limits.md"
    assert first("fixed soft limit of a task") == "history/changelog-5.1.md"


SETTING = """# Settings

## task_limit

Default: 4.

How many tasks run at once. {more}

## other

See task_limit, task_limit and task_limit.
"""


def test_of_a_section_that_is_the_question_the_beginning_is_quoted(serve, ingested):
    more = "Task limits by task_limit need no restart, whatever the limit of a task is. " * 30
    kb = serve(data_dir=ingested({"settings.md": SETTING.replace("{more}", more), "b.md": "# B\n\nOther text."}))
    quote = kb.ask("kb.retrieve_evidence", {"question": "what is task_limit"})["quotes"][0]
    assert "Default: 4." in quote["quote"] and quote["anchor"] == "task_limit"


EXACT = st.one_of(
    st.from_regex(r"v?[0-9]{1,2}(\.[0-9]{1,2}){1,3}", fullmatch=True),
    st.from_regex(r"--[a-z]{2,8}([.-][a-z]{2,8}){0,2}", fullmatch=True),
    st.from_regex(r"[a-z]{2,8}(_[a-z]{2,8}){1,2}|[a-z]{2,8}[A-Z][a-z]{2,8}|[a-z]{2,8}\.[a-z]{2,8}", fullmatch=True),
    st.from_regex(r"[A-Z]{2,5}-?[0-9]{3,4}", fullmatch=True),
    st.sampled_from(["v3.1", "v4.2", "4.1.4", "--flag.name", "--dry-run", "--ssd-size", "STR-3008", "STR5010"]),
    st.sampled_from(["fs.trash_hours", "client.flush_seconds", "`mout`", "`STO`", "mout()", "strata_node_clock_skew"]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.lists(EXACT, min_size=1, max_size=2).map(" ".join))
def test_what_is_only_an_identifier_version_flag_or_code_is_never_rewritten(kb, query):
    rows = [
        [{**row, "passage_id": "", "scratch_uri": ""} for row in found["results"]]
        for found in (
            kb.ask("kb.search", {"query": query, "options": {"include_scores": True, "rewrite": rewrite}})
            for rewrite in (True, False)
        )
    ]
    assert rows[0] == rows[1]
