"""Lists within a budget of tokens: what is left out is behind a cursor, and every row comes once."""

import json

import pytest
from citing import done, passage, refused

from wekadocs_tokens import count

QUOTED = 'He says "Passage number {0} of the paper" [@key, p. {0}]. '


@pytest.fixture
def stored(client, lab):
    done(client.call("store_chunks", project=lab, items=[passage(n) for n in range(30)]))
    return lab


def pages(client, tool, rows, **arguments):
    """All pages of a list; each keeps to the tokens that it may have."""
    found, cursor = [], None
    while True:
        reply = client.call(tool, **arguments, **({"cursor": cursor} if cursor else {}))
        answer = done(reply)
        found.append(answer)
        cursor = answer.get("next_cursor")
        assert answer.get("partial", False) is (cursor is not None) and ("limit_reason" in answer) is bool(cursor)
        if cursor is None:
            assert "next_cursor" not in answer
            return found
        assert answer["limit_reason"] == "token_cap" and cursor in reply.text
        assert len(answer[rows]) == 1 or count(json.dumps(answer, ensure_ascii=False)) <= 1.2 * arguments["max_tokens"]


@pytest.mark.parametrize("tool", ["find_chunks", "query_hybrid"])
def test_every_hit_comes_once_over_all_pages(client, stored, tool):
    asked = {"project": stored, "query": "passage of the paper on layers", "top_k": 20}
    whole = done(client.call(tool, **asked))
    assert whole["count"] == 20 and "next_cursor" not in whole
    parts = pages(client, tool, "items", **asked, max_tokens=700)
    assert len(parts) > 2 and [each for part in parts for each in part["items"]] == whole["items"]
    assert all(part["count"] == len(part["items"]) for part in parts)
    assert all(part.get("hybrid_enabled") == whole.get("hybrid_enabled") for part in parts)


def test_at_least_one_row_comes_however_few_tokens_there_are(client, stored):
    parts = pages(client, "find_chunks", "items", project=stored, query="passage", top_k=3, max_tokens=100)
    assert [part["count"] for part in parts] == [1, 1, 1]


def test_other_lists_go_on_behind_a_cursor_too(client, stored):
    listed = pages(client, "list_projects", "projects", max_tokens=2000)
    ids = [each["id"] for part in listed for each in part["projects"]]
    assert len(listed) > 2 and len(ids) == len(set(ids)) and stored in ids
    samples = pages(client, "inspect_collection", "sample", project=stored, sample=5, max_tokens=450)
    assert len(samples) > 1 and len({each["id"] for part in samples for each in part["sample"]}) == 5
    assert all(part["size"] == 30 for part in samples)
    quotes = pages(
        client, "find_quote", "items", project=stored, quote="of the paper on layers", top_k=10, max_tokens=500
    )
    assert len(quotes) > 1 and len({each["id"] for part in quotes for each in part["items"]}) == 10
    text = "".join(QUOTED.format(n) for n in range(20))
    checked = pages(client, "verify_quotes", "quotes", project=stored, text=text, max_tokens=900)
    assert len(checked) > 1 and sum(len(part["quotes"]) for part in checked) == 20 == checked[-1]["count"]


def test_a_cursor_is_of_its_question_alone(client, stored):
    first = done(client.call("find_chunks", project=stored, query="passage", top_k=5, max_tokens=200))
    for changed in ({"query": "other"}, {"top_k": 6}, {"filters": {"year": 1}}):
        asked = {"project": stored, "query": "passage", "top_k": 5, "cursor": first["next_cursor"], **changed}
        refused(client.call("find_chunks", **asked), "INVALID_ARGUMENT")
    for wrong in ("", "x", "../../etc", first["next_cursor"][:-1] + "!"):
        refused(client.call("find_chunks", project=stored, query="passage", top_k=5, cursor=wrong), "INVALID_ARGUMENT")
    again = {"project": stored, "query": "passage", "top_k": 5, "cursor": first["next_cursor"]}
    assert done(client.call("find_chunks", **again)) == done(client.call("find_chunks", **again))
    refused(client.call("find_chunks", project=stored, query="passage", max_tokens=99), "INVALID_ARGUMENT")
