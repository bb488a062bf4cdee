"""What doctor says of vaults: how much is in them, that one is not there, and names that cannot be read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def doctor(home: Path) -> str:
    config = home / "notes.yaml"
    config.write_text("plugins: {notes: {enabled: true, vault: {mine: mine, gone: gone}}}\n")
    program = str(Path(sys.executable).parent / "wekadocs-mcp")
    command = [program, "--config", str(config), "--data", str(home / "data"), "doctor"]
    return subprocess.run(command, capture_output=True, text=True, cwd=home).stdout


def test_vaults_are_counted_and_a_missing_one_is_broken(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.md").write_text("x")
    told = doctor(tmp_path)
    assert "mine: 1 notes" in told and f"gone: {tmp_path / 'gone'} is no folder" in told


def test_names_that_are_no_text_are_counted_with_one_of_them(tmp_path):
    (tmp_path / "mine").mkdir()
    try:
        Path(os.fsdecode(os.fsencode(tmp_path / "mine") + b"/caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this drive takes no names that are no UTF-8")
    assert "mine: 1 names are no UTF-8 text, such as caf\\xe9.md" in doctor(tmp_path)
