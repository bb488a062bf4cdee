"""`sh` and `powershell` blocks of the documentation, line by line: run, or left out with a reason that is told.

A block that begins with `git clone` is typed in an empty folder, the others of its page after it; a page without one is
read by somebody who has a clone. What is cloned is this repository; PowerShell's lines are said as a POSIX shell says
them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from page_walk import SomethingElse

ADDRESS = "https://github.com/wekadocs/wekadocs-mcp"
SERVES = "serves MCP at"
_SECONDS = 600  # for one line: `make run` sets an environment up
_INTO_ITS_OWN = re.compile(r"^pip (?:wheel|install \.)|&& pip install \.")
_COMMENT = re.compile(r"\s+#.*$")

LEFT_OUT = {
    r"^docker\b|\bdocker compose\b": "needs a Docker engine",
    r"^kubectl\b": "needs a cluster",
    r"^createuser\b|^createdb\b": "needs a PostgreSQL server",
    r"127\.0\.0\.1:8765/readyz": "asks the servers of the line before",
    r"\bexample\.(?:com|org)\b": "names a host that is an example",
    r"QDRANT_URL=": "needs a Qdrant server",
    r" /mnt/": "names a folder that is an example",
    r"@scope/server|my-server": "names a server that is an example",
    r"make_model_folder": "downloads models of up to 200 MB",
    r"^pip install onnx\b": "only for the models that are left out",
    r"^make test\b": "is the whole suite, which CI runs",
    r"^(?:cd packages/compose|cp \S*(?:example\.env|secret\.example))": "only before what needs Docker or a cluster",
}
_WINDOWS = {r"^py\b": "python3", r"\.venv\\Scripts\\": ".venv/bin/", r"C:\\docs": "~/docs", r";\s+": " && "}


@dataclass
class ShellWalk:
    """The shell blocks of one page; `cd` and `export` last from one to the next."""

    folder: Path
    source: Path  # the repository that is cloned
    environment: Mapping[str, str]
    left_out: list[tuple[str, str]] = field(default_factory=list)  # line, reason
    ran: int = 0
    _unreachable: str = ""  # why what comes after an `export` of a server's address is left out

    def do(self, info: str, body: str) -> bool:
        if info not in ("sh", "powershell"):
            return False
        self._unreachable = ""
        for line in (_with_a_python_of_here(each) for each in lines(info, body)):
            reason = left_out(line) or self._unreachable
            if reason:
                self.left_out.append((line, reason))
                self._unreachable = reason if line.startswith("export") else self._unreachable
            else:
                self._prepare(line)
                self._serve(line) if _is_server(line) else self._run(line)
                self.ran += 1
        return True

    def _prepare(self, line: str) -> None:
        if not self._state.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._state.write_text(f"cd {shlex.quote(str(self.folder))}\n", "utf-8")
            if not line.startswith("git clone"):
                self._run(f"git clone --quiet {ADDRESS} && cd wekadocs-mcp")
        if _INTO_ITS_OWN.search(line) and not (self.folder / "environment").exists():
            made = shlex.quote(str(self.folder / "environment"))
            self._run(f'python3 -m venv {made} && export PATH={made}/bin:"$PATH"')
        if " backup " in line:  # who upgrades has documents
            self._run("wekadocs-mcp ingest docs/sample/docs")
        docs = Path(self.environment["HOME"], "docs")
        if "~/docs" in line and not docs.exists():
            shutil.copytree(self.source / "docs/sample/docs", docs)

    @property
    def _state(self) -> Path:
        return self.folder / "state.sh"

    def _script(self, line: str) -> list[str]:
        state = shlex.quote(str(self._state))
        kept = f'(export -p; printf "cd %q\\n" "$PWD") > {state}.new && mv {state}.new {state}'
        return ["bash", "-c", f". {state}\n{line}\n__code=$?\n{kept}\nexit $__code"]

    def _own(self) -> dict[str, str]:
        """This repository answers at its public address."""
        return {
            **self.environment,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{self.source}.insteadOf",
            "GIT_CONFIG_VALUE_0": ADDRESS,
        }

    def _run(self, line: str) -> None:
        done = subprocess.run(  # noqa: S603 - the documentation's own commands
            self._script(line), env=self._own(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SomethingElse(f"$ {line}\nexit {done.returncode}\n{done.stderr[-2000:]}{done.stdout[-2000:]}")

    def _serve(self, line: str) -> None:
        """On a port that is free, until it says where it serves; then Ctrl-C must end it."""
        at = f" PORT={_free_port()}" if line.startswith("make") else f" --port {_free_port()}"
        log = self.folder / "served.log"
        with log.open("w+", encoding="utf-8") as stream:
            process = subprocess.Popen(  # noqa: S603
                self._script(line + at), env=self._own(), stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
                start_new_session=True,
            )  # fmt: skip
            try:
                _await(process, log)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
                process.wait(30)
        if SERVES not in log.read_text("utf-8"):
            raise SomethingElse(f"$ {line}{at}\nit does not serve:\n{log.read_text('utf-8')[-3000:]}")


def _await(process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _SECONDS
    while process.poll() is None and time.monotonic() < until and SERVES not in log.read_text("utf-8"):
        time.sleep(0.2)


def left_out(line: str) -> str:
    """Why it cannot be run by everybody; "" where it can."""
    return next((why for what, why in LEFT_OUT.items() if re.search(what, line)), "")


def lines(info: str, body: str) -> Iterator[str]:
    """What a block tells to type, as a POSIX shell says it."""
    windows = info == "powershell"
    for line in body.replace("\\\n", " ").splitlines():
        said = _COMMENT.sub("", line).strip()
        for what, posix in _WINDOWS.items() if windows else ():
            said = re.sub(what, posix, said)
        if said:
            yield said


def _with_a_python_of_here(line: str) -> str:
    named = re.search(r"\bPYTHON=(\S+)", line)
    if not named or subprocess.run([named[1], "--version"], capture_output=True, check=False).returncode == 0:  # noqa: S603
        return line
    return line.replace(named[0], "PYTHON=python3")


def _is_server(line: str) -> bool:
    return line.startswith("make run") or ("serve" in line.split() and "http" in line.split())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
