"""The fast door: a compiled surface greets before anything heavy is imported, and says what the SDK would say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
HEAVY = {
    "yaml",
    "asyncio",
    "click",
    "mcp",
    "mcp_types",
    "importlib.metadata",
    "pydantic",
    "jinja2",
    "pathlib",
    "logging",
}
# Python as the console script would run it: sys.path belongs to a surface's key.
AS_SCRIPT = "import os, sys; del sys.argv[0]; sys.path[0] = os.path.dirname(sys.argv[0])\n"
# Notes what is imported when the first answer leaves.
SPY = """
def noting(real):
    def write(descriptor, data):
        if b"".join(data if isinstance(data, (list, tuple)) else [data]).startswith(b'{"jsonrpc"'):
            with open(os.environ["SPY"], "w") as file:
                file.write(" ".join(sys.modules))
        return real(descriptor, data)
    return write
os.write, os.writev = noting(os.write), noting(os.writev)
from wekadocs_mcp.entry import main
main()
"""


def by_id(lines: list[bytes]) -> dict[object, dict]:
    answers: dict[object, dict] = {}
    for message in map(json.loads, lines):
        assert message.get("id") not in answers, f"answered twice: {message}"
        answers[message.get("id")] = message
    return answers


def dialogue(world, messages: list) -> dict[object, dict]:
    """All messages in one write, then end of input; every answer by its id."""
    return dialogues(world, [messages], [{}])[0][0]


def dialogues(world, conversations: list[list], environments: list[dict[str, str]]) -> list[list[dict[object, dict]]]:
    """Each conversation in each environment, all at once."""
    servers = [[world.stdio(env=env) for env in environments] for _ in conversations]
    for messages, row in zip(conversations, servers, strict=True):
        for server in row:
            server.write(*messages)
            server.end_of_input()
    return [[by_id(server.out.rest()) for server in row] for row in servers]


@pytest.fixture(scope="module")
def recorded(shared):
    """A surface for the fast door, and beside it a home without one (its cache cannot be written)."""
    shared.record()
    blocked = shared.root / "no-cache"
    blocked.write_text("a file where the folder should be")
    shared.miss = {"WEKADOCS_CACHE": str(blocked / "cache")}
    return shared


def conversation(world, version: str) -> list:
    """Pipelined, with a call at the end."""
    if version == world.MODERN:
        asked = ("server/discover", "tools/list", "server/discover")
        opening = [world.request(number, method, modern=True) for number, method in enumerate(asked)]
        return [*opening, world.call(9, "wire.echo", {"value": 9}, modern=True)]
    opening = [world.initialize(0, version), world.INITIALIZED, world.request("one", "tools/list")]
    return [*opening, world.request(2, "tools/list"), world.call(9, "wire.echo", {"value": 9})]


def test_a_hit_answers_in_every_version_what_a_miss_answers(recorded):
    """The door is asked in this process, the SDK in another; and two whole conversations on a real hit."""
    from wekadocs_mcp.transports.fast_door import door

    assert is_fresh(recorded) and not is_fresh(recorded, **recorded.miss)
    conversations = [conversation(recorded, version) for version in [*VERSIONS, recorded.MODERN]]
    misses = [row[0] for row in dialogues(recorded, conversations, [recorded.miss])]
    for messages, miss, version in zip(conversations, misses, [*VERSIONS, recorded.MODERN], strict=True):
        quick = {each["id"]: each for each in _ask_door(door, _surface(recorded), messages[:-1])}
        assert quick == {request_id: answer for request_id, answer in miss.items() if request_id != 9}
        assert miss.keys() == {each["id"] for each in messages if "id" in each}
        structure = {"value": 9} if version >= "2025-06-18" else None
        assert miss[9]["result"].get("structuredContent") == structure
    hits = [row[0] for row in dialogues(recorded, conversations[-2:], [{}])]
    assert hits == misses[-2:], "everything is answered, and once"


def imported_when_answered(world, message, spy: str) -> set[str]:
    note = world.root / "modules"
    command = [sys.executable, "-c", AS_SCRIPT + spy, *world.arguments()]
    environment = {**world.environment, "SPY": str(note)}
    server = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    answer = json.loads(server.communicate(json.dumps(message).encode() + b"\n", timeout=20)[0])
    assert answer["id"] == 0
    assert "error" not in answer
    imported = set(note.read_text().split())
    note.unlink()
    assert "wekadocs_mcp.transports.fast_door.door" in imported
    return imported


def test_a_hit_is_answered_before_anything_heavy_is_imported(recorded):
    for message in (recorded.initialize(0), recorded.request(0, "server/discover", modern=True)):
        assert imported_when_answered(recorded, message, SPY) & HEAVY == set()


def test_a_first_call_imports_no_templates_configuration_or_command_line(recorded):
    call = recorded.call(0, "wire.echo", {"value": 1}, modern=True)
    imported = imported_when_answered(recorded, call, SPY)
    assert "mcp.server" in imported
    assert imported & {"jinja2", "yaml", "click", "difflib", "uvicorn", "sse_starlette", "starlette.routing"} == set()


def test_the_sdk_is_whole_for_whoever_uses_its_http_side():
    code = (
        "from wekadocs_mcp.transports.sdk import names\nimport sys\nassert 'uvicorn' not in sys.modules\n"
        "import mcp.server.lowlevel.server as server\napp = names.Server('x').streamable_http_app()\n"
        "from starlette.applications import Starlette\n"
        "assert type(app) is server.Starlette is Starlette\n"
        "from mcp.server.mcpserver import MCPServer\nassert MCPServer('y').streamable_http_app().routes\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def is_fresh(world, *more: str, **env: str) -> bool:
    """Whether a start with these arguments and this environment would go through the fast door."""
    code = (
        AS_SCRIPT
        + "from wekadocs_mcp.transports.fast_door import cache; print(cache.load_surface(sys.argv[1:]) is not None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *world.arguments(*more)],
        env={**world.environment, **env},
        capture_output=True,
        text=True,
        timeout=10,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout == "True\n"


def test_every_kind_of_change_is_noticed_and_undone_changes_too(furnished):
    config = furnished.root / "tools.yaml"
    config.write_text("server: {name: first, instructions: 'Be ${MOOD:-brief}.'}\nflags: {MY_FLAG: true}\n")
    contract = furnished.tool("wire.change", furnished.tools.joinpath("change.py").read_text(), flag="MY_FLAG")
    shared_folder = furnished.root / "_shared"
    use = ("--config", str(config))
    furnished.record(*use)
    assert is_fresh(furnished, *use)

    for env in (
        {"MY_FLAG": "false"},
        {"MOOD": "long"},
        {"MCP_STRUCTURED_OUTPUT_ENABLED": "0"},
        {"MAX_RESPONSE_BYTES": "9999"},
    ):
        assert not is_fresh(furnished, *use, **env), env
    for more in (("--read-only",), ("--enable", "conformance"), ("--toolset", "docs"), ("--data", "elsewhere")):
        assert not is_fresh(furnished, *use, *more), more
    assert not is_fresh(furnished)

    for file in (config, contract, furnished.tools / "change.py"):
        before = file.read_bytes()
        file.write_bytes(before + b"\n")
        assert not is_fresh(furnished, *use), file
        file.write_bytes(before)
        assert is_fresh(furnished, *use), file
    for file in (furnished.tools / "new.v1.yaml", furnished.tools / "new.py", furnished.tools / "deeper" / "a.v1.yaml"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("#")
        assert not is_fresh(furnished, *use), file
        file.unlink()
        assert is_fresh(furnished, *use), file
    shared_folder.mkdir()
    (shared_folder / "scope.yaml").write_text("type: object\n")
    assert not is_fresh(furnished, *use)
    (shared_folder / "scope.yaml").unlink()

    contract.write_text(contract.read_text().replace("Test change", "Test anew"))
    config.write_text(config.read_text().replace("first", "second"))
    server = furnished.stdio(*use)
    assert server.shake_hands()["result"]["serverInfo"]["name"] == "second"
    tools = {tool["name"]: tool for tool in server.ask(furnished.request(1, "tools/list"))["result"]["tools"]}
    assert tools["wire.change"]["title"] == "Test anew"


def test_a_plugin_that_breaks_after_a_hit_takes_only_its_own_tools_down(furnished):
    """It fails by what surrounds it: no watched byte changes, so the surface stays good."""
    furnished.tool(
        "wire.fragile",
        "import os\nfrom wekadocs_mcp import tool\nassert not os.path.exists(os.environ['HOME'] + '/broken')\n"
        "@tool('wire.fragile')\nasync def fragile(call): return {}\n",
    )
    furnished.record()
    (furnished.root / "broken").touch()
    answers = dialogue(
        furnished,
        [
            furnished.initialize(0),
            furnished.INITIALIZED,
            furnished.request(1, "tools/list"),
            furnished.call(2, "wire.fragile", {}),
            furnished.call(3, "wire.echo", {"value": 3}),
        ],
    )
    assert "wire.fragile" in [tool["name"] for tool in answers[1]["result"]["tools"]]
    error = json.loads(answers[2]["result"]["content"][0]["text"])["error"]
    assert error["code"] == "BACKEND_UNAVAILABLE" and "fragile" in error["message"]
    assert answers[3]["result"]["structuredContent"] == {"value": 3}


@pytest.mark.parametrize(
    "settings",
    [
        "{}",
        "server: {instructions: ''}",
        "server: {instructions: \"{% if served('no.tool') %}x{% endif %}\"}",
        'server: {instructions: "Write {% raw %}{{ name }}{% endraw %} for a name."}',
    ],
    ids=["none", "empty", "empty once rendered", "with braces"],
)
def test_a_hit_answers_calls_whatever_the_instructions_are(furnished, settings):
    config = furnished.root / "own.yaml"
    config.write_text(settings)
    furnished.environment["WEKADOCS_CONFIG"] = str(config)
    furnished.record()
    opening = [furnished.initialize(0), furnished.INITIALIZED]
    answers = dialogue(furnished, [*opening, furnished.call(1, "wire.echo", {"value": 3})])
    assert answers[1]["result"]["structuredContent"] == {"value": 3}


STRANGE = {
    "no client": {"clientInfo": None},
    "client without version": {"clientInfo": {"name": "a"}},
    "client with icons as text": {"clientInfo": {"name": "a", "version": "1", "icons": "x"}},
    "client with more": {"clientInfo": {"name": "a", "version": "1", "odd": {"a": 1}}},
    "client name is half a surrogate": {"clientInfo": {"name": "\ud800", "version": "1"}},
    "experimental is no mapping of mappings": {"capabilities": {"experimental": {"listChanged": True}}},
    "roots of the wrong type": {"capabilities": {"roots": {"listChanged": "maybe"}}},
    "roots as mapping": {"capabilities": {"roots": {"listChanged": {}}}},
    "tasks as nonsense": {"capabilities": {"tasks": {"requests": 5}}},
    "capabilities as list": {"capabilities": []},
    "version as number": {"protocolVersion": 7},
    "unknown version": {"protocolVersion": "1999-01-01"},
    "the modern version": {"protocolVersion": "2026-07-28"},
    "extra member": {"more": True},
    "with meta": {"_meta": {"progressToken": 4}},
    "meta as text": {"_meta": "x"},
    "no change": {},
}


def test_an_odd_opening_gets_the_answer_of_the_sdk(recorded):
    """Each on a start of its own would take a minute: the door is asked in this process, the SDK in another."""
    from wekadocs_mcp.transports.fast_door import door

    surface = _surface(recorded)
    for name, change in STRANGE.items():
        message = recorded.initialize(0)
        message["params"] = {**message["params"], **change}
        answer = _ask_door(door, surface, [message])
        if answer:
            assert name in ("no change", "unknown version", "the modern version")
            wanted = message["params"]["protocolVersion"]
            assert answer[0]["result"]["protocolVersion"] == (wanted if wanted in VERSIONS else VERSIONS[-1])
    odd_lines = [
        b"\xef\xbb\xbf" + json.dumps(recorded.initialize(0)).encode(),
        json.dumps(recorded.initialize(0)).encode("utf-16"),
        json.dumps(recorded.initialize(True)).encode(),
        json.dumps(recorded.initialize(1.0)).encode(),
        json.dumps(recorded.initialize(None)).encode(),
        json.dumps([recorded.initialize(0)]).encode(),
        json.dumps({**recorded.initialize(0), "jsonrpc": "1.0"}).encode(),
        json.dumps({**recorded.initialize(0), "extra": 1}).encode(),
    ]
    assert all(_ask_door(door, surface, [line + b"\n"]) == [] for line in odd_lines)
    modern = recorded.request(1, "server/discover", modern=True)
    for change in (
        {"clientInfo": {"name": "a"}},
        {"clientCapabilities": {"experimental": {"a": 1}}},
        {"logLevel": "loud"},
    ):
        stamped = {f"io.modelcontextprotocol/{key}": value for key, value in change.items()}
        odd = {**modern, "params": {"_meta": {**modern["params"]["_meta"], **stamped}}}
        assert _ask_door(door, surface, [odd]) == []
    # The era is decided by the first request, in the door as in the SDK.
    assert len(_ask_door(door, surface, [modern, recorded.initialize(2)])) == 1
    assert len(_ask_door(door, surface, [recorded.initialize(2), modern])) == 1


def _surface(world):
    from wekadocs_mcp.transports.fast_door import cache

    raw = (world.cache / "surface" / world.surfaces()[0]).read_bytes()
    end = raw.index(b"\n")
    return cache.Surface(json.loads(raw[:end]), raw[end + 1 :])


def _ask_door(door, surface, messages: list) -> list[dict]:
    reading, asking = os.pipe()
    answering, writing = os.pipe()
    os.write(
        asking, b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages)
    )
    os.close(asking)
    with os.fdopen(answering, "rb") as answers, ThreadPoolExecutor(1) as reader:  # two lists fill a pipe
        lines = reader.submit(answers.readlines)
        door.Door(surface, (reading, writing)).greet()
        os.close(writing)
        os.close(reading)
        return [json.loads(line) for line in lines.result()]


def test_odd_openings_fall_through_to_the_sdk_and_are_refused_there(recorded):
    """A few of them end to end, on a hit: one answer each, the one that a start without a surface gives."""
    bad = recorded.initialize(0)
    bad["params"]["clientInfo"] = {"name": "a"}
    modern = recorded.request(5, "server/discover", modern=True)
    conversations = [
        [bad, recorded.initialize(1), recorded.INITIALIZED, recorded.call(2, "wire.echo", {"value": 2})],
        [modern, recorded.initialize(6), recorded.call(7, "wire.echo", {"value": 7}, modern=True)],
        [recorded.request(8, "tools/list"), recorded.initialize(9), recorded.request(10, "tools/list", modern=True)],
    ]
    for hit, miss in dialogues(recorded, conversations, [{}, recorded.miss]):
        assert hit == miss and len(hit) == 3


def test_a_cache_that_cannot_be_written_or_is_damaged_only_costs_time(furnished):
    """A folder that is no folder, a read-only one, and a surface cut in half or full of garbage."""
    asked = [furnished.initialize(0), furnished.INITIALIZED, furnished.call(1, "wire.echo", {"value": 1})]
    furnished.record()
    (name,) = furnished.surfaces()
    file = furnished.cache / "surface" / name
    whole = file.read_bytes()
    for damage in (
        whole[: len(whole) // 2],
        b"",
        b"{}\n",
        b"[]\n",
        b"\xff\x00" * 100,
        whole.replace(b'"blobs"', b'"globs"'),
    ):
        file.write_bytes(damage)
        assert not is_fresh(furnished)
    furnished.cache.joinpath("contracts").chmod(0o500)
    file.parent.chmod(0o500)
    try:
        assert dialogue(furnished, asked)[1]["result"]["structuredContent"] == {"value": 1}
    finally:
        file.parent.chmod(0o700)
        furnished.cache.joinpath("contracts").chmod(0o700)
    shutil.rmtree(furnished.cache)
    furnished.record()
    assert furnished.surfaces() == [name]


def test_a_surface_that_cannot_be_resumed_is_dropped(furnished):
    asked = [furnished.initialize(0), furnished.INITIALIZED, furnished.call(1, "wire.echo", {"value": 1})]
    furnished.record()
    (name,) = furnished.surfaces()
    file = furnished.cache / "surface" / name
    file.write_bytes(file.read_bytes().replace(b'"specs"', b'"spexs"'))
    assert 1 not in dialogue(furnished, asked)
    assert dialogue(furnished, asked)[1]["result"]["structuredContent"] == {"value": 1}


def test_two_servers_that_start_at_once_both_answer_and_leave_one_good_surface(furnished):
    asked = [furnished.initialize(0), furnished.INITIALIZED, furnished.call(1, "wire.echo", {"value": 1})]
    servers = [furnished.stdio(), furnished.stdio()]
    for server in servers:
        server.write(*asked)
    for server in servers:
        assert server.answer(1)["result"]["structuredContent"] == {"value": 1}
    furnished.eventually(furnished.surfaces)
    for server in servers:
        server.end_of_input()
        assert server.gone_within(2) == 0
    assert len(furnished.surfaces()) == 1
    assert not list(furnished.cache.rglob("*.tmp"))
    assert dialogue(furnished, asked)[1]["result"]["structuredContent"] == {"value": 1}


def test_a_client_that_only_greets_and_leaves_is_not_kept_waiting(recorded):
    server = recorded.stdio()
    started = recorded.now()
    assert server.ask(recorded.initialize(0))["id"] == 0
    server.end_of_input()
    assert server.gone_within(1) == 0
    assert recorded.now() - started < 1
