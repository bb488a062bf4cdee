"""A page of the documentation as its reader does it: files are written, commands run, what is printed is compared.

tests/test_docs.py walks the console blocks of every page; scripts/first_hour.py also those of shells (shell_blocks.py).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')


class SomethingElse(AssertionError):
    """What happens is not what the page shows."""


def blocks(page: Path) -> list[tuple[str, str]]:
    return [(match["info"].strip(), match["body"]) for match in BLOCK.finditer(page.read_text("utf-8"))]


@dataclass
class ConsoleWalk:
    """The files and console blocks of one page, in a folder of its own; servers that it starts run until it ends."""

    folder: Path
    clone: Path  # where blocks called `console clone` are typed, which leave it as it is
    environment: Mapping[str, str]
    _running: list[subprocess.Popen[str]] = field(default_factory=list)

    @contextmanager
    def begun(self) -> Iterator[ConsoleWalk]:
        try:
            yield self
        finally:
            for process in self._running:
                process.send_signal(signal.SIGTERM)
                process.wait(10)
                if process.stderr:
                    process.stderr.close()

    def do(self, info: str, body: str) -> bool:
        """Whether this block was for it."""
        title = _TITLE.search(info)
        if title:
            _write(self.folder / title[1], body)
        elif info == "console background":
            self._running.append(self._start(body))
        elif info in ("console", "console clone"):
            for command, shown in _commands(body):
                self._run(command, shown, self.clone if info == "console clone" else self.folder)
        else:
            return False
        return True

    def _run(self, command: str, shown: str, where: Path) -> None:
        done = subprocess.run(  # noqa: S603 - the documentation's own commands
            ["bash", "-c", command],  # noqa: S607
            cwd=where,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        _compare(command, shown, done.stderr + done.stdout)

    def _start(self, body: str) -> subprocess.Popen[str]:
        """Its first line is awaited."""
        ((command, shown),) = _commands(body)
        process = subprocess.Popen(  # noqa: S603
            ["bash", "-c", f"exec {command}"],  # noqa: S607
            cwd=self.folder,
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        first = process.stderr.readline() if process.stderr else ""
        _compare(command, shown, first)
        return process


def with_program(program: Path, home: Path) -> dict[str, str]:
    """The environment of a reader who has just installed it."""
    return {**os.environ, "PATH": f"{program}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)}


def _commands(body: str) -> list[tuple[str, str]]:
    """`$ command` with the output shown under it."""
    found: list[list[str]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif found:
            found[-1][1] += line + "\n"
    return [(command, output) for command, output in found]


def _compare(command: str, shown: str, printed: str) -> None:
    """`…` in the documentation stands for anything."""
    pattern = ".*".join(re.escape(part.strip("\n")) for part in shown.strip("\n").split("…"))
    if not re.fullmatch(pattern, printed.strip("\n"), re.DOTALL):
        raise SomethingElse(f"$ {command}\n--- shown\n{shown}\n--- printed\n{printed}")


def _write(file: Path, body: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(body, "utf-8")
