"""A stdio client that costs next to nothing: it writes prepared lines and waits for newlines."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from itertools import cycle, islice

from workload import INITIALIZED, Make, check, encode, initialize, request

_PATIENCE = 60.0
_IDS = 256


class StdioClient:
    """One spawned server, spoken to over pipes."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=null, env=environment, bufsize=0)
        assert self._process.stdin and self._process.stdout
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._buffer = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes) -> None:
        view = memoryview(line + b"\n")
        while view:
            view = view[os.write(self._in, view) :]

    def read_line(self) -> bytes:
        parts = [self._buffer]
        while b"\n" not in parts[-1]:
            chunk = os.read(self._out, 1 << 18)
            if not chunk:
                raise RuntimeError(f"the server ended with {self._process.wait(5)}: {self._process.args}")
            parts.append(chunk)
        line, _, self._buffer = b"".join(parts).partition(b"\n")
        return line

    def ask(self, line: bytes) -> bytes:
        self.send(line)
        return self.read_line()

    def open(self, era: str) -> None:
        """Whatever an era wants before calls."""
        if era == "legacy":
            check(self.ask(encode(initialize(0))), b'"serverInfo"')
            self.send(encode(INITIALIZED))
        else:
            check(self.ask(encode(request(era, 0, "server/discover"))), b'"capabilities"')

    def framed(self, era: str, make: Make, method: str) -> list[bytes]:
        """Questions with an id each, more of them than are ever under way at once."""
        return [encode(make(era, number)) for number in range(100, 100 + _IDS)]

    def repeat(self, messages: Sequence[bytes], count: int) -> None:
        """One question after the other."""
        for message in islice(cycle(messages), count):
            self.ask(message)

    def flood(self, messages: Sequence[bytes], count: int, width: int) -> None:
        """Questions with `width` of them always under way."""
        queue = list(islice(cycle(messages), count))
        self.send(b"\n".join(queue[:width]))
        for message in queue[width:]:
            self.read_line()
            self.send(message)
        for _ in queue[:width]:
            self.read_line()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def end(self) -> None:
        """Politely: end of file, so that what is being recorded gets written."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(_PATIENCE)
        self.close()
