"""A tools.yaml is laid over the shipped one: it says only what differs, and every place of a mistake is in its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp import shipped
from wekadocs_mcp.app import App
from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.config.deployment import from_dict, load
from wekadocs_mcp.transports.fast_door.surface import watch_list


def command(*arguments: Any) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments])


def listed(app: App) -> list[str]:
    return [tool["name"] for tool in app.tools_list()["tools"]]


# --- what holds ---


@pytest.mark.parametrize(
    "text", ["", "server: {name: x}\n", "extends: shipped\n", "plugins: {corpus: {graph: true}}\n"]
)
def test_a_file_that_says_little_serves_what_is_shipped(workshop: Any, text: str) -> None:
    app = workshop.app(text)
    assert listed(app) == listed(App.build(load()))
    assert app.config.scope == load().scope


def test_maps_merge_deeply_and_all_else_replaces(workshop: Any) -> None:
    config = workshop.config(
        "server: {name: x}\n"
        "plugins: {corpus: {qdrant: {timeout_seconds: 9}}, scratch: {ttl_seconds: 60}}\n"
        "toolsets: {docs: [kb.search], mine: {tools: [graph.*]}}\n"
        "scope: {doc_tags: [a]}\n"
        "budgets: {timeout_seconds: 5}\n"
    )
    assert (config.server["name"], config.server["text"]) == ("x", "full")
    assert config.plugins["corpus"]["qdrant"] == {"url": "", "api_key": "", "grpc": "false", "timeout_seconds": 9}
    assert config.plugins["scratch"] == {"ttl_seconds": 60, "max_bytes": 268435456, "valkey": {"url": ""}}
    assert config.toolsets["docs"]["tools"] == ["kb.search"]
    assert config.scope == {**load().scope, "doc_tags": ["a"]}
    assert config.budgets == {"response_bytes": 65536, "timeout_seconds": 5, "max_concurrency": 16}


@pytest.mark.parametrize("gone", ["null", "false", "~", ""])
def test_a_plugin_is_taken_out_by_null_or_false(workshop: Any, gone: str) -> None:
    app = workshop.app(f"plugins:\n  graph: {gone}\n")
    assert list(app.plugins) == ["corpus", "scratch", "kb", "legacy_compat"]
    assert not [name for name in listed(app) if name.startswith("graph.")]


def test_a_plugin_that_is_not_there_cannot_be_taken_out(workshop: Any) -> None:
    said = workshop.refusal("server: {name: x}\nplugins: {grpah: null}\n")
    assert "tools.yaml:2:11: $.plugins.grpah: there is no plugin `grpah` to take out — did you mean `graph`?" in said
    assert "write `grpah: {}` to have it" in said
    assert "to take out" in workshop.refusal("extends: none\nplugins: {kb: null}\n")


def test_what_is_off_stays_off_until_it_is_switched_on(workshop: Any) -> None:
    assert "conformance" not in workshop.app("plugins: {conformance: {}}\n").plugins
    assert "conformance" in workshop.app("plugins: {conformance: {enabled: true}}\n").plugins


def test_extends_none_starts_from_nothing(workshop: Any) -> None:
    workshop.echo()
    app = workshop.app("extends: none\n")
    assert listed(app) == ["demo.echo"]
    assert app.config.files == [str(workshop.folder / "tools.yaml")]
    assert app.config.scope == load().scope  # whoever ingested without a file finds it here too


def test_extends_has_two_values(workshop: Any) -> None:
    said = workshop.refusal("extends: nothing\n")
    assert 'tools.yaml:1:10: $.extends: "nothing" is not one of "shipped", "none"' in said


def test_data_in_hand_starts_from_nothing_unless_it_says_so() -> None:
    assert from_dict({}).plugins == {}
    assert "kb" in from_dict({"extends": "shipped"}).plugins


def test_the_shipped_file_itself_is_laid_over_nothing() -> None:
    assert load(shipped.TOOLS_YAML).files == [shipped.TOOLS_YAML]


def test_what_a_plugins_entry_may_be_is_told(workshop: Any) -> None:
    assert "fix: `kb: {}` has it, with its settings inside; null or false takes it out" in workshop.refusal(
        "plugins: {kb: yes}\n"
    )


# --- places ---


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("server: {nmae: x}\n", "1:10: $.server.nmae"),
        ("plugins: {corpus: {qdrant: {urll: x}}}\n", "1:29: $.plugins.corpus.qdrant.urll"),
        ("plugins: {kb: {evidence: best}}\n", "1:26: $.plugins.kb.evidence"),
        ("plugins: {kb: true}\n", "1:15: $.plugins.kb"),
        ("server:\n", "1:8: $.server"),
        ('scope: {project_id: "${NOT_SET}"}\n', "1:21: $.scope.project_id"),
        ("plugins: {nobody: {}}\n", "1:11: $.plugins.nobody"),
        ("overlays: {kb.search: {caps: {top_k: 99}}}\n", "1:38: $.overlays.kb.search.caps.top_k"),
    ],
)
def test_a_mistake_is_shown_in_the_file_that_makes_it(workshop: Any, text: str, place: str) -> None:
    said = workshop.refusal(text)
    assert f"{workshop.folder / 'tools.yaml'}:{place}" in said
    assert "^" in said


def test_a_cached_start_shows_the_same_place(workshop: Any) -> None:
    text = "server: {name: x}\noverlays: {kb.search: {caps: {top_k: 99}}}\n"
    assert workshop.refusal(text) == workshop.refusal(text)


def test_relative_paths_start_beside_the_file_that_says_them(
    workshop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.echo(folder="mine")
    workshop.write("elsewhere/x", "")
    monkeypatch.chdir(tmp_path / "elsewhere")
    text = "plugin_paths: [mine]\nplugins: {corpus: {docs: pages, ingest: {entity_rules: rules.yaml}}}\n"
    corpus = workshop.app(text).plugins["corpus"].spec.settings
    assert corpus["docs"] == str(tmp_path / "pages")
    assert corpus["ingest"]["entity_rules"] == str(tmp_path / "rules.yaml")


# --- commands of plugins ---


def test_a_command_of_a_plugin_that_the_file_takes_out_says_so(workshop: Any, tmp_path: Path) -> None:
    file = workshop.write("tools.yaml", "extends: none\n")
    for words in (["--config", file, "ingest", tmp_path], ["ingest", tmp_path, "--config", file]):
        done = command("--data", tmp_path / "data", *words)
        assert done.exit_code == 2
        assert f"{file}: the plugin `corpus`, whose command `ingest` is, is off here" in done.stderr
        assert "fix: write `corpus: {enabled: true}` under plugins:" in done.stderr
    assert "No such command 'ingets'. — did you mean" in command("ingets").stderr


def test_a_command_of_a_plugin_that_nobody_enabled_says_so(tmp_path: Path) -> None:
    done = command("--data", tmp_path / "data", "chunks", "ingest", "lab/papers")
    assert done.exit_code == 2 and "the plugin `chunks`, whose command `chunks` is, is off here" in done.stderr
    assert "fix: write `chunks: {enabled: true}` under plugins: in a file that --config names" in done.stderr


def test_what_was_ingested_without_a_file_is_found_with_one(workshop: Any, ingested_sample: Path) -> None:
    file = workshop.write("tools.yaml", "server: {name: x}\n")
    done = command("--config", file, "--data", ingested_sample, "call", "kb.search", '{"query": "mount"}')
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["results"]


def test_documents_of_another_project_are_named_where_nothing_is_indexed(workshop: Any, ingested_sample: Path) -> None:
    file = workshop.write("tools.yaml", "scope: {project_id: mine}\n")
    done = command("--config", file, "--data", ingested_sample, "call", "kb.search", '{"query": "mount"}')
    message = json.loads(done.stdout)["error"]["message"]
    assert "Nothing is indexed for project `mine` (prod), only for project `wekadocs-matrix` (prod)" in message
    assert "`scope:` in tools.yaml" in message
    assert "`wekadocs-mcp ingest DIR`" in message


def test_status_says_when_the_served_project_has_nothing(workshop: Any, ingested_sample: Path) -> None:
    file = workshop.write("tools.yaml", "scope: {project_id: mine}\n")
    told = "Nothing is indexed for project mine, which is served"
    assert told in command("--config", file, "--data", ingested_sample, "status").stdout
    assert told not in command("--data", ingested_sample, "status").stdout


# --- the fast door ---


def test_a_surface_is_made_from_both_files(workshop: Any) -> None:
    watched = [path for path, *_ in watch_list(workshop.config("server: {name: x}\n"), [])]
    assert {shipped.TOOLS_YAML, str(workshop.folder / "tools.yaml")} <= set(watched)


# --- a server without tools ---


def test_doctor_calls_a_server_without_tools_broken(workshop: Any) -> None:
    done = command("doctor", "--config", workshop.write("tools.yaml", "extends: none\n"))
    assert "broken   tools: this server has no tool at all" in done.stdout
    assert done.exit_code == 1


# --- config show ---


def shown(file: Path, *more: str) -> dict[str, dict[str, Any]]:
    done = command("--config", file, "config", "show", "--json", *more)
    assert done.exit_code == 0, done.output
    return {row["key"]: row for row in json.loads(done.stdout)["settings"]}


def test_config_show_tells_what_holds_and_where_it_is_said(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_KB_V2_ENABLED", "on")
    monkeypatch.setenv("MAX_RESPONSE_BYTES", "2048")
    file = workshop.write("tools.yaml", "server:\n  name: x\nplugins:\n  scratch: {ttl_seconds: 60}\n")
    rows = shown(file, "--read-only", "--enable", "conformance")

    def told(key: str) -> tuple[Any, ...]:
        row = rows[key]
        return row["value"], row["said"], row["file"] and Path(row["file"]).name, row["line"]

    assert told("server.name") == ("x", "file", "tools.yaml", 2)
    assert told("plugins.scratch.ttl_seconds") == (60, "file", "tools.yaml", 4)
    assert rows["plugins.scratch.max_bytes"]["file"] == shipped.TOOLS_YAML
    line = Path(shipped.TOOLS_YAML).read_text("utf-8").splitlines()[rows["scope.project_id"]["line"] - 1]
    assert rows["scope.project_id"]["value"] in line
    assert told("plugins.kb.evidence") == ("weighted", "default", None, None)
    assert told("server.read_only") == (True, "--read-only", None, None)
    assert told("plugins.conformance.enabled") == (True, "--enable", None, None)
    assert told("flags.MCP_KB_V2_ENABLED") == (True, "environment variable MCP_KB_V2_ENABLED", None, None)
    assert told("server.max_response_bytes") == (2048, "environment variable MAX_RESPONSE_BYTES", None, None)


def test_config_show_for_people_names_file_and_line(workshop: Any) -> None:
    file = workshop.write("tools.yaml", "server:\n  name: x\n")
    lines = command("--config", file, "config", "show").stdout.splitlines()
    assert lines[0] == f"configuration: {file} over the shipped tools.yaml"
    assert [line.split() for line in lines if line.startswith("server.name ")] == [["server.name", '"x"', f"{file}:2"]]


@pytest.mark.parametrize("form", [["--json"], []])
def test_config_show_never_shows_a_secret(workshop: Any, monkeypatch: pytest.MonkeyPatch, form: list[str]) -> None:
    for name in ("QDRANT_API_KEY", "NEO4J_PASSWORD", "MY_TAG", "QDRANT_URL"):
        monkeypatch.setenv(name, "http://hunter2")
    text = """
scope: {doc_tags: [open, "${MY_TAG}"]}
plugins:
  corpus:
    neo4j: {uri: "bolt://ada:hunter2@host:1", password: hunter2}
    embedding: {request: {Authorization: hunter2, headers: {api-key: 1, x-token: hunter2}}, api_key: hunter2}
"""
    done = command("--config", workshop.write("tools.yaml", text), "config", "show", *form)
    assert done.exit_code == 0, done.output
    assert "hunter2" not in done.output
    assert "ada" not in done.output
    assert "${QDRANT_API_KEY:-} (hidden)" in done.stdout
    assert "bolt://(hidden)@host:1" in done.stdout
