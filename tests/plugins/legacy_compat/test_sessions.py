"""What a session was sent before: forgotten in time, and never more than fits."""

from __future__ import annotations

from wekadocs_legacy_compat.sessions import MAX_SENT, MAX_SESSIONS, SentBefore

KEY = ("ada", "one")


def rest(sent: SentBefore, items: list[str], key: tuple[str, str] = KEY) -> list[str]:
    found = sent.new(key, items, str)
    sent.keep(key, found)
    return found


def test_it_is_forgotten_a_quarter_of_an_hour_after_the_last_use() -> None:
    now = [0.0]
    sent = SentBefore(lambda: now[0])
    assert rest(sent, ["a"]) == ["a"]
    now[0] = 800.0
    assert rest(sent, ["a", "b"]) == ["b"]
    now[0] = 1600.0
    assert rest(sent, ["a", "b"]) == []
    now[0] = 2600.0
    assert rest(sent, ["a", "b"]) == ["a", "b"]


def test_the_sessions_used_least_recently_make_room() -> None:
    sent = SentBefore(lambda: 0.0)
    for number in range(MAX_SESSIONS + 1):
        rest(sent, ["a"], ("ada", str(number)))
    assert rest(sent, ["a"], ("ada", str(MAX_SESSIONS))) == []
    assert rest(sent, ["a"], ("ada", "2")) == []
    assert rest(sent, ["a"], ("ada", "0")) == ["a"]


def test_a_session_that_saw_very_much_starts_over() -> None:
    sent = SentBefore(lambda: 0.0)
    many = [str(number) for number in range(MAX_SENT + 1)]
    assert rest(sent, many) == many
    assert rest(sent, many[:1]) == many[:1]
