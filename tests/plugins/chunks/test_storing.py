"""store_chunks: every line of its contract and of what was ruled on it."""

import hashlib
import math

import pytest
from citing import OWN, done, passage, refused


def size(client, project):
    return done(client.call("inspect_collection", project=project))["size"]


def test_a_batch_is_stored_and_told_as_the_seed_has_it(client, clean):
    items = [passage(number) for number in range(100)]
    answer = done(client.call("store_chunks", project=clean, items=items))
    assert answer == {"chunks_written": 100, "project": clean, "embed_model": OWN, "warnings": []}
    assert size(client, clean) == 100


def test_an_unknown_project_is_told_with_all_known_ones(opened):
    known = ["citeloom/clean-arch", "citeloom/ddd"]
    error = refused(
        opened(dict.fromkeys(known)).call("store_chunks", project="citeloom/unknown", items=[passage(0)]),
        "INVALID_PROJECT",
    )
    assert error["message"] == f"Project 'citeloom/unknown' not found. Available projects: {known}"
    assert error["details"] == {"project_id": "citeloom/unknown", "available_projects": known}


@pytest.mark.parametrize(
    ("count", "final"), [(0, False), (1, False), (99, False), (501, False), (501, True), (0, True)]
)
def test_a_batch_of_another_size_is_refused_with_its_size_and_both_limits(client, clean, count, final):
    items = [passage(number) for number in range(count)]
    reply = client.call("store_chunks", project=clean, items=items, final=final)
    details = refused(reply, "INVALID_ARGUMENT")["details"]
    assert (details["batch_size"], details["min_batch"], details["max_batch"]) == (count, 100, 500)
    assert size(client, clean) == 0


@pytest.mark.parametrize(("count", "final"), [(40, True), (1, True), (100, False), (500, False)])
def test_a_batch_within_the_limits_or_the_rest_of_a_document_is_stored(client, clean, count, final):
    items = [passage(number) for number in range(count)]
    answer = done(client.call("store_chunks", project=clean, items=items, final=final))
    assert answer["chunks_written"] == count == size(client, clean)


def test_storing_twice_changes_nothing(client, lab):
    items = [passage(number) for number in range(5)]
    for _ in range(2):
        answer = done(client.call("store_chunks", project=lab, items=items))
        assert (answer["chunks_written"], answer["warnings"]) == (5, [])
    assert size(client, lab) == 5


def test_a_computed_id_is_the_digest_of_document_place_model_and_position(client, lab):
    pages = {"text": "On pages only.", "metadata": {"doc": {"id": "d", "page_span": [4, 5]}}}
    done(client.call("store_chunks", project=lab, items=[passage(0), passage(1), pages]))
    stored = done(client.call("inspect_collection", project=lab, sample=5))["sample"]
    written = [f"paper:Part I|Chapter 0:{OWN}:0", f"paper:Part I|Chapter 1:{OWN}:1", f"d:p4-5:{OWN}:0"]
    assert [each["id"] for each in stored] == [hashlib.sha256(each.encode()).hexdigest()[:16] for each in written]


def test_a_computed_id_that_stood_for_another_text_is_a_warning(client, lab):
    done(client.call("store_chunks", project=lab, items=[passage(0)]))
    answer = done(client.call("store_chunks", project=lab, items=[passage(0, "Another text.")]))
    assert len(answer["warnings"]) == 1 and "chunk_idx" in answer["warnings"][0]
    assert size(client, lab) == 1


def test_what_was_written_is_acknowledged_however_much_there_is_to_warn_of(client, lab):
    items = [{"id": "字" * 4096, "text": f"Text {n}."} for n in range(200)]
    answer = done(client.call("store_chunks", project=lab, items=items))
    assert answer["chunks_written"] == 1 and answer["warnings"][-1] == "and 149 more warnings"
    answer = done(
        client.call("delete_chunks", project=lab, ids=["字" * 4096, *("字" * 4000 + str(n) for n in range(99))])
    )
    assert answer["chunks_deleted"] == 1 and answer["partial"] is True and 0 < len(answer["not_found"]) < 99


@pytest.mark.parametrize("id", ["a/b c", "日本語", "x" * 4096, "'; DROP TABLE collections; --", "0"])
def test_an_id_of_any_form_is_the_callers(client, lab, id):
    done(client.call("store_chunks", project=lab, items=[{"id": id, "text": "One."}]))
    done(client.call("store_chunks", project=lab, items=[{"id": id, "text": "Two entities."}]))
    found = done(client.call("find_chunks", project=lab, query="entities"))
    assert [(each["id"], each["render_text"]) for each in found["items"]] == [(id, "Two entities.")]


def test_of_the_same_id_twice_in_a_batch_the_last_wins_with_a_warning(client, lab):
    items = [
        {"id": "one", "text": "First words."},
        {"id": "two", "text": "Other."},
        {"id": "one", "text": "Last words."},
    ]
    answer = done(client.call("store_chunks", project=lab, items=items))
    assert answer["chunks_written"] == 2
    assert len(answer["warnings"]) == 1 and "items[0]" in answer["warnings"][0] and "items[2]" in answer["warnings"][0]
    assert "Last words." in [
        each["render_text"] for each in done(client.call("find_chunks", project=lab, query="words"))["items"]
    ]


@pytest.mark.parametrize(
    ("vector", "said"),
    [
        ([1.0, 0.0], "3"),
        ([], "3"),
        ([0.0, 0, 0.0], "zero"),
        ([1e-320, 0.0, 0.0], "too short"),
        ([1e300, 0.0, 0.0], "too long"),
        ([10**400, 1, 1], "too long"),
    ],
)
def test_every_vector_is_judged_before_anything_is_written(client, foreign, vector, said):
    model = {"metadata": {"embed_model": "acme/other-3"}}
    items = [{"text": f"Text {n}.", "embedding": [1, 2, 3], **model} for n in range(7)]
    items[5]["embedding"] = vector
    error = refused(client.call("store_chunks", project=foreign, items=items), "INVALID_ARGUMENT")
    assert "items[5]" in error["message"] and said in error["message"]
    assert size(client, foreign) == 0


def test_a_foreign_vector_is_stored_and_never_compared(client, foreign):
    items = [{"text": "Text.", "embedding": [1, 2, 3], "metadata": {"embed_model": "acme/other-3"}}]
    assert done(client.call("store_chunks", project=foreign, items=items))["embed_model"] == "acme/other-3"
    for tool in ("find_chunks", "query_hybrid"):
        refused(client.call(tool, project=foreign, query="text"), "INDEX_UNAVAILABLE")
    inspected = done(client.call("inspect_collection", project=foreign))
    assert (inspected["size"], inspected["dimension"], inspected["embed_model"]) == (1, 3, "acme/other-3")


def test_a_vector_of_the_servers_model_is_taken_as_it_is(client, lab):
    vector = [0.0] * 256
    vector[7] = 2.5
    items = [{"text": "Its text says nothing of it.", "embedding": vector, "metadata": {"embed_model": OWN}}]
    done(client.call("store_chunks", project=lab, items=items))
    found = done(client.call("find_chunks", project=lab, query="says nothing"))["items"]
    assert found[0]["score"] < 0.5  # its own embedding would be much nearer


def test_neither_vector_nor_model_here_is_refused(client, foreign):
    error = refused(client.call("store_chunks", project=foreign, items=[{"text": "Text."}]), "INVALID_ARGUMENT")
    assert "items[0]" in error["message"]


def test_a_vector_without_the_name_of_its_model_is_refused(client, lab):
    items = [{"text": "Text.", "embedding": [0.1] * 256}]
    error = refused(client.call("store_chunks", project=lab, items=items), "INVALID_ARGUMENT")
    assert "items[0]" in error["message"] and "embed_model" in error["message"]


def test_another_model_than_the_collections_is_refused_before_anything_is_written(client, lab):
    items = [passage(number) for number in range(5)]
    items[3]["metadata"]["embed_model"] = "acme/other"
    error = refused(client.call("store_chunks", project=lab, items=items), "EMBEDDING_MISMATCH")
    details = error["details"]
    assert (details["project_id"], details["expected_model"], details["provided_model"]) == (lab, OWN, "acme/other")
    assert "items[3]" in error["message"] and "leave out the vectors" in error["message"]
    assert size(client, lab) == 0


def test_who_must_embed_with_the_collections_model_is_told_so(client, foreign):
    item = {"text": "Entities.", "embedding": [1, 2, 3], "metadata": {"embed_model": "acme/else"}}
    error = refused(client.call("store_chunks", project=foreign, items=[item]), "EMBEDDING_MISMATCH")
    assert "embed with that model" in error["message"] and "leave out" not in error["message"]


def test_the_project_in_metadata_is_the_calls(client, lab, ddd):
    done(client.call("store_chunks", project=lab, items=[passage(0, project=lab)]))
    reply = client.call("store_chunks", project=lab, items=[passage(1, project=ddd)])
    assert "items[0]" in refused(reply, "INVALID_ARGUMENT")["message"]


@pytest.mark.parametrize(
    "item", [{}, {"text": ""}, {"text": "x", "metadata": {"zotreo": {}}}, {"text": "x", "embedding": "no"}]
)
def test_wrong_arguments_are_the_hosts_own_error(client, lab, item):
    refused(client.call("store_chunks", project=lab, items=[item]), "INVALID_ARGUMENT")


def test_a_blank_text_is_refused_by_its_place(client, lab):
    error = refused(client.call("store_chunks", project=lab, items=[passage(0), {"text": " \n"}]), "INVALID_ARGUMENT")
    assert "items[1]" in error["message"]


def test_nulls_count_as_left_out(client, lab):
    doc = {"id": None, "page_span": None, "section": None, "section_path": None}
    zotero = {"citekey": None, "doi": None, "url": None, "year": None, "tags": None, "authors": None}
    metadata = {"project": None, "source": None, "zotero": zotero, "doc": doc, "embed_model": None, "fulltext": None}
    item = {"id": None, "text": "A text about entities.", "embedding": None, "metadata": metadata}
    done(client.call("store_chunks", project=lab, items=[item]))
    found = done(client.call("find_chunks", project=lab, query="entities", filters=None))["items"][0]
    assert (found["citekey"], found["section"], found["page_span"], found["section_path"]) == (None, None, None, [])


def test_documents_and_chunks_are_deleted_whole(client, lab):
    other = [{"id": "keep", "text": "Another document about entities.", "metadata": {"doc": {"id": "other"}}}]
    done(client.call("store_chunks", project=lab, items=[passage(n) for n in range(5)] + other))
    answer = done(client.call("delete_chunks", project=lab, docs=["paper", "nothing"]))
    assert answer == {"chunks_deleted": 5, "project": lab, "not_found": ["nothing"]}
    found = done(client.call("query_hybrid", project=lab, query="passage number layers entities"))["items"]
    assert [each["id"] for each in found] == ["keep"]
    assert done(client.call("delete_chunks", project=lab, ids=["keep"]))["chunks_deleted"] == 1
    inspected = done(client.call("inspect_collection", project=lab))
    assert (inspected["size"], inspected["payload_keys"]) == (0, [])
    refused(client.call("delete_chunks", project=lab), "INVALID_ARGUMENT")
    done(client.call("store_chunks", project=lab, items=other))
    assert size(client, lab) == 1


def test_the_score_of_what_was_stored_again_is_its_own(client, lab):
    done(client.call("store_chunks", project=lab, items=[{"id": "a", "text": "Zebras graze."}]))
    done(client.call("store_chunks", project=lab, items=[{"id": "a", "text": "Ledgers balance."}]))
    assert done(client.call("query_hybrid", project=lab, query="zebras", debug=True))["items"][0]["words_rank"] is None
    assert done(client.call("query_hybrid", project=lab, query="ledgers", debug=True))["items"][0]["words_rank"] == 1
    assert math.isclose(
        done(client.call("find_chunks", project=lab, query="Ledgers balance."))["items"][0]["score"], 1, abs_tol=0.05
    )
