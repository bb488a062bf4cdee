"""`wekadocs-mcp ask` and `search`: an answer to read, with its sources; the same answer as `call` gives, as JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.main import cli

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
QUESTION = "How do I mount a filesystem?"
FOREIGN = "Who won the football world cup in 1998?"


def run(data: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--data", str(data), *words])


def test_an_answer_names_the_page_the_lines_and_how_sure_it_is(sample: Path) -> None:
    done = run(sample, "ask", *QUESTION.split(), "-n", "1")
    assert done.exit_code == 0, done.output
    first, _, title, source, *rest = done.stdout.splitlines()
    assert first.startswith("Answered: ") and first.endswith("% of answers like this one hold the answer.")
    assert title == "1. Mount a filesystem"
    assert source.startswith("   filesystems/mount.md#mount-a-filesystem · lines 7-")
    assert source.endswith("%")
    assert any("strata mount <filesystem> <mount-point>" in line for line in rest)
    assert "\x1b" not in done.stdout


def test_json_is_what_call_prints(sample: Path) -> None:
    asked = json.loads(run(sample, "ask", "--json", QUESTION, "-n", "2").stdout)
    called = json.loads(run(sample, "call", "kb.retrieve_evidence", f"question={QUESTION}", "max_quotes=2").stdout)
    assert [quote["hash"] for quote in asked["quotes"]] == [quote["hash"] for quote in called["quotes"]]
    assert asked.keys() == called.keys()


def test_what_nothing_answers_is_said_and_is_exit_1(sample: Path) -> None:
    done = run(sample, "ask", FOREIGN)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (1, "The documents do not seem to answer this.")
    told = run(sample, "ask", "--json", FOREIGN)
    assert (told.exit_code, json.loads(told.stdout)["answerable"]) == (1, False)


def test_of_what_does_not_answer_only_the_nearest_is_shown(sample: Path) -> None:
    asked = ("ask", "Who repairs the quota of a broken bicycle?")
    assert len(json.loads(run(sample, *asked, "--json").stdout)["quotes"]) > 1
    sure = [int(each) for each in re.findall(r"confidence (\d+)%", run(sample, *asked).stdout)]
    assert len(sure) == 1 or min(sure) >= 10


def test_search_lists_pages_with_their_sentences(sample: Path) -> None:
    done = run(sample, "search", "unmount", "busy", "-n", "7")
    assert done.exit_code == 0, done.output
    titles = [line for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert len(titles) == 7
    assert "1. Unmount" in titles
    assert "   filesystems/unmount.md#" in done.stdout


def test_bounds_are_those_of_the_contract(sample: Path) -> None:
    done = run(sample, "ask", QUESTION, "-n", "99")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "wekadocs-mcp: max_quotes: 99 is above the maximum of 12.\n"


def test_a_person_is_sent_to_the_command_and_not_to_the_tool(sample: Path) -> None:
    done = run(sample, "ask", "Which licence does the quarterly payroll need?")
    assert done.exit_code == 1
    assert "look around with `wekadocs-mcp search`." in done.stdout


def test_without_documents_both_ways_on_are_named(tmp_path: Path) -> None:
    done = run(tmp_path, "ask", QUESTION)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "wekadocs-mcp ask --docs DIR" in done.stderr
    assert "wekadocs-mcp ask --sample" in done.stderr
    assert json.loads(run(tmp_path, "search", "--json", "x").stdout)["error"]["details"]["reason"] == "nothing_indexed"


def test_the_sample_is_asked_apart_from_the_users_documents(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text("# Tea\n\nTo brew tea, steep the leaves for four minutes.\n")
    data = tmp_path / "data"
    assert "Mount a filesystem" in run(data, "ask", "--sample", QUESTION).stdout
    own = run(data, "ask", "--docs", str(tmp_path / "docs"), "How do I brew tea?")
    assert own.exit_code == 0, own.output
    assert "tea.md#tea · lines 1-3" in own.stdout
    assert "1 added" in own.stderr
    assert "strata" not in run(data, "search", "mount", "filesystem").stdout


def test_a_folder_that_is_not_there_is_exit_2(tmp_path: Path) -> None:
    done = run(tmp_path / "data", "ask", "--docs", str(tmp_path / "nowhere"), "x")
    assert done.exit_code == 2
    assert "there is no such file or folder" in done.stderr
    assert run(tmp_path, "ask", "--docs", "a", "--sample", "x").exit_code == 2
    assert run(tmp_path, "ask").exit_code == 2


def test_what_a_page_says_cannot_move_the_cursor(ingested: Any) -> None:
    data = ingested({"tea.md": "# Tea \x1b[2J\n\nTo brew tea, steep\x1b[1A the leaves for four minutes.\n"})
    for words in (["ask", "How do I brew tea?"], ["search", "brew tea"], ["ask", "--json", "How do I brew tea?"]):
        done = run(data, *words)
        assert done.exit_code == 0, done.output
        assert "\x1b" not in done.stdout


def on_terminal(words: list[str], typed: bytes = b"", **environment: str) -> str:
    """What a person sees who sits at a terminal."""
    import pty

    pid, terminal = pty.fork()
    if not pid:
        os.execve(SCRIPT, [str(SCRIPT), *words], {**os.environ, "TERM": "xterm", **environment})
    seen = b""
    try:
        while chunk := os.read(terminal, 65536):
            seen += chunk
            if typed and b"Enter: neither" in seen:
                os.write(terminal, typed)
                typed = b""
    except OSError:  # the other end is closed
        pass
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    return f"{seen.decode()}exit {code}"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty on Windows")
def test_colours_are_for_terminals_and_for_those_who_want_them(sample: Path) -> None:
    words = ["--data", str(sample), "ask", QUESTION, "-n", "1"]
    assert "\x1b[1m1. Mount a filesystem\x1b[0m" in on_terminal(words)
    assert "\x1b[" not in on_terminal(words, NO_COLOR="1")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty on Windows")
def test_at_a_terminal_the_sample_is_offered(tmp_path: Path) -> None:
    seen = on_terminal(["--data", str(tmp_path), "ask", QUESTION], b"sample\n", NO_COLOR="1")
    assert "1. Mount a filesystem" in seen
    assert "wekadocs-mcp ask --docs DIR" in on_terminal(["--data", str(tmp_path), "ask", QUESTION], b"\n")
    assert on_terminal(["--data", str(tmp_path), "ask", QUESTION], b"\x03\n").endswith("exit 130")
