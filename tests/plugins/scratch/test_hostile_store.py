"""The store in Valkey, when somebody else writes into it, empties it or takes its secret away."""

import asyncio
import json
from dataclasses import replace

import pytest

from wekadocs_corpus import fingerprint
from wekadocs_kit.kept import Kept, Owner
from wekadocs_mcp import ToolError
from wekadocs_scratch.shared.encoding import decoded, encoded

ADA, BOB = Owner("ada", "one", "project"), Owner("bob", "one", "project")
ROOT = "test:{scratch}:"
GARBAGE = [b"", b"\x00\xff" * 50, b"null", b"[]", b'{"owner": 1}', b"9" * 400]


def entry(text="some text", owner=ADA):
    return Kept(
        passage_id="", session_id="s" * 28, owner=owner, section_id="c", document_id="d", environment="prod",
        repository="r", doc_tag="t", title="Title", heading="Title", path="a.md", anchor=None, source_uri="file:///a",
        start=0, span=(0, 4), fingerprint=fingerprint(text), size_bytes=len(text), text=text, length=len(text),
        parts=((0, "a"),), other_tags=("x",),
    )  # fmt: skip


def redis(store, command, *given):
    return store.run(store.link.client.execute_command(command, *given))


@pytest.mark.parametrize("raw", GARBAGE)
@pytest.mark.parametrize("field", ["owner", "body", "text", "ends", "session"])
def test_a_field_that_somebody_overwrote_leads_nowhere(in_valkey, field, raw):
    store = in_valkey()
    (kept,) = store.put([entry()])
    cursor = store.add_page(ADA, "question", {"rows": [1]})
    session = store.session_for(Owner("ada", None, "project"))
    for kind, id in (("p", kept.passage_id), ("c", cursor), ("s", session)):
        redis(store, "HSET", f"{ROOT}{kind}:{id}", field, raw)
    got = store.get(kept.passage_id, ADA)
    assert got in (None, kept, replace(kept, text=None))
    assert store.page(cursor, ADA, "question") in (None, {"rows": [1]})
    assert store.get(store.put([entry()])[0].passage_id, ADA).text == "some text"


def test_a_passage_put_in_the_place_of_another_is_not_taken_for_it(in_valkey):
    store = in_valkey()
    mine, other = store.put([entry()])[0], store.put([entry("of another", BOB)])[0]
    moved = redis(store, "HGET", f"{ROOT}p:{other.passage_id}", "body")
    redis(store, "HSET", f"{ROOT}p:{mine.passage_id}", "body", moved)
    assert store.get(mine.passage_id, ADA) is None
    owner = redis(store, "HGET", f"{ROOT}p:{mine.passage_id}", "owner")
    redis(store, "HSET", f"{ROOT}p:{other.passage_id}", "owner", owner)
    assert store.get(other.passage_id, ADA) is None


@pytest.mark.parametrize("name", ["sizes", "ends", "tick", "use:t", "use:p", "use:c", "use:s", "secret"])
@pytest.mark.parametrize("how", ["string", "list", "hash"])
def test_indexes_that_somebody_broke_are_begun_anew(in_valkey, name, how):
    store = in_valkey()
    store.put([entry()])
    redis(store, "DEL", ROOT + name)
    broken = {"string": ("SET", "garbage"), "list": ("LPUSH", "x"), "hash": ("HSET", "all", "x")}[how]
    redis(store, broken[0], ROOT + name, *broken[1:])
    (kept,) = store.put([entry("after it")])
    store.add_page(ADA, "question", [1])
    assert store.get(kept.passage_id, ADA).text == "after it"


@pytest.mark.parametrize("how", [("SET", "x"), ("LPUSH", "x"), ("SADD", "x"), ("HSET", "f", "x"), ("ZADD", "1", "x")])
def test_keys_of_another_kind_in_the_place_of_ours_are_unknown(in_valkey, how):
    store = in_valkey()
    for kind in "pcsn":
        key = f"{ROOT}{kind}:" + "x" * 28
        redis(store, "DEL", key)
        redis(store, how[0], key, *how[1:])
    assert store.get("x" * 28, ADA) is None
    assert store.page("x" * 28, ADA, "question") is None
    assert store.session_for(ADA, "x" * 28) is None


def test_what_is_far_too_large_is_not_even_read(in_valkey):
    store = in_valkey()
    (kept,) = store.put([entry()])
    redis(store, "HSET", f"{ROOT}p:{kept.passage_id}", "text", b"x" * (9 << 20))
    assert store.get(kept.passage_id, ADA) is None


def test_an_emptied_store_loses_what_it_had_and_serves_all_servers_again(in_valkey):
    one, other = in_valkey(), in_valkey()
    (lost,) = one.put([entry()])
    assert other.get(lost.passage_id, ADA)
    redis(one, "FLUSHALL")
    assert other.get(lost.passage_id, ADA) is None
    for writer, reader in ((one, other), (other, one)):
        (kept,) = writer.put([entry()])
        assert reader.get(kept.passage_id, ADA) == kept
    assert one.add_page(ADA, "b", [1]) == other.add_page(ADA, "b", [1])
    assert one.private_name("x") == other.private_name("x")
    assert one.session_for(ADA) == other.session_for(ADA)


def test_servers_with_different_secrets_do_not_share(in_valkey):
    one, other = in_valkey(secret="first"), in_valkey(secret="second")
    one.put([entry()])
    with pytest.raises(ToolError, match="another secret"):
        other.put([entry()])


def test_the_store_does_not_know_who_somebody_is(in_valkey, valkey):
    store = in_valkey(secret="mine alone")
    who = Owner("somebody-named-so", "a-session-named-so", "project")
    store.put([entry(owner=who)])
    store.session_for(who)
    store.add_page(who, "b", [1])
    held = b"".join(_dump(store))
    assert b"some text" in held
    for secret in (b"somebody-named-so", b"a-session-named-so", b"mine alone"):
        assert secret not in held


def _dump(store):
    for key in redis(store, "KEYS", "*"):
        yield key
        kind = redis(store, "TYPE", key)
        if kind == b"hash":
            yield from (part for pair in redis(store, "HGETALL", key).items() for part in pair)
        elif kind == b"string":
            yield redis(store, "GET", key)


def test_a_call_that_is_given_up_leaves_its_answer_to_nobody(in_valkey):
    store = in_valkey()
    passages = store.put([entry(f"text {number}") for number in range(20)])

    async def work():
        for each in passages:
            asking = asyncio.create_task(store.store.get(each.passage_id, ADA))
            await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
        return await asyncio.gather(*(store.store.get(each.passage_id, ADA) for each in passages))

    assert [each.text for each in store.run(work())] == [each.text for each in passages]


@pytest.mark.parametrize("letter", ["x", "語"])
def test_the_stores_memory_is_counted_truly(in_valkey, letter):
    store = in_valkey(max_bytes=1 << 30)
    store.put([entry()])
    before, counted = redis(store, "INFO", "memory")["used_memory"], store.used_bytes
    for number in range(400):
        nobody = Owner("ada", None, "project")
        store.session_for(nobody)
        store.put([entry(f"{letter * 700} {number}", nobody)])
        store.add_page(nobody, "binding", {"rows": [letter * 300, number]})
    real = redis(store, "INFO", "memory")["used_memory"] - before
    assert 0.7 < (store.used_bytes - counted) / real < 1.5


def test_only_passages_are_decoded():
    whole = json.loads(encoded(entry()))
    assert decoded(json.dumps(whole).encode(), "p", ADA, "some text")
    for name in whole:
        for wrong in ({"a": 1}, [["x", 1]], [{}], 1e300, -1):
            assert decoded(json.dumps({**whole, name: wrong}).encode(), "p", ADA, None) is None, (name, wrong)
        less = {key: value for key, value in whole.items() if key != name}
        assert decoded(json.dumps(less).encode(), "p", ADA, None) is None
