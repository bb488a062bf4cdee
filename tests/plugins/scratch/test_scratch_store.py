"""The store by itself: who may have what, for how long, and what goes when memory is short."""

import logging
import threading
import tracemalloc
from dataclasses import replace

import pytest

from wekadocs_corpus.model import fingerprint
from wekadocs_kit.kept import Kept, Owner

ADA = Owner("ada", "one", "project")


def entry(text="some text", owner=ADA, session="s"):
    return Kept(
        passage_id="", session_id=session, owner=owner, section_id="c", document_id="d", environment="prod",
        repository="r", doc_tag="t", title="Title", heading="Title", path="a.md", anchor=None, source_uri="file:///a.md",
        start=0, span=(0, 4), fingerprint=fingerprint(text), size_bytes=len(text), text=text,
    )  # fmt: skip


def test_ids_are_opaque_and_never_repeat(make_store):
    store = make_store(60, 1 << 20)
    ids = {kept.passage_id for kept in store.put([entry()] * 100)}
    assert len(ids) == 100
    assert all(len(each) >= 22 for each in ids)  # 128 bits in base64
    assert fingerprint("some text") not in ids


@pytest.mark.parametrize(
    "other", [Owner("bob", "one", "project"), Owner("ada", "two", "project"), Owner("ada", "one", "x")]
)
def test_another_owner_finds_nothing(make_store, other):
    store = make_store(60, 1 << 20)
    (kept,) = store.put([entry()])
    assert store.get(kept.passage_id, other) is None
    assert store.get(kept.passage_id, ADA) == kept


def test_a_passage_lives_as_long_as_it_was_promised(make_store, clock):
    store = make_store(60, 1 << 20, clock)
    (kept,) = store.put([entry()])
    clock.now += 59
    assert store.get(kept.passage_id, ADA)
    clock.now += 1
    assert store.get(kept.passage_id, ADA) is None
    store.sweep()
    assert store.counters.expired == 1
    assert store.used_bytes == 0


def test_use_does_not_lengthen_a_life(make_store, clock):
    store = make_store(60, 1 << 20, clock)
    first, second = store.put([entry(), entry()])
    clock.now += 30
    store.get(first.passage_id, ADA)
    (third,) = store.put([entry()])
    clock.now += 30
    assert [store.get(each.passage_id, ADA) is None for each in (first, second, third)] == [True, True, False]


def test_the_least_recently_used_text_goes_first_and_its_id_stays(make_store):
    store = make_store(60, 60_000)
    first, second = store.put([entry("a" * 20_000), entry("b" * 20_000)])
    store.get(first.passage_id, ADA)
    store.put([entry("c" * 20_000)])
    assert store.get(second.passage_id, ADA).text is None
    assert store.get(first.passage_id, ADA).text == "a" * 20_000
    assert store.counters.evicted == 1


def test_what_was_dropped_can_be_put_back(make_store):
    store = make_store(60, 60_000)
    first, *_ = store.put([entry("a" * 20_000), entry("b" * 20_000), entry("c" * 20_000)])
    bare = store.get(first.passage_id, ADA)
    assert bare.text is None
    assert store.restore(bare, "a" * 20_000).text == "a" * 20_000
    assert store.get(first.passage_id, ADA).text == "a" * 20_000
    assert store.used_bytes <= 60_000
    assert store.counters.restored == 1


def test_memory_never_exceeds_its_bound(make_store):
    store = make_store(60, 100_000, ids_bytes=0)
    for number in range(400):
        store.put([entry("x" * (number * 37 % 5000))])
        store.add_page(ADA, "b", ["y" * (number % 50)])
        store.session_for(Owner("ada", None, "project"))
        assert store.used_bytes <= 100_000


@pytest.mark.parametrize("make_store", ["memory"], indirect=True)
@pytest.mark.parametrize("letter", ["x", "ä", "語", "🙂"])
def test_memory_is_counted_truly(make_store, letter):
    store = make_store(60, 1 << 30)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(500):
        owner = Owner("ada", None, "project")
        session = store.session_for(owner)
        own = {name: f"{name} {number:032}" for name in ("section_id", "document_id", "title", "heading", "path")}
        store.put([replace(entry(letter * 300 + str(number), owner, session), **own)])
        store.add_page(owner, "binding", {"rows": [letter * 300]})
    real = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0.8 < store.used_bytes / real < 1.3


@pytest.mark.parametrize("make_store", ["memory"], indirect=True)
def test_what_was_evicted_leaves_nothing_behind_before_its_time(make_store):
    """Within one life, many times what fits."""
    store = make_store(1800, 200_000, ids_bytes=0)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(20_000):
        store.put([entry(f"text {number}")])
    real = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert store.used_bytes <= 200_000
    assert real < 400_000


def test_one_sessions_texts_do_not_push_out_anothers(make_store):
    store = make_store(60, 1 << 20, max_session_bytes=50_000)
    bobs = Owner("bob", "two", "project")
    (other,) = store.put([entry("o" * 20_000, bobs, "t")])
    first, second, third = (store.put([entry("x" * 20_000)])[0] for _ in range(3))
    assert [bool(store.get(each.passage_id, ADA).text) for each in (first, second, third)] == [False, True, True]
    assert store.get(other.passage_id, bobs).text
    store.restore(store.get(first.passage_id, ADA), "x" * 20_000)
    assert [bool(store.get(each.passage_id, ADA).text) for each in (first, second, third)] == [True, False, True]
    assert store.counters.evicted == 2


def test_a_text_that_was_read_again_goes_last(make_store):
    store = make_store(60, 60_000)
    first, second = (store.put([entry("x" * 20_000)])[0] for _ in range(2))
    store.put([entry("x" * 20_000)])  # drops the first's text
    dropped = store.get(first.passage_id, first.owner)
    assert dropped is not None
    assert dropped.text is None
    store.restore(dropped, "x" * 20_000)  # which drops the second's
    assert [bool(store.get(each.passage_id, each.owner).text) for each in (first, second)] == [True, False]


def test_pressure_is_warned_of_once_in_a_while(make_store, clock, caplog):
    store = make_store(600, 20_000, clock)
    with caplog.at_level(logging.WARNING, "wekadocs.scratch"):
        for _ in range(150):
            store.put([entry("x" * 15_000)])
        for _ in range(400):
            store.put([entry("x" * 15_000)])
        assert len(caplog.records) == 1
        clock.now += 61
        for _ in range(150):
            store.put([entry("x" * 15_000)])
    assert len(caplog.records) == 2
    assert "raise scratch.max_bytes" in caplog.text


def test_rare_evictions_are_no_pressure(make_store, clock, caplog):
    store = make_store(6000, 200_000, clock)
    for _ in range(150):
        clock.now += 1
        store.put([entry("x" * 150_000)])
    assert not caplog.records


def test_a_protocol_session_has_one_session_id(make_store):
    store = make_store(60, 1 << 20)
    assert store.session_for(ADA) == store.session_for(ADA)
    assert store.session_for(ADA) != store.session_for(Owner("ada", "two", "project"))


def test_without_a_protocol_session_every_answer_gets_its_own(make_store):
    store, nobody = make_store(60, 1 << 20), Owner("anonymous", None, "project")
    first = store.session_for(nobody)
    assert store.session_for(nobody) != first
    assert store.session_for(nobody, first) == first


def test_a_session_of_another_is_refused_like_an_unknown_one(make_store, clock):
    store = make_store(60, 1 << 20, clock)
    mine = store.session_for(ADA)
    assert store.session_for(Owner("bob", "one", "project"), mine) is None
    assert store.session_for(ADA, "no-such-session") is None
    clock.now += 61
    assert store.session_for(ADA, mine) is None


def test_a_cursor_belongs_to_its_owner_and_its_question(make_store, clock):
    store = make_store(60, 1 << 20, clock)
    cursor = store.add_page(ADA, "question", {"rows": [1, 2]})
    assert store.page(cursor, ADA, "question") == {"rows": [1, 2]}
    assert store.page(cursor, ADA, "question") == {"rows": [1, 2]}
    assert store.page(cursor, ADA, "another question") is None
    assert store.page(cursor, Owner("bob", "one", "project"), "question") is None
    assert store.page(cursor + "x", ADA, "question") is None
    clock.now += 61
    assert store.page(cursor, ADA, "question") is None
    store.sweep()
    assert store.used_bytes == 0


def test_many_threads_do_not_mix_owners_up(make_store):
    store, wrong = make_store(60, 200_000, ids_bytes=0), []

    def work(name):
        owner = Owner(name, "one", "project")
        for number in range(200):
            (kept,) = store.put([entry(f"{name} {number}" * 20, owner)])
            got = store.get(kept.passage_id, owner)
            if got is not None and (got.owner != owner or (got.text or name).split()[0] != name):
                wrong.append(got)

    threads = [threading.Thread(target=work, args=(f"caller{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert store.used_bytes <= 200_000
    assert store.counters.passages == 1600
