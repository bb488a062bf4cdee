"""A server without any tool is of no use to a client: it says so at every start, and is not ready."""

import json


def test_over_http_it_is_not_ready_and_says_so_at_start(furnished):
    config = furnished.root / "tools.yaml"
    config.write_text("server: {exclude: ['*']}\n")
    server = furnished.http("--config", str(config))
    assert "this server has no tool at all" in server.err.text
    ready = server.send("GET", "/readyz")
    assert ready.status == 503
    assert "no tool" in json.loads(ready.body)["plugins"]["tools"]["note"]
    assert server.send("GET", "/healthz").status == 200


def test_over_stdio_it_says_so_at_every_start(furnished):
    config = furnished.root / "tools.yaml"
    config.write_text("server: {exclude: ['*']}\n")
    for _ in range(2):
        server = furnished.stdio("--config", str(config))
        server.shake_hands()
        assert server.ask(furnished.request(1, "tools/list"))["result"]["tools"] == []
        server.end_of_input()
        assert server.gone_within(20) == 0
        assert "this server has no tool at all" in b"".join(server.err.rest()).decode() + server.err.text
