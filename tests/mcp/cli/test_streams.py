"""Standard streams that are closed or cannot take any more: said in a sentence, and no work is lost for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors as a POSIX shell does")


def shell(command: str, data: Path) -> subprocess.CompletedProcess[str]:
    line = f'"{Path(sys.executable).parent / "wekadocs-mcp"}" --data "{data}" {command}'
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_an_ingest_is_done_though_its_streams_are_closed(tmp_path: Path, closed: str) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    for form in ("", "--json"):
        assert shell(f'ingest "{tmp_path / "page.md"}" {form} {closed}', tmp_path / "data").returncode == 0
    assert json.loads(shell("status --json", tmp_path / "data").stdout)["documents"] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["status", "tools --json", "doctor"])
def test_output_that_finds_no_room_is_told_without_a_traceback(tmp_path: Path, command: str) -> None:
    result = shell(f"{command} > /dev/full", tmp_path / "data")
    assert (result.returncode, result.stderr) == (2, "wekadocs-mcp: standard output: No space left on device\n")
