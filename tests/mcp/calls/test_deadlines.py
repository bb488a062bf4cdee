"""A deadline ends a call and what it started: coroutines, threads, child processes, SQLite."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.calls.call import Caller

from .outcomes import FAST, error


def timed_out(workshop: Any, code: str, wait_for: Any = None) -> dict[str, Any]:
    """A call that must time out; then `wait_for` must come true within some seconds."""
    workshop.tool(code, budgets=FAST)
    app = workshop.app()

    async def work() -> Any:
        outcome = await app.dispatcher.call("demo.echo", {}, Caller())
        if wait_for is not None:
            await workshop.until(wait_for)
        # asyncio hears of a child's end a little later than /proc; its loop must not be closed before.
        children = getattr(app.plugins["echo"].module, "CHILDREN", [])
        await workshop.until(lambda: all(child.returncode is not None for child in children))
        return outcome

    started = time.monotonic()
    told = error(workshop.run(app, work))
    assert time.monotonic() - started < 6
    assert told["code"] == "TIMEOUT"
    assert told["retryable"] is True
    assert told["details"] == {"timeout_seconds": 0.3}
    return told


def test_a_deadline_cancels_async_work(workshop: Any) -> None:
    mark = workshop.folder / "cancelled"
    code = f"""
    import asyncio, pathlib
    @tool("demo.echo")
    async def echo(call, text):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pathlib.Path({str(mark)!r}).touch()
            raise
    """
    timed_out(workshop, code, mark.exists)


SLOW_START = """
    import asyncio, contextlib
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        await asyncio.sleep(0.6)
        yield "ready"
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": call.state}
    """


def test_what_a_plugin_needs_to_start_is_not_the_time_of_the_call_that_comes_first(workshop: Any) -> None:
    workshop.tool(SLOW_START, budgets=FAST)
    app = workshop.app()

    async def work() -> Any:
        return await app.dispatcher.call("demo.echo", {}, Caller())

    assert workshop.run(app, work).data == {"got": "ready"}


def test_a_start_that_takes_too_long_is_a_timeout_but_goes_on(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wekadocs_mcp.plugins.lifespans._START_SECONDS", 0.1)
    workshop.tool(SLOW_START, budgets=FAST)
    app = workshop.app()

    async def work() -> Any:
        first = await app.dispatcher.call("demo.echo", {}, Caller())
        await asyncio.sleep(0.4)
        return first, await app.dispatcher.call("demo.echo", {}, Caller())

    first, second = workshop.run(app, work)
    assert first.code == "TIMEOUT"
    assert second.data == {"got": "ready"}


def gone(file: Path) -> Any:
    """Whether the process whose number the file holds has ended."""

    def check() -> bool:
        if not file.exists() or not file.read_text().strip():
            return False
        try:
            state = Path(f"/proc/{file.read_text().strip()}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        return state == "Z"

    return check


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc, which only Linux has")


@needs_proc
def test_a_deadline_ends_a_child_process_that_a_thread_waits_for(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import subprocess
    @tool("demo.echo")
    def echo(call, text):
        subprocess.run(["sh", "-c", "echo $$ > {file}; exec sleep 60"])
    """
    timed_out(workshop, code, gone(file))


@needs_proc
def test_a_deadline_ends_a_child_process_that_a_coroutine_waits_for(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import asyncio
    CHILDREN = []
    @tool("demo.echo")
    async def echo(call, text):
        child = await asyncio.create_subprocess_exec("sh", "-c", "echo $$ > {file}; exec sleep 60")
        CHILDREN.append(child)
        await child.wait()
    """
    timed_out(workshop, code, gone(file))


@needs_proc
def test_a_thread_that_was_given_up_on_cannot_start_another_child(workshop: Any) -> None:
    file = workshop.folder / "pid"
    code = f"""
    import subprocess
    @tool("demo.echo")
    def echo(call, text):
        subprocess.run(["sleep", "60"])
        subprocess.run(["sh", "-c", "echo $$ > {file}; exec sleep 60"])
    """
    workshop.write("pid", "0")
    timed_out(workshop, code, lambda: not threads_at_work())


def threads_at_work() -> list[threading.Thread]:
    import sys

    frames = sys._current_frames()
    found = []
    for thread in threading.enumerate():
        frame = frames.get(thread.ident or 0) if thread.name.startswith("wekadocs-tool") else None
        while frame is not None:
            if frame.f_code.co_name == "echo":
                found.append(thread)
            frame = frame.f_back
    return found


def test_a_deadline_interrupts_sqlite_in_a_thread(workshop: Any) -> None:
    mark = workshop.folder / "interrupted"
    code = f"""
    import pathlib, sqlite3, contextlib
    SLOW = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    @tool("demo.echo")
    def echo(call, text):
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            try:
                connection.execute(SLOW).fetchall()
            except sqlite3.OperationalError as error:
                pathlib.Path({str(mark)!r}).write_text(str(error))
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "interrupted")


def test_a_deadline_interrupts_a_guarded_connection_of_the_plugins_own(workshop: Any) -> None:
    mark = workshop.folder / "interrupted"
    code = f"""
    import contextlib, pathlib, sqlite3
    SLOW = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    @hookimpl
    @contextlib.contextmanager
    def lifespan(context):
        with contextlib.closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
            yield connection
    @tool("demo.echo")
    def echo(call, text):
        with call.deadline.guard(call.state) as connection:
            try:
                connection.execute(SLOW).fetchall()
            except sqlite3.OperationalError as error:
                pathlib.Path({str(mark)!r}).write_text(str(error))
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "interrupted")


def test_a_thread_is_told_by_its_deadline(workshop: Any) -> None:
    mark = workshop.folder / "told"
    code = f"""
    import pathlib, time
    @tool("demo.echo")
    def echo(call, text):
        try:
            while True:
                time.sleep(0.01)
                call.deadline.check()
        except ToolError as error:
            pathlib.Path({str(mark)!r}).write_text(error.code)
            raise
    """
    timed_out(workshop, code, lambda: mark.exists() and mark.read_text() == "TIMEOUT")
