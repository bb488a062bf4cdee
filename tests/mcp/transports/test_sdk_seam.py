"""What the SDK has not promised to keep is named in one file, looked for, and done without where it is missing."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mcp
import mcp.server.runner
import mcp.server.streamable_http_manager
import pytest

from wekadocs_mcp.transports.sdk import private

ROOT = Path(__file__).parents[3]
SEAM = ROOT / "src/wekadocs_mcp/transports/sdk/private.py"
SDK = ("mcp", "mcp_types")
# The standard library's, public in spite of their names.
ELSEWHERE = {"_replace", "_fields", "_asdict", "_exit", "_getframe"}
OURS = [each for each in (ROOT / "src/wekadocs_mcp").rglob("*.py") if each != SEAM]
# Public in form, but neither documented nor exported by a package.
UNDOCUMENTED = {name.partition(":")[0] for name in private.NEEDED["calls"]} - {"mcp.shared.inbound"}


def of_the_sdk() -> set[str]:
    """Every private name that the SDK gives to an attribute, a function or a module."""
    files = [each for part in ("server", "shared") for each in (Path(mcp.__file__).parent / part).rglob("*.py")]
    found = {each.stem for each in files}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
    return {name for name in found if _is_private(name)}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def touched(source: str, known: set[str]) -> Iterator[str]:
    """Private names of the SDK in a file: imported, taken from an object that is not the file's own, or overridden."""
    tree = ast.parse(source)
    own = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_own(node)}
    given: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in SDK:
            given |= {each.asname or each.name for each in node.names}
            parts = [*str(node.module).split("."), *(each.name for each in node.names)]
            yield from (part for part in parts if _is_private(part))
            yield from ([str(node.module)] if node.module in UNDOCUMENTED and not _for_types(tree, node) else [])
        elif isinstance(node, ast.Attribute) and node.attr in known and node.attr not in own | ELSEWHERE:
            yield node.attr
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and {_name(base) for base in node.bases} & given:
            inside = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and _is_own(each)]
            yield from (each.attr for each in inside if each.attr in known)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _name(base: ast.expr) -> str:
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.id if isinstance(base, ast.Name) else ""


def _for_types(tree: ast.Module, node: ast.AST) -> bool:
    guards = [each for each in tree.body if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.dump(each.test)]
    return any(node is inner for guard in guards for inner in ast.walk(guard))


def test_no_file_but_the_seam_names_what_the_sdk_keeps_private():
    known = of_the_sdk()
    assert "_connection" in known and "_handle_post_request" in known
    assert {str(file.relative_to(ROOT)): names for file in OURS if (names := [*touched(file.read_text(), known)])} == {}


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
