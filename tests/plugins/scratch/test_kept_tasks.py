"""Tasks in Valkey: whose they are, for how long, how many, and what somebody else who writes there can do."""

from __future__ import annotations

from typing import Any

import pytest

from wekadocs_mcp import TaskRoom
from wekadocs_scratch.shared.tasks import ValkeyTasks

ROOM = TaskRoom(most=4, most_of_one=3, most_bytes=1000)
HOUR, ALIVE = 3600.0, 10.0
GARBAGE = [b"", b"\x00\xff" * 50, b"null", b"9" * 400]


class Tasks:
    def __init__(self, store: Any) -> None:
        self.store, self._tasks = store, ValkeyTasks(store.link)

    def keep(
        self, task: str, owner: str = "ada", state: bytes = b"{}", *, over: bool = False, life: float = HOUR
    ) -> str:
        given = {"life": life, "alive": ALIVE, "over": over, "room": ROOM}
        return str(self.store.run(self._tasks.keep(task, owner, state, **given)))

    def recall(self, task: str, owner: str = "ada") -> Any:
        return self.store.run(self._tasks.recall(task, owner))

    def end(self, task: str, owner: str = "ada", *, only_dead: bool = False) -> bool:
        return bool(self.store.run(self._tasks.end(task, owner, b"ended", only_dead=only_dead)))

    def beat(self, *tasks: str) -> dict[str, Any]:
        return dict(self.store.run(self._tasks.beat(tasks, ALIVE)))

    def say(self, task: str, said: bytes, owner: str = "ada") -> None:
        self.store.run(self._tasks.say(task, owner, said))

    def redis(self, *command: Any) -> Any:
        return self.store.run(self.store.link.client.execute_command(*command))


@pytest.fixture
def tasks(in_valkey: Any, clock: Any) -> Tasks:
    return Tasks(in_valkey(clock=clock))


def test_it_is_its_owners_for_its_time(tasks: Tasks, clock: Any) -> None:
    assert tasks.keep("a", state=b"one") == "kept"
    assert tasks.recall("a") == (b"one", True)
    assert tasks.recall("a", "bob") is None
    assert tasks.recall("b") is None
    clock.now += HOUR / 2
    assert tasks.keep("a", state=b"two") == "kept"
    clock.now += HOUR / 2
    assert tasks.recall("a") is None, "its time counts from its beginning"


def test_it_is_alive_while_it_says_so(tasks: Tasks, clock: Any) -> None:
    tasks.keep("a")
    clock.now += ALIVE - 1
    assert tasks.beat("a", "unknown") == {"a": [], "unknown": "gone"}
    clock.now += ALIVE - 1
    assert tasks.recall("a").is_alive
    assert not tasks.end("a", only_dead=True)
    clock.now += 2
    assert not tasks.recall("a").is_alive
    assert tasks.end("a", only_dead=True)
    assert tasks.recall("a").body == b"ended"


def test_what_is_over_stays_as_it_is(tasks: Tasks) -> None:
    tasks.keep("a")
    assert tasks.end("a", "bob") is False
    assert tasks.end("a")
    assert tasks.keep("a", state=b"late", over=True) == "over"
    assert (tasks.end("a"), tasks.beat("a")) == (False, {"a": "over"})
    assert tasks.recall("a").body == b"ended"


def test_what_is_said_is_heard_once_and_of_it_so_much(tasks: Tasks) -> None:
    tasks.keep("a")
    tasks.say("a", b"not mine to say", "bob")
    for number in range(12):
        tasks.say("a", b"%d" % number)
    assert tasks.beat("a") == {"a": [b"%d" % number for number in range(2, 12)]}
    assert tasks.beat("a") == {"a": []}


def test_there_is_room_for_so_many_and_so_much(tasks: Tasks, clock: Any) -> None:
    assert [tasks.keep(each) for each in "abcd"] == ["kept", "kept", "kept", "full"]
    assert [tasks.keep(each, "bob") for each in "xy"] == ["kept", "full"]
    assert tasks.keep("a", state=b"x" * 990, over=True) == "full"
    assert tasks.keep("a", state=b"x" * 500, over=True) == "kept"
    clock.now += HOUR
    assert tasks.keep("y", "bob", b"x" * 900) == "kept"


@pytest.mark.parametrize("raw", GARBAGE)
@pytest.mark.parametrize("field", ["owner", "body", "ends", "alive", "over"])
def test_a_field_that_somebody_overwrote_leads_nowhere(tasks: Tasks, field: str, raw: bytes) -> None:
    tasks.keep("a", state=b"one")
    (key,) = tasks.redis("KEYS", "*:k:*")
    tasks.redis("HSET", key, field, raw)
    found = tasks.recall("a")
    assert found is None or found.body == b"one"
    tasks.beat("a")
    assert tasks.keep("b") == "kept"


def test_what_somebody_put_among_what_was_said_is_not_heard(tasks: Tasks) -> None:
    tasks.keep("a")
    (key,) = tasks.redis("KEYS", "*:k:*")
    tasks.redis("RPUSH", key.replace(b":k:", b":ks:"), b'{"who": "me"}')
    assert tasks.beat("a") == {"a": []}
    for name in ("tasks", "tasks:bytes"):
        tasks.redis("SET", f"test:{{scratch}}:{name}", "garbage")
    assert tasks.keep("b") == "kept"
