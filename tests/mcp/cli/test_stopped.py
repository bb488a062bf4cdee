"""Ctrl-C at any moment ends a command with 130, and without a word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

_WHEN_IMPORTED = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from wekadocs_mcp.entry import main
main()
"""


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("tools", "click"),
        ("tools", "wekadocs_mcp.app"),
        ("tools", "wekadocs_mcp.catalogue"),
        ("doctor", "wekadocs_corpus.corpus"),  # while a plugin starts
    ],
)
def test_ctrl_c_while_a_command_starts_shows_nothing(tmp_path: Path, command: str, name: str) -> None:
    program = [sys.executable, "-c", _WHEN_IMPORTED.format(name=name), command, "--data", tmp_path]
    ended = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
