"""Every command in the documentation is run, every file it shows is written, every output it shows is compared."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import shell_blocks
from page_walk import BLOCK, ConsoleWalk, blocks, with_program
from wekadocs_mcp.cli.contract_commands import contracts
from wekadocs_mcp.cli.main import cli

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))]
WITH_COMMANDS = [page for page in PAGES if any(info.startswith("console") for info, _ in blocks(ROOT / page))]


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_what_the_page_shows_is_what_happens(page, tmp_path):
    with ConsoleWalk(tmp_path, ROOT, with_program(BIN, tmp_path / "home")).begun() as walk:
        for info, body in blocks(ROOT / page):
            walk.do(info, body)


@pytest.mark.parametrize("page", PAGES)
def test_lines_for_shells_name_what_there_is(page):
    """scripts/first_hour.py runs them; here is what needs no minutes: commands, options, files outside of a clone."""
    shells = [block for block in blocks(ROOT / page) if block[0] in ("sh", "powershell")]
    told = [line for block in shells for line in shell_blocks.lines(*block)]
    for line in (each for each in told if not shell_blocks.left_out(each)):
        for command in re.split(r"\s(?:&&|\|)\s", line):
            words = shlex.split(command)
            assert all(Path(word).exists() for word in words if word.startswith("/")), line
            if words[0] == "wekadocs-mcp":
                done = CliRunner().invoke(cli, [*words[1:], "--help"])
                assert done.exit_code == 0, f"{line}\n{done.output}"


@pytest.mark.parametrize("page", PAGES)
def test_commands_within_sentences_are_ones_that_there_are(page):
    cli.add_command(contracts)
    for told in re.findall(r"`wekadocs-mcp ([^`]+)`", BLOCK.sub("", (ROOT / page).read_text("utf-8"))):
        done = CliRunner().invoke(cli, [*shlex.split(told), "--help"])
        assert done.exit_code == 0, f"{told}\n{done.output}"


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCK.sub("", (ROOT / page).read_text("utf-8"))):
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


def test_every_threat_names_a_test_that_exists():
    page = (ROOT / "docs/explanation/security.md").read_text("utf-8").partition("## Campaigns")[0]
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| threat")]
    for row in rows:
        file = ""  # `…` is the file named before it in the same row
        named = re.findall(r"`((?:[\w/]+\.py|…)(?:::\w+)?)`", row.rsplit(" | ", 1)[-1])
        assert named, f"no test for: {row[:80]}"
        for each in named:
            path, _, test = each.partition("::")
            file = file if path == "…" else path
            source = ROOT / file
            assert source.is_file() and f"def {test}" in source.read_text("utf-8"), each
    assert len(rows) > 30
