"""Starting what a client's configuration says, as the client would: spawn, shake hands, list the tools, end it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wekadocs_contracts.problems import nearest
from wekadocs_mcp.plugins.health import Finding
from wekadocs_text import one_line

from .client_files import ClientEntry

_WITHIN = 30.0  # seconds for one server: what has to be fetched first is slow
_END_WITHIN = 2.0
_AT_ONCE = 4
_MAX_LINE, _MAX_ERRORS = 1 << 24, 1 << 16
_SHOWN = 300
_NAMES, _NAME = 40, 64  # tools of one server, letters of a tool's name
_PLACEHOLDER = re.compile(r"\$\{|%[A-Za-z_]+%")
_ERROR = re.compile(r"(?i)^\W*\w*(error|fatal|cannot|no such)\b")
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "wekadocs-mcp doctor", "version": "0"},
}


async def started(entries: Sequence[ClientEntry]) -> list[list[Finding]]:
    """For each entry what its start showed: nothing for those that are reached by URL."""
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(entry: ClientEntry) -> list[Finding]:
        async with turns:
            return [await _start(entry)] if entry.command else []

    return await asyncio.gather(*(one(entry) for entry in entries))


async def _start(entry: ClientEntry) -> Finding:
    words = entry.command
    odd = [word for word in (*words, *entry.environment.values()) if _PLACEHOLDER.search(word)]
    if odd:
        return Finding("warning", "start", f"not tried: only the client knows what {one_line(odd[0])} stands for")
    environment = {**os.environ, **entry.environment}
    program = shutil.which(words[0], path=environment.get("PATH"))
    if program is None:
        return _not_found(words[0], environment)
    folder = entry.data.get("cwd")
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *words[1:],
            env=environment,
            cwd=Path(folder).expanduser() if isinstance(folder, str) else None,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_MAX_LINE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its words cannot be passed on"
        return Finding("broken", "start", f"{one_line(words[0])} cannot be started: {why}", "correct command or cwd")
    return await _Conversation(process).held()


def _not_found(command: str, environment: Mapping[str, str]) -> Finding:
    """The nearest name that is there; its whole path where the search path does not lead to it."""
    ours = Path(sys.executable).parent
    folders = [*environment.get("PATH", "").split(os.pathsep), str(ours)]
    near = nearest(Path(command).name, sorted({name for folder in folders for name in _programs(folder)}))
    note = f"there is no command {one_line(command)[:_SHOWN]}"
    if near is None:
        return Finding("broken", "start", note, "install it, or write the whole path of the program")
    reached = shutil.which(near, path=environment.get("PATH"))
    return Finding("broken", "start", note, f'did you mean "command": "{near if reached else ours / near}"?')


def _programs(folder: str) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(folder) if entry.is_file() and os.access(entry.path, os.X_OK)]
    except OSError:
        return []


class _Conversation:
    """With one server that was just started."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._errors = b""
        self._noise = ""
        self._began = time.monotonic()

    async def held(self) -> Finding:
        listening = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(_WITHIN):
                return await self._asked()
        except TimeoutError:
            note = f"it did not answer within {_WITHIN:g} seconds{self._said()}"
            return Finding("broken", "start", note, "start it by hand: it must speak MCP on stdin and stdout")
        except (OSError, EOFError, ValueError):
            await self._left(listening)
            note = f"it ended{self._with_code()} instead of answering{self._said()}"
            return Finding("broken", "start", note, "correct its args and env")
        finally:
            await self._end()
            listening.cancel()

    async def _asked(self) -> Finding:
        info = (await self._ask(0, "initialize", _HELLO)).get("serverInfo") or {}
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = (await self._ask(1, "tools/list", {})).get("tools") or []
        seconds = time.monotonic() - self._began
        name = one_line(f"{info.get('name', 'a server')} {info.get('version', '')}".strip())[:_SHOWN]
        if not tools:
            return Finding(
                "warning", "start", f"{name} answers and offers no tool{self._said()}", "see its configuration"
            )
        note = f"{name} answers in {seconds:.1f} s, {len(tools)} tools: {_names(tools)}"
        if self._noise:
            return Finding("warning", "start", f"{note}; it writes to stdout what is no message: {self._noise}")
        return Finding("ok", "start", note)

    async def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def _ask(self, number: int, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        await self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = _message(line)
            if message is None:
                self._noise = self._noise or one_line(line.decode("utf-8", "replace").strip())[:_SHOWN]
            elif message.get("id") == number and "method" not in message:
                result = message.get("result")
                return result if isinstance(result, dict) else {}
        raise EOFError

    async def _listen(self) -> None:
        """What it says on stderr, as much of it as is worth keeping."""
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(1 << 16):
            self._errors = (self._errors + chunk)[:_MAX_ERRORS]

    async def _left(self, listening: asyncio.Task[None]) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_WITHIN)
        await asyncio.wait([listening], timeout=_END_WITHIN)

    def _said(self) -> str:
        """The line of stderr that tells most: the first that speaks of an error, or else the first."""
        lines = [line.strip() for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        told = next((line for line in lines if _ERROR.match(line)), lines[0] if lines else self._noise)
        return f": {one_line(told)[:_SHOWN]}" if told else ""

    def _with_code(self) -> str:
        return "" if self._process.returncode is None else f" with exit code {self._process.returncode}"

    async def _end(self) -> None:
        """As clients end a server: its input is closed, then it is told, then it is killed with all it started."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        for order in (None, self._process.terminate, self._kill):
            with contextlib.suppress(OSError):
                order() if order is not None else None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _END_WITHIN)
                return

    def _kill(self) -> None:
        if hasattr(os, "killpg"):
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


def _names(tools: Sequence[object]) -> str:
    names = [str(tool.get("name", "")) if isinstance(tool, dict) else "?" for tool in tools]
    return one_line(", ".join(name[:_NAME] for name in names[:_NAMES])) + (", …" if len(names) > _NAMES else "")


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and message.get("jsonrpc") == "2.0" else None
