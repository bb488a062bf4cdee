"""Servers that speak either era, badly or not at all: what they offer is read, and what is wrong is told."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from wekadocs_contracts.diff.problems import Unreachable
from wekadocs_contracts.live.asking import ask
from wekadocs_contracts.live.calling import Calling
from wekadocs_contracts.live.published import published

SERVER = """
import json, sys
BEFORE
for line in sys.stdin:
    asked = json.loads(line)
    method = asked.get("method")
    if "id" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    meta = (asked.get("params") or {}).get("_meta") or {}
    newer = meta.get("io.modelcontextprotocol/protocolVersion") == "2026-07-28"
    offered = {"capabilities": {"tools": {}, "prompts": {}, "resources": {}}, "instructions": "Ask."}
    lists = {
        "tools/list": {"tools": [{"name": "t", "inputSchema": {"properties": {}}}]},
        "prompts/list": {"prompts": [{"name": "p"}]},
        "resources/list": {"resources": [{"uri": "a://b", "name": "b"}]},
    }
    if method == "initialize" and HANDSHAKE:
        answer["result"] = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "s", "version": "1"}, **offered}
        print(json.dumps({"jsonrpc": "2.0", "id": "ping", "method": "ping"}), flush=True)
    elif method == "server/discover" and newer:
        answer["result"] = offered
    elif method in lists and (HANDSHAKE or newer):
        answer["result"] = lists[method]
    else:
        answer["error"] = {"code": -32601, "message": "unknown method"}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def server(tmp_path):
    def write(before="pass", handshake=True):
        path = tmp_path / "server.py"
        path.write_text(SERVER.replace("BEFORE", before).replace("HANDSHAKE", str(handshake)), "utf-8")
        return f"stdio:{sys.executable} {path}"

    return write


@pytest.mark.parametrize(("handshake", "version"), [(True, "2025-06-18"), (False, "2026-07-28")])
def test_both_eras_are_asked_for_all_they_offer(server, handshake, version):
    offer = ask(server(handshake=handshake), Calling(seconds=20)).as_dict()
    assert (offer["protocolVersion"], offer["instructions"]) == (version, "Ask.")
    assert [len(offer[name]) for name in ("tools", "prompts", "resources", "resourceTemplates")] == [1, 1, 1, 0]


def test_what_is_printed_beside_the_messages_is_told_in_one_line(server):
    offer = ask(server("print('starting\\\\x1b[2J', flush=True); print('up', flush=True)"), Calling(seconds=20))
    assert len(offer.lists["tools"]) == 1
    (note,) = offer.notes
    assert "starting" in note
    assert "\x1b" not in note
    assert "\n" not in note


def test_garbage_without_end_is_left(server):
    with pytest.raises(Unreachable, match="lines on stdout are no messages"):
        ask(server("while True: print('x' * 50)"), Calling(seconds=20))


def test_what_a_command_said_before_it_died_is_shown(server):
    with pytest.raises(Unreachable, match=r"exit code 3 before it answered:\n  no key in API_KEY"):
        ask(server("sys.stderr.write('no key in API_KEY'); sys.exit(3)"), Calling(seconds=20))


def test_a_server_that_never_answers_costs_its_timeout_and_no_more(server):
    with pytest.raises(Unreachable, match=r"no answer within 0\.5 s \(--timeout\)"):
        ask(server("sys.stdin.read()"), Calling(seconds=0.5))


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("X-Key") != "k":
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "tools": []}
        body = json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Mcp-Session-Id", "s1")
        self.end_headers()
        self.wfile.write(b"event: message\ndata: " + body + b"\n\n")

    def do_DELETE(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def url():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{found.server_port}/mcp"
        found.shutdown()
        thread.join()


def test_any_header_goes_with_a_request_and_only_http_asks_about_the_bearer(url):
    assert ask(url, Calling(headers=(("X-Key", "k"),), seconds=10)).lists == {"tools": []}
    with pytest.raises(Unreachable, match="is the bearer right"):
        ask(url, Calling(seconds=10))
    with pytest.raises(Unreachable) as refused:
        ask("stdio:no-such-command-anywhere", Calling(seconds=10))
    assert "bearer" not in str(refused.value)


def test_a_list_that_strict_clients_refuse_is_compared_and_told(server):
    from wekadocs_contracts.diff.operands.choose import read
    from wekadocs_contracts.diff.operands.sides import Reading

    operand = read(server(), Reading(None))
    assert [side.name for side in operand.tools] == ["t"]
    assert "strict clients refuse its list" in operand.note


def test_lines_that_are_no_messages_and_no_answer_are_told_in_one_sentence(server):
    with pytest.raises(Unreachable) as left:
        ask(server("print('Welcome!', flush=True); sys.stdin.read()"), Calling(seconds=0.5))
    told = str(left.value)
    assert told.endswith("strict clients: Welcome!: 1 such lines and no answer; logs go to stderr")
    assert told.count("stdio:") == 1


@pytest.fixture
def runner(server, tmp_path, monkeypatch):
    """`uvx` and `npx` that write down how they were called and start the server."""
    command = server().removeprefix("stdio:")
    for name in ("uvx", "npx"):
        script = tmp_path / "bin" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/called"\nenv > "{tmp_path}/known"\nexec {command}\n'
        )
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def started(operand):
        offer = published(operand, Calling(seconds=20))
        assert [tool["name"] for tool in offer.lists["tools"]] == ["t"]
        return (tmp_path / "called").read_text("utf-8").split("\n")[:-1], (tmp_path / "known").read_text("utf-8")

    return started


def test_a_published_server_gets_its_options_and_may_have_a_command_of_another_name(runner):
    assert runner("pypi:some-server@1.2")[0] == ["--from", "some-server==1.2", "some-server"]
    assert runner("pypi:some-server@1.2 --root .")[0] == ["--from", "some-server==1.2", "some-server", "--root", "."]
    assert runner("pypi:some-server serve --root .")[0] == ["--from", "some-server", "serve", "--root", "."]
    assert runner("npm:@scope/server@1.2 --root .")[0] == ["--yes", "--", "@scope/server@1.2", "--root", "."]


def test_a_published_server_sees_nothing_of_who_starts_it(runner, monkeypatch):
    for name in ("API_KEY", "UV_PUBLISH_TOKEN", "MCP_AUTH_TOKEN"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("UV_INDEX_URL", "https://index.example.org")
    known = runner("pypi:some-server@1.2")[1]
    assert "secret" not in known
    assert "https://index.example.org" in known


def test_a_published_server_that_dies_is_named_as_it_was_written(runner, tmp_path):
    (tmp_path / "bin" / "npx").write_text("#!/bin/sh\necho no such version >&2\nexit 7\n")
    with pytest.raises(
        Unreachable, match=r"npm:a@9: the command ended with exit code 7 before it answered:\n  no such"
    ):
        runner("npm:a@9")
