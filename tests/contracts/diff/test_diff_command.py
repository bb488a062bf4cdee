"""Exit codes, accepted changes, unproven ones, and live servers."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from wekadocs_contracts.diff import schema_pair
from wekadocs_contracts.diff.model import SchemaProof

ROOT = Path(__file__).parents[3]
RUN = "from wekadocs_mcp.entry import main; main()"
LESS = ("maximum: 5", "maximum: 3")
HANDLER = (ROOT / "docs" / "sample" / "tools" / "hello.py").read_text("utf-8")


def accept(repository, fingerprint, /, **other):
    entry = {
        "fingerprint": fingerprint,
        "reason": "nobody calls it so",
        "owner": "docs team",
        "expires": "2999-01-01",
        **other,
    }
    lines = "\n    ".join(f'{key}: "{value}"' for key, value in entry.items() if value)
    (repository.folder / "contracts" / "diff-ignore.yaml").write_text(f"ignore:\n  - {lines}\n", "utf-8")


def breaking(repository):
    rows = repository.diff("--format", "json").json["changes"]
    return next(row["fingerprint"] for row in rows if row["verdict"] == "breaking")


def test_an_accepted_change_no_longer_fails_and_is_still_shown(released, cli):
    released.edit(LESS, ("version: 1.0.0", "version: 1.0.1"))
    accept(released, breaking(released))
    done = released.diff("--format", "json")
    assert (done.code, done.json["verdict"]) == (0, "docs")
    assert [row["owner"] for row in done.json["ignored"]] == ["docs team"]
    assert cli("contracts", "lint", cwd=released.folder).code == 0, "the ignore file is no contract"


@pytest.mark.parametrize(
    "spoilt", [{"reason": ""}, {"owner": ""}, {"expires": ""}, {"expires": "soon"}, {"fingerprint": "x"}, {"x": "y"}]
)
def test_an_incomplete_exception_is_refused(released, spoilt):
    released.edit(LESS)
    accept(released, breaking(released), **spoilt)
    assert released.diff().code == 2


def test_an_expired_exception_fails_even_without_its_change(released):
    accept(released, "0123456789ab", expires="2020-01-01")
    done = released.diff()
    assert done.code == 1
    assert "ended on 2020-01-01 (docs team)" in done.out


def test_an_exception_for_nothing_is_a_warning(released):
    accept(released, "0123456789ab")
    done = released.diff("--ignore", "contracts/diff-ignore.yaml")
    assert done.code == 0
    assert "nothing has the fingerprint 0123456789ab" in done.out


def test_what_is_too_large_to_prove_is_not_safe(wire):
    def huge(last):
        return {"type": "object", "properties": {"a": {"enum": [*range(25_000), last]}}}

    done = wire(wire.tool(huge("x")), wire.tool(huge("y")))
    assert (done.code, done.json["verdict"], done.json["changes"][0]["proof"]) == (3, "breaking", "unproven")
    assert wire(wire.tool(huge("x")), wire.tool(huge("y")), "--allow-unproven").code == 0
    worse = wire(wire.tool(huge("x"), annotations={"readOnlyHint": True}), wire.tool(huge("y")))
    assert worse.code == 1, "a proven break is worse than an open case"


def test_a_proof_that_no_rule_can_name_is_reported_as_our_bug(monkeypatch):
    from wekadocs_contracts.diff.compare import compare
    from wekadocs_contracts.diff.operands.files import wire_tools
    from wekadocs_contracts.diff.operands.sides import Operand
    from wekadocs_contracts.diff.outcome import conclude

    monkeypatch.setattr(schema_pair, "prove", lambda *_, **__: SchemaProof(True, None, "witness", {"a": 1}))
    old, new = ({"name": "t", "inputSchema": {"type": "object", "description": text}} for text in "ab")
    sides = [Operand.of(name, "json", wire_tools(each, name)) for name, each in (("old", old), ("new", new))]
    outcome = conclude(compare(*sides), allow_unproven=True)
    assert [row.rule for row in outcome.changes if row.verdict == "breaking"] == ["rules-and-proof-disagree"]
    assert outcome.exit_code == 3


def test_each_of_several_breaks_has_its_own_call(wire):
    def schema(top, longest, kinds):
        properties = {
            "a": {"type": "integer", "maximum": top},
            "b": {"type": "string", "maxLength": longest},
            "c": {"enum": kinds},
        }
        return {"type": "object", "additionalProperties": False, "properties": properties}

    rows = wire(wire.tool(schema(5, 9, ["x", "y"])), wire.tool(schema(3, 2, ["x"]))).json["changes"]
    assert sorted(list(row["witness"]) for row in rows) == [["a"], ["b"], ["c"]]


@pytest.fixture
def tools(tmp_path, released):
    """Two folders of the same drop-in tool, the second one changed."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "hello.py").write_text(HANDLER, "utf-8")
        (folder / "hello.v1.yaml").write_text(released.contract.read_text("utf-8"), "utf-8")
    two = tmp_path / "two" / "hello.v1.yaml"
    two.write_text(two.read_text("utf-8").replace(*LESS), "utf-8")
    return tmp_path


def command(folder):
    return f"stdio:{sys.executable} -c '{RUN}' serve --plugins {folder}"


def test_two_live_servers_are_compared_over_stdio(tools, cli):
    done = cli("contracts", "diff", command(tools / "one"), command(tools / "two"), "--format", "json", cwd=tools)
    assert (done.code, done.rules["maximum-narrowed"]) == (1, "breaking"), done.err
    assert "not compared" in done.json["not_comparable"][0]
    assert not [rule for rule in done.rules if rule.startswith(("error", "alias", "budget"))]


def test_a_live_server_is_as_its_contract_says(tools, cli):
    (tools / "tools.yaml").write_text("extends: none\n", "utf-8")
    live = f"{command(tools / 'one')} --config {tools / 'tools.yaml'}"
    done = cli("contracts", "diff", "one", live, "--format", "json", cwd=tools)
    assert (done.code, done.json["changes"]) == (0, []), done.err


def test_what_a_deployment_overlays_is_no_change_of_the_contract(tools, cli):
    (tools / "tools.yaml").write_text(
        "extends: none\nserver: {name_style: underscore}\noverlays: {demo.hello: {caps: {times: 2}, title: Greet}}\n",
        "utf-8",
    )
    live = f"{command(tools / 'one')} --config {tools / 'tools.yaml'}"
    done = cli("contracts", "diff", "one", live, "--format", "json", cwd=tools)
    assert done.code == 0, done.out + done.err
    assert done.rules == {"overlay": "none"}
    assert all("overlay" in row["tags"] for row in done.json["changes"])


def test_an_equal_hash_is_an_overlay_but_excuses_nothing_that_tools_yaml_cannot_do(wire):
    mark = {"dev.wekadocs/contract": {"version": "1.0.0", "hash": "sha256:1"}}
    done = wire(wire.tool(_meta=mark, annotations={"readOnlyHint": True}), wire.tool(_meta=mark))
    assert (done.code, done.rules) == (1, {"overlay": "breaking"})
    assert done.json["changes"][0]["tags"] == ["overlay", "security"]


@pytest.fixture
def served(tools):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "MCP_AUTH_TOKEN": "s3cret-token-for-tests",
        "HOME": str(tools),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--transport", "http", "--port", str(port), "--plugins", str(tools / "two")],
        env=environment, cwd=tools, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/_mcp"
    process.terminate()
    process.wait(10)


def test_a_live_server_over_http_wants_its_bearer(served, tools, cli):
    right = cli("contracts", "diff", "one", served, "--format", "json", "--token", "s3cret-token-for-tests", cwd=tools)
    assert (right.code, right.rules["maximum-narrowed"]) == (1, "breaking"), right.err
    same = cli("contracts", "diff", "two", served, cwd=tools, MCP_AUTH_TOKEN="s3cret-token-for-tests")
    assert same.code == 0, same.out + same.err
    assert "s3cret" not in right.out + right.err + same.out + same.err
    assert cli("contracts", "diff", "one", served, cwd=tools).code == 4


PAGED = """
import json, sys
TOOLS = [{"name": f"tool_{n}", "inputSchema": {"type": "object"}} for n in range(25)]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    if asked["method"] == "initialize":
        given = asked["params"]["protocolVersion"]
        result = {"protocolVersion": given, "capabilities": {"tools": {}}, "serverInfo": {"name": "paged", "version": "1"}}
    elif asked["method"] == "tools/list":
        start = int((asked.get("params") or {}).get("cursor") or 0)
        ENDLESS
        result = {"tools": TOOLS[start:start + 10]}
        if start + 10 < len(TOOLS):
            result["nextCursor"] = str(start + 10)
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_every_page_of_a_stranger_from_the_older_era_is_read(tmp_path, cli):
    script = tmp_path / "server.py"
    script.write_text(PAGED.replace("ENDLESS", "pass"), "utf-8")
    done = cli("contracts", "diff", "null", f"stdio:{sys.executable} {script}", "--format", "json", cwd=tmp_path)
    assert (done.code, len(done.json["changes"])) == (0, 25), done.err


def test_pages_that_never_end_are_left(tmp_path, cli):
    script = tmp_path / "server.py"
    script.write_text(PAGED.replace("ENDLESS", "start = 0"), "utf-8")
    assert cli("contracts", "diff", "null", f"stdio:{sys.executable} {script}", cwd=tmp_path).code == 4


@pytest.mark.parametrize("dead", ["http://127.0.0.1:9/_mcp", "stdio:no-such-command-anywhere", "stdio:true"])
def test_a_server_that_does_not_answer_is_exit_4(tmp_path, cli, dead):
    done = cli("contracts", "diff", "null", dead, cwd=tmp_path)
    assert done.code == 4
    assert dead in done.err
    assert "Traceback" not in done.err
