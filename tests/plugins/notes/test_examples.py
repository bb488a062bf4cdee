"""The contracts' examples of notes: asked of a vault of their own."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("wekadocs-mcp")


def test_examples_hold_and_never_see_the_vault_that_is_configured(tmp_path):
    vault = tmp_path / "mine"
    vault.mkdir()
    (vault / "own.md").write_text("Nobody else's.")
    (tmp_path / "mine.yaml").write_text("plugins: {notes: {enabled: true, vault: mine}}")
    command = [PROGRAM, "contracts", "test", "--config", tmp_path / "mine.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith(" examples, 0 failed\n"), done.stdout + done.stderr
    assert "ok     notes.create_node" in done.stdout and "ok     notes.search" in done.stdout
    assert [path.name for path in vault.iterdir()] == ["own.md"]
