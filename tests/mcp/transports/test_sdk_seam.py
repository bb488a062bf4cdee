"""What the SDK has not promised to keep is named in one file, looked for, and done without where it is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import mcp
import mcp.server.runner
import mcp.server.streamable_http_manager
import pytest

from sdk_names import of_the_sdk, outside_the_seam, touched
from wekadocs_mcp.transports.sdk import private


def test_no_file_but_the_seam_names_what_the_sdk_keeps_private():
    known = of_the_sdk()
    assert "_connection" in known and "_handle_post_request" in known
    assert outside_the_seam() == {}


@pytest.mark.parametrize(
    "source",
    [
        "from mcp.server._streamable_http_modern import _write",
        "from mcp.server.runner import serve_one",
        "def level(ctx): return ctx.session._connection.state",
        "from mcp.server.streamable_http_manager import Manager\nclass Mine(Manager):\n"
        "    def open(self): return self._server_instances",
    ],
)
def test_the_check_finds_each_way_to_name_them(source):
    assert [*touched(source, of_the_sdk())]


@pytest.mark.parametrize("short_cut", ["calls", "sessions"])
def test_a_short_cut_whose_name_is_gone_is_not_taken_and_doctor_can_say_so(short_cut, monkeypatch):
    assert private.missing(short_cut) == [] and private.lacking() == []
    gone = {
        "calls": (mcp.server.runner, "serve_one"),
        "sessions": (mcp.server.streamable_http_manager.StreamableHTTPSessionManager, "_admit_session"),
    }
    monkeypatch.delattr(*gone[short_cut])
    assert [name.rpartition(".")[2].rpartition(":")[2] for name in private.missing(short_cut)] == [gone[short_cut][1]]
    (told,) = private.lacking()
    assert told.ok and told.what == f"sdk.{short_cut}" and gone[short_cut][1] in told.note


def test_doctor_says_that_the_short_cuts_are_off(tmp_path):
    script = Path(sys.executable).parent / "wekadocs-mcp"
    home = {"HOME": str(tmp_path), "WEKADOCS_CACHE": str(tmp_path / "cache"), "WEKADOCS_SDK": "public"}
    argv = [str(script), "doctor", "--json", "--data", str(tmp_path / "data")]
    done = subprocess.run(argv, env={**os.environ, **home}, capture_output=True, text=True, timeout=60, check=False)
    found = {each["what"]: each for each in json.loads(done.stdout)}
    assert {found["sdk.calls"]["state"], found["sdk.sessions"]["state"]} == {"warning"}
    assert "WEKADOCS_SDK" in found["sdk.calls"]["note"]


def test_the_sdk_is_imported_without_building_what_nobody_uses():
    source = (
        "import sys, json, pydantic; from wekadocs_mcp.transports.sdk.names import types\n"
        "asked = types.CallToolRequestParams.model_validate({'name': 'x', 'arguments': {'a': 1}})\n"
        "read = types.jsonrpc_message_adapter.validate_python(dict(jsonrpc='2.0', id=1, method='ping'))\n"
        "class Later(pydantic.BaseModel):\n    x: int\n"
        "print(json.dumps([types.CreateMessageRequestParams.__pydantic_complete__, 'starlette.requests' in sys.modules,"
        " asked.arguments, read.method, Later.__pydantic_complete__, pydantic.TypeAdapter.__module__]))\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == [False, False, {"a": 1}, "ping", True, "pydantic.type_adapter"]
