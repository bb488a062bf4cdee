"""Handles: whose they are, in both protocol eras; what is refused is refused in one and the same way."""

import re
from dataclasses import replace

import pytest
from mcp import MCPError

from wekadocs_mcp.app import App
from wekadocs_mcp.plugins.resources import NO_SUCH_RESOURCE
from wekadocs_mcp.testing import connect

MOUNT = {"query": "How do I mount a filesystem?"}
MODERN = {"session": None}


@pytest.fixture(scope="module", params=["memory", "valkey"])
def kb(request, serve):
    """Handles are the same wherever they are kept."""
    if request.param == "memory":
        return serve()
    return serve(scratch={"valkey": {"url": request.getfixturevalue("valkey").url, "prefix": "sessions"}})


def first(kb, **caller):
    answer = kb.ask("kb.search", MOUNT, **caller)
    return answer["results"][0]["passage_id"], answer["session_id"]


def calls(passage_id, session_id=None):
    """Every tool that takes a passage_id."""
    more = {"session_id": session_id} if session_id else {}
    return [
        ("kb.read_excerpt", {"passage_id": passage_id, **more}),
        ("kb.expand_excerpt", {"passage_id": passage_id, **more}),
        ("kb.extract_evidence", {"question": "mount", "passage_ids": [passage_id], **more}),
        ("kb.verify_quote", {"quote": "mount", "passage_id": passage_id, **more}),
    ]


@pytest.mark.parametrize("era", ["older", "modern"])
def test_every_tool_takes_the_ids_of_a_search(kb, era):
    caller = MODERN if era == "modern" else {}
    passage_id, session_id = first(kb, **caller)
    for tool, arguments in calls(passage_id, session_id):
        assert kb.ask(tool, arguments, **caller)["session_id"] == session_id
    for tool, arguments in calls(passage_id):
        assert kb.ask(tool, arguments, **caller)["session_id"]


def test_unknown_foreign_and_tampered_ids_are_refused_alike(kb):
    passage_id, _ = first(kb)
    for tool, arguments in calls("no-such-passage"):
        unknown = kb.refused(tool, arguments)
        assert unknown["code"] == "INVALID_ARGUMENT"
        assert "Call kb.search again" in unknown["message"]
        others = [calls(each) for each in (passage_id, passage_id[:-1], passage_id + "A", "x" * 100_000, "")]
        callers = [{"principal": "bob"}, {}, {}, {}, {}]
        for other, caller in zip(others, callers, strict=True):
            assert kb.refused(tool, dict(other)[tool], **caller) == unknown
        for caller in ({"session": "two"}, MODERN):  # another protocol session, and none at all
            assert kb.refused(tool, dict(calls(passage_id))[tool], **caller) == unknown


def test_passage_session_and_cursor_are_refused_in_the_same_words(kb):
    passage_id, _ = first(kb)
    messages = {
        kb.refused("kb.read_excerpt", {"passage_id": "x"})["message"],
        kb.refused("kb.read_excerpt", {"passage_id": passage_id, "session_id": "x"})["message"],
        kb.refused("kb.search", {**MOUNT, "session_id": "x"})["message"],
        kb.refused("kb.search", {**MOUNT, "cursor": "x"})["message"],
        kb.refused("kb.search", {**MOUNT, "cursor": "x" * 50_000})["message"],
        kb.refused("kb.retrieve_evidence", {"question": "mount", "session_id": "x"})["message"],
    }
    assert len(messages) == 1


def test_a_foreign_session_id_is_refused_everywhere(kb):
    passage_id, _ = first(kb)
    _, foreign = first(kb, principal="bob")
    for tool, arguments in [*calls(passage_id, foreign), ("kb.search", {**MOUNT, "session_id": foreign})]:
        assert kb.refused(tool, arguments)["details"] == {"path": "/session_id"}


def test_a_cursor_of_another_is_refused(kb):
    arguments = {**MOUNT, "page_size": 2}
    cursor = kb.ask("kb.search", arguments)["next_cursor"]
    for caller in ({"principal": "bob"}, {"session": "two"}, MODERN):
        assert kb.refused("kb.search", {**arguments, "cursor": cursor}, **caller)["code"] == "INVALID_ARGUMENT"


def test_a_protocol_session_keeps_its_session_id(kb):
    assert first(kb)[1] == first(kb)[1]
    assert kb.ask("kb.retrieve_evidence", {"question": "mount"})["session_id"] == first(kb)[1]


def test_without_a_protocol_session_each_answer_mints_one_and_takes_one_back(kb):
    first_id, second_id = first(kb, **MODERN)[1], first(kb, **MODERN)[1]
    assert first_id != second_id
    assert kb.ask("kb.search", {**MOUNT, "session_id": first_id}, **MODERN)["session_id"] == first_id


def test_ids_of_several_searches_can_be_mixed(kb):
    one, session_id = first(kb, **MODERN)
    other = kb.ask("kb.search", {"query": "quota"}, **MODERN)["results"][0]["passage_id"]
    arguments = {"question": "mount quota", "passage_ids": [one, other], "session_id": session_id}
    assert {row["passage_id"] for row in kb.ask("kb.extract_evidence", arguments, **MODERN)["quotes"]} == {one, other}


def test_a_session_that_found_nothing_is_still_a_session(kb):
    nothing = kb.ask("kb.search", {**MOUNT, "filters": {"path_prefix": "no/such"}}, **MODERN)
    assert kb.ask("kb.search", {**MOUNT, "session_id": nothing["session_id"]}, **MODERN)["results"]


def test_a_narrower_scope_hides_a_passage(kb):
    passage_id, _ = first(kb)
    for tool, arguments in calls(passage_id):
        assert kb.ask(tool, {**arguments, "scope": {"doc_tags": ["filesystems"]}})
        refused = kb.refused(tool, {**arguments, "scope": {"doc_tags": ["cli"]}})
        assert refused == kb.refused(tool, dict(calls("x"))[tool])


def test_an_evicted_passage_is_read_again(serve):
    kb = serve(scratch={"max_bytes": 65536})
    passage_id, _ = first(kb)
    before = kb.text(passage_id)
    kept = kb.state("scratch").store.own._kept
    while kept[passage_id].text is not None:  # texts go first, ids last of all
        kb.ask("kb.search", {"query": "quota", "top_k": 3})
    assert kb.text(passage_id) == before
    assert kb.state("scratch").store.counters.restored >= 1


def test_an_expired_passage_is_gone(serve):
    kb = serve(scratch={"ttl_seconds": 1})
    passage_id, _ = first(kb)
    store = kb.state("scratch").store.own
    now = store._clock()
    store._clock = lambda: now + 1.5
    assert kb.refused("kb.read_excerpt", {"passage_id": passage_id}) == kb.refused(
        "kb.read_excerpt", {"passage_id": "x"}
    )


ERAS = [("modern", -32602), ("legacy", -32002)]


@pytest.mark.parametrize(("era", "code"), ERAS)
def test_the_resource_is_the_passage(serve, era, code):
    kb = serve()

    async def go():
        async with connect(App.build(kb.app.config), era) as client:
            templates = (await client.list_resource_templates()).resource_templates
            found = (await client.call_tool("kb.search", MOUNT)).structured_content
            row = found["results"][0]
            content = (await client.read_resource(row["scratch_uri"])).contents[0]
            excerpts, at = [], 0
            while at is not None:
                got = await client.call_tool(
                    "kb.read_excerpt", {"passage_id": row["passage_id"], "start_char": at, "max_tokens": 20}
                )
                excerpts.append(got.structured_content["excerpt"])
                at = got.structured_content["next_start_char"]
            return templates, row, content, excerpts

    templates, row, content, excerpts = kb.run(go)
    (template,) = [each for each in templates if each.uri_template == "wekadocs://scratch/{session_id}/{passage_id}"]
    assert template.mime_type == "text/plain"
    assert template.annotations.audience == ["assistant"]
    assert template.annotations.priority == 0.1
    assert content.mime_type == "text/plain"
    assert len(content.text.encode()) == row["size_bytes"]
    assert len(excerpts) > 1
    assert "".join(excerpts) == content.text


@pytest.mark.parametrize(("era", "code"), ERAS)
def test_what_may_not_be_read_is_refused_alike(serve, era, code):
    kb = serve()

    async def go():
        app = App.build(kb.app.config)
        async with connect(app, era) as client:
            uri = (await client.call_tool("kb.search", MOUNT)).structured_content["results"][0]["scratch_uri"]
            other = (await client.call_tool("kb.search", MOUNT)).structured_content["session_id"]
            session, passage = uri.rsplit("/", 2)[1:]
            state = await app.lifespans.state(app.plugins["scratch"])
            mine = state.store.own._kept[passage]
            (other_ones,) = state.store.put([replace(mine, owner=replace(mine.owner, principal="bob"))])
            foreign = other_ones.passage_id
            wrong = [
                f"wekadocs://scratch/{session}/unknown",
                f"wekadocs://scratch/{session}/{foreign}",
                f"wekadocs://scratch/unknown/{passage}",
                f"wekadocs://scratch/{session}",
                f"wekadocs://scratch/{session}/{passage}/more",
                f"wekadocs://scratch/{session}/..%2f{passage}",
                f"wekadocs://other/{session}/{passage}",
                "wekadocs://scratch/",
            ]
            if other != session:
                wrong.append(f"wekadocs://scratch/{other}/{passage}")
            found = set()
            for each in wrong:
                with pytest.raises(MCPError) as caught:
                    await client.read_resource(each)
                found.add((caught.value.error.code, caught.value.error.message))
            return found

    assert kb.run(go) == {(code, NO_SUCH_RESOURCE)}


def test_ids_have_128_bits(kb):
    passage_id, session_id = first(kb)
    assert re.fullmatch(r"[a-z]{28}", passage_id)
    assert re.fullmatch(r"[a-z]{28}", session_id)


def test_an_id_lives_its_time_in_a_small_scratch_too(serve):
    """Texts are dropped and read again; what an id stands for is not forgotten."""
    kb = serve(scratch={"max_bytes": 65536})
    wide = {"top_k": 20, "page_size": 20, "options": {"max_per_doc": 5}}
    asked = ["mount a filesystem", "which node is the leader", "rotate a key", "quota of a directory", "error code"]
    rows = [row for each in asked for row in kb.ask("kb.search", {"query": each, **wide})["results"]]
    assert len(rows) > 80
    for row in rows:
        assert len(kb.text(row["passage_id"]).encode()) == row["size_bytes"]
    assert kb.state("scratch").store.counters.restored > 0
