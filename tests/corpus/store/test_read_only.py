"""A data directory in an image or on a read-only mount: it answers, and says what it cannot do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[[str], "subprocess.CompletedProcess[str]"]
_MOUNT = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"'


@pytest.fixture
def frozen(ingested_sample: Path, tmp_path: Path) -> Run:
    """Runs a command on the sample's data. Rights do not stop root: there the folder is mounted read-only."""
    data = tmp_path / "data"
    shutil.copytree(ingested_sample, data)
    tool = Path(sys.executable).parent / "wekadocs-mcp"
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and subprocess.run(["unshare", "-m", "sh", "-c", _MOUNT, "-", data], check=False).returncode:
        pytest.skip("root may not mount here")
    first, prefix = (_MOUNT, ["unshare", "-m"]) if root else ('chmod -R a-w "$1"', [])

    def run(command: str) -> subprocess.CompletedProcess[str]:
        line = [*prefix, "sh", "-c", f'{first} && "{tool}" --data "$1" {command}', "-", str(data)]
        return subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="uses a POSIX shell")
def test_what_cannot_be_written_is_answered_from_and_not_written_to(frozen: Run, tmp_path: Path) -> None:
    found = json.loads(frozen("status --json").stdout)
    assert found["documents"] >= 30
    answer = json.loads(frozen("""call kb.search '{"query": "How do I mount a filesystem?"}'""").stdout)
    assert answer["results"][0]["path"] == "filesystems/mount.md"
    assert "degraded" not in answer, "nothing is worse than elsewhere"
    assert frozen("doctor").returncode == 0
    (tmp_path / "page.md").write_text("# Page\n")
    refused = frozen(f'ingest "{tmp_path / "page.md"}"')
    assert (refused.returncode, "cannot be written" in refused.stderr) == (2, True)
