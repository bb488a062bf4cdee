"""What the console asks beyond MCP, over HTTP: there only when it is wanted, and behind the server's own door."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOKEN = "a-token-of-more-than-sixteen-characters"
SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
DOCS = Path(__file__).parents[3] / "docs" / "sample" / "docs"
ASKED = ("about", "tools", "calls", "settings", "health", "tokens", "page", "status", "ingest", "bases", "diff")


@pytest.fixture(scope="module")
def console(start, data):
    return start(data, "--docs", DOCS)


@pytest.fixture(scope="module")
def locked(start, data):
    return start(data, "--read-only", token=TOKEN)


def test_without_ui_none_of_its_addresses_exists(start, data):
    plain = start(data, ui=False)
    for path in ("/console", "/console/", "/console/app.js"):
        assert plain.client.get(path).status_code == 404
    assert [plain.ask(name).status_code for name in ASKED] == [404] * len(ASKED)


def test_stdio_has_no_console(tmp_path):
    done = subprocess.run([SCRIPT, "serve", "--ui"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 2
    assert "--ui goes with --transport http" in done.stderr


def test_the_pages_come_without_a_token_and_say_nothing_that_the_server_knows(locked):
    moved = locked.client.get("/console")
    assert (moved.status_code, moved.headers["location"]) == (307, "console/")
    page = locked.client.get("/console/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "wekadocs-matrix" not in page.text


def test_everything_that_the_server_knows_needs_its_token(locked):
    assert [locked.ask(name).status_code for name in ASKED] == [401] * len(ASKED)
    assert locked.ask("about", Authorization="Bearer something-else-of-that-length").status_code == 401
    known = locked.ask("about", Authorization=f"Bearer {TOKEN}")
    assert known.json()["authenticated"] is True


def test_every_file_has_a_policy_that_allows_no_inline_script_no_eval_and_no_other_place(console):
    for path in ("/console/", "/console/app.js", "/console/style.css", "/console/icon.svg", "/console/pages/ask.js"):
        reply = console.client.get(path)
        policy = dict(part.strip().split(" ", 1) for part in reply.headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert policy["require-trusted-types-for"] == "'script'"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in reply.headers


def test_a_page_elsewhere_can_ask_nothing(console):
    assert console.ask("status", Origin="http://evil.example").status_code == 403
    assert console.ask("status", Host="evil.example").status_code == 421
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        sent = console.client.post("/console/api/ingest", content=b"{}", headers={"content-type": kind})
        assert sent.status_code == 415  # what a browser would send for a stranger without asking us first
    assert console.client.get("/console/api/status").status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/console/../tools.yaml",
        "/console/..%2f__init__.py",
        "/console/endpoints.py",
        "/console/pages/",
        "/console/api/",
    ],
)
def test_only_the_consoles_own_files_are_served(console, path):
    assert console.client.get(path).status_code == 404


def test_a_quote_is_found_in_its_page_by_its_offsets(console):
    quotes = console.call("kb.retrieve_evidence", question="How do I mount a filesystem?")["structuredContent"][
        "quotes"
    ]
    first = quotes[0]
    given = {"section_id": first["section_id"], "start": first["start"], "end": first["end"]}
    page = console.ask("page", {**given, "among": [each["section_id"] for each in quotes]}).json()
    assert page["path"] == first["path"]
    assert page["text"][first["start"] - page["from"] : first["end"] - page["from"]] == first["quote"]
    same_page = {each["section_id"] for each in quotes if each["path"] == first["path"]}
    assert set(page["together"]) == same_page
    assert console.ask("page", {**given, "section_id": "0" * 32}).status_code == 400


def test_what_is_indexed_is_told_of_the_servers_own_scope(start, data, console, tmp_path):
    """Other projects may be kept in the same data directory."""
    file = tmp_path / "other.md"
    file.write_text("# Another project\n\nNobody here may know of it.\n")
    subprocess.run([SCRIPT, "--data", data, "ingest", file, "--project", "another"], check=True, capture_output=True)
    narrow = tmp_path / "narrow.yaml"
    narrow.write_text("scope: {doc_tags: [filesystems]}\n")
    part = start(data, "--config", narrow)
    figures, fewer = (each.ask("status").json()["figures"] for each in (console, part))
    assert "other" not in figures["doc_tags"] and "projects" not in figures
    assert figures["documents"] == sum(1 for _ in DOCS.rglob("*.md")) > fewer["documents"] > 0
    assert fewer["doc_tags"]["filesystems"] == {name: fewer[name] for name in ("documents", "chunks")}


def test_a_folder_that_nobody_allowed_is_not_ingested(console, locked, tmp_path):
    (tmp_path / "secret.md").write_text("# Secret\n\nNobody allowed this.\n")
    for folder in (str(tmp_path), "/", "", str(DOCS / ".." / "docs" / ".."), f"{DOCS}/../.."):
        assert console.ask("ingest", {"folder": folder}).status_code == 400
    refused = locked.ask("ingest", {"folder": str(DOCS)}, Authorization=f"Bearer {TOKEN}")
    assert "read-only" in refused.json()["error"]["message"]


def test_calls_are_told_with_their_outcome_and_without_what_was_asked(console):
    console.call("kb.search", query="xyzzy plugh")
    console.call("kb.search", query="xyzzy plugh", top_k=10_000)
    told = console.ask("calls", {"after": 0})
    last = told.json()["calls"][-2:]
    assert [(each["tool"], each["code"]) for each in last] == [("kb.search", "OK"), ("kb.search", "INVALID_ARGUMENT")]
    assert "xyzzy" not in told.text
    assert last[1]["pointer"] == "/top_k"
    after = console.ask("calls", {"after": last[0]["number"]}).json()["calls"]
    assert after == last[1:]


def test_settings_name_their_place_and_hide_secrets(start, data, tmp_path, monkeypatch):
    config = tmp_path / "mine.yaml"
    config.write_text("plugins:\n  corpus:\n    embedding: {provider: static, api_key: very-secret-value}\n")
    told = start(data, "--config", config).ask("settings")
    rows = {each["key"]: each for each in told.json()["settings"]}
    assert "very-secret-value" not in told.text
    assert rows["plugins.corpus.embedding.api_key"]["value"] == "(hidden)"
    assert rows["plugins.corpus.embedding.api_key"]["line"] == 3
    assert rows["plugins.console.enabled"]["said"] == "--enable"


def test_contracts_are_compared_with_their_lock_and_with_nothing_that_a_browser_names(console):
    assert console.ask("diff", {"base": "lock"}).json()["verdict"] == "none"
    for base in ("stdio:touch /tmp/x", "git:HEAD", "http://127.0.0.1:1/", "/etc", None, 3):
        assert console.ask("diff", {"base": base}).status_code == 400


def test_the_console_is_small_and_asks_nobody_else():
    folder = Path(__file__).parents[3] / "plugins" / "console" / "wekadocs_console" / "static"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 120_000
    elsewhere = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "://cdn")
    assert [(path.name, word) for path in files for word in elsewhere if word in path.read_text("utf-8")] == []


def test_tokens_are_counted_as_answers_count_them(console):
    assert console.ask("tokens", {"texts": ["", "How do I mount a filesystem?"]}).json()["tokens"][0] == 0
    assert console.ask("tokens", {"texts": "a"}).status_code == 400
    assert json.loads(console.ask("tokens", {"texts": [1]}).text)["error"]["code"] == "INVALID_ARGUMENT"
