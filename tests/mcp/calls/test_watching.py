"""Building an app changes nothing in its process; serving does, and gives it back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = """
import subprocess, sys
from wekadocs_mcp.testing import app_from, client_for

hooks, before = [], subprocess.Popen.__init__
sys.addaudithook = hooks.append
folder, data = sys.argv[1:]

app_from(plugins=[folder], data_dir=data)
assert subprocess.Popen.__init__ is before, "building an app replaced Popen.__init__"
assert hooks == [], "building an app added an audit hook"

for _ in range(2):
    with client_for(plugins=[folder]) as first:
        assert subprocess.Popen.__init__ is before, "nobody has called yet"
        with client_for(plugins=[folder]) as second:
            assert first.call("demo.echo").data == second.call("demo.echo").data == {"watched": True}
        assert subprocess.Popen.__init__ is not before, "one app still serves"
        assert first.call("demo.echo").data == {"watched": True}
    assert subprocess.Popen.__init__ is before, "serving is over"
assert len(hooks) == 1, "an interpreter keeps its hooks: one is enough"
"""


def test_popen_is_replaced_only_while_calls_are_served(workshop: Any, tmp_path: Path) -> None:
    code = """
    import subprocess
    @tool("demo.echo")
    async def echo(call, text):
        return {"watched": subprocess.Popen.__init__.__code__.co_name == "noted"}
    """
    workshop.tool(code)
    command = [sys.executable, "-c", SCRIPT, str(workshop.tools), str(tmp_path / "data")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
