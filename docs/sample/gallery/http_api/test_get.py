import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


class Tracker(BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.path == "/issues/7"
        body = json.dumps({"title": "It leaks", "state": "open", "body": "Water."}).encode()
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body if known else b"{}")

    def log_message(self, *_):
        pass


def test_an_issue_is_read_and_a_private_address_only_where_it_is_allowed(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Tracker)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    monkeypatch.setenv("ISSUES_API", f"http://{address}/issues")
    with client_for(plugins=[HERE]) as client:
        assert client.call("issues.get", number=7).error["code"] == "NO_ISSUE"
    monkeypatch.setenv("ISSUES_ALLOW_HOSTS", address)
    with client_for(plugins=[HERE]) as client:
        assert client.call("issues.get", number=7).data["title"] == "It leaks"
        assert client.call("issues.get", number=8).error["code"] == "NO_ISSUE"
    server.shutdown()
    server.server_close()
