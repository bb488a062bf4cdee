"""What strangers wrote reaches terminals, rows and CI as text, never as an order."""

import json
import re
import unicodedata

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_mcp.cli.contract_commands import contracts
from wekadocs_mcp.cli.main import cli
from wekadocs_text import as_json, one_line, printed, visible

NASTY = st.text(st.one_of(st.characters(), st.sampled_from("\n\r\t\x1b\x9b\x07\x00\u202e\u2066\u200b\ufeff:#[%|`")))
GITHUB = re.compile(r"^\s*::\w", re.MULTILINE)
ELSEWHERE = re.compile(r"##\w*\[")


def harmless(text: str, kept: str = "") -> bool:
    hidden = {letter for letter in text if letter not in kept and unicodedata.category(letter)[0] in "CZ"}
    return hidden <= {" "}


@given(NASTY)
def test_a_name_is_one_line_without_anything_hidden(name):
    assert harmless(one_line(name))
    assert harmless(visible(name), kept="\n\t")


@given(NASTY)
def test_no_ci_system_takes_an_order_from_a_printed_line(name):
    for text in (name, f"wrote {name}", f"\n::error::{name}##[error]"):
        shown = printed(text)
        assert not GITHUB.search(shown) and not ELSEWHERE.search(shown)


@given(st.recursive(NASTY, lambda inner: st.lists(inner) | st.dictionaries(NASTY, inner)))
def test_json_on_a_terminal_says_the_same(value):
    text = as_json(value)
    assert harmless(text)
    assert json.loads(text) == value


@pytest.mark.parametrize("name", ["kb.search", "Büro/Übersicht", "日本語のページ", "a%0Ab", "naïve_été"])
def test_an_ordinary_name_stays_as_it_is(name):
    assert one_line(name) == visible(name) == printed(name) == name


def test_a_style_sheet_may_speak_of_before():
    assert one_line("::before") == "::before"
    assert printed("see ::before") == "see ::before"


EVIL = "a\n::error::x\x1b[31m\u202e##[error]`|"
CONTRACT = {
    "contract": "demo.names",
    "version": "1.0.0",
    "status": "stable",
    "title": f"T {EVIL}",
    "routing": dict.fromkeys(("use_when", "do_not_use_when", "returns", "follow_up"), f"Some words about {EVIL}"),
    "annotations": {
        "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False,
    },
    "input": {
        "type": "object",
        "properties": {EVIL: {"type": "string", "description": EVIL, "enum": [EVIL]}, "b": {"default": EVIL}},
        "required": [EVIL],
    },
    "output": {"type": "object", "properties": {EVIL: {"type": "string"}}},
    "argument_aliases": {f"x{EVIL}": EVIL},
    "examples": [{"title": EVIL, "arguments": {EVIL: EVIL}}],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "tools"
    place.mkdir()
    (place / "names.v1.yaml").write_text(json.dumps(CONTRACT))
    code = "from wekadocs_mcp import tool\n@tool('demo.names')\ndef names(call, **rest): return {}\n"
    (place / "names.py").write_text(code)
    return place


def run(*arguments: str) -> str:
    cli.add_command(contracts)
    done = CliRunner().invoke(cli, list(arguments))
    assert not isinstance(done.exception, Exception), done.exception
    return done.output


def obeys_nobody(output: str) -> None:
    assert harmless(output, kept="\n\t"), output
    assert not ELSEWHERE.search(output), output
    assert not GITHUB.search(output), output


@pytest.mark.parametrize("form", ["text", "json", "markdown", "github", "sarif", "junit"])
def test_every_format_of_diff_shows_such_names_as_text(folder, tmp_path, form):
    changed = json.loads(json.dumps(CONTRACT))
    changed["input"]["properties"][f"new {EVIL}"] = {"type": "string"}
    changed["input"]["required"].append(f"new {EVIL}")
    (tmp_path / "head").mkdir()
    (tmp_path / "head" / "names.v1.yaml").write_text(json.dumps(changed))
    output = run("contracts", "diff", str(folder), str(tmp_path / "head"), "--format", form)
    assert "new a" in output
    if form == "github":  # its own orders, one a line
        output = re.sub(r"(?m)^::(error|warning|notice) ", "", output)
    obeys_nobody(output)


def test_commands_show_such_names_as_text(folder, tmp_path):
    shown = ["contracts lint", "contracts lint --json", f"contracts docs --into {tmp_path / 'made'}", "contracts lock"]
    for command in shown:
        obeys_nobody(run(*command.split(), str(folder)))
    for page in (tmp_path / "made").rglob("*.md"):
        assert harmless(page.read_text(), kept="\n")
    data = ("--data", str(tmp_path / "data"))
    for command in (["tools"], ["tools", "--json"], ["doctor"], ["contracts", "test"]):
        obeys_nobody(run(*data, *command, "--plugins", str(folder)))


def test_a_call_with_such_names_is_refused_in_words(folder, tmp_path):
    for name, arguments in (("demo.names", {f"y{EVIL}": 1}), ("demo.names", {EVIL: EVIL * 2}), (f"z{EVIL}", {})):
        done = CliRunner().invoke(
            cli, ["--data", str(tmp_path), "call", name, json.dumps(arguments), "--plugins", str(folder)]
        )
        assert done.exit_code in (1, 2), done.output
        obeys_nobody(done.output)
        if done.stdout.startswith("{"):
            told = json.loads(done.stdout)["error"]
            assert harmless(told["message"]) and harmless(told["details"]["path"])
