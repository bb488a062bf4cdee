"""What a session was sent before: forgotten in time, and never more than fits."""

from __future__ import annotations

from typing import Any

import pytest

from wekadocs_scratch.memory.sent import MAX_SENT, MAX_SESSIONS

KEY = ("ada", "one")


def rest(store: Any, names: list[str], key: tuple[str, str] = KEY) -> list[str]:
    known = store.sent_before(key, names)
    found = [name for name, is_known in zip(names, known, strict=True) if not is_known]
    store.note_sent(key, found)
    return found


def test_it_is_forgotten_a_quarter_of_an_hour_after_the_last_use(make_store: Any, clock: Any) -> None:
    sent = make_store(clock=clock)
    assert rest(sent, ["a"]) == ["a"]
    clock.now += 800.0
    assert rest(sent, ["a", "b"]) == ["b"]
    clock.now += 800.0
    assert rest(sent, ["a", "b"]) == []
    clock.now += 1000.0
    assert rest(sent, ["a", "b"]) == ["a", "b"]


def test_nobody_elses_counts(make_store: Any) -> None:
    sent = make_store()
    rest(sent, ["a"])
    assert rest(sent, ["a"], ("bob", "one")) == ["a"]
    assert rest(sent, ["a"], ("ada", "two")) == ["a"]


@pytest.mark.parametrize("make_store", ["memory"], indirect=True)
def test_the_sessions_used_least_recently_make_room(make_store: Any) -> None:
    sent = make_store()
    for number in range(MAX_SESSIONS + 1):
        rest(sent, ["a"], ("ada", str(number)))
    assert rest(sent, ["a"], ("ada", str(MAX_SESSIONS))) == []
    assert rest(sent, ["a"], ("ada", "2")) == []
    assert rest(sent, ["a"], ("ada", "0")) == ["a"]


def test_a_session_that_saw_very_much_starts_over(make_store: Any) -> None:
    sent = make_store()
    many = [str(number) for number in range(MAX_SENT + 1)]
    assert rest(sent, many) == many
    assert rest(sent, many[:1]) == many[:1]
