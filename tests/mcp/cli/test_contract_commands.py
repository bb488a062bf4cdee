"""`contracts docs` and `contracts lint` in somebody's folder: they judge and write only what is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.contract_commands import contracts
from wekadocs_mcp.cli.main import cli

OWN = "# What I wrote\n"


def command(*arguments: str) -> Result:
    cli.add_command(contracts)
    return CliRunner().invoke(cli, ["contracts", *arguments])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("what", ["docs", "lint", "lock"])
def test_without_contracts_a_folder_has_to_be_named(here: Path, what: str) -> None:
    (here / "docs" / "reference" / "tools").mkdir(parents=True)
    page = here / "docs" / "reference" / "tools" / "kb.md"
    page.write_text(OWN)
    (here / "mkdocs.yml").write_text("site_name: mine\n")
    done = command(what)
    assert done.exit_code == 2
    assert "name a folder" in done.stderr
    assert f"contracts {what} DIR" in done.stderr
    assert page.read_text() == OWN
    assert sorted(path.name for path in here.rglob("*") if path.is_file()) == ["kb.md", "mkdocs.yml"]


def test_in_a_drop_in_folder_its_contracts_are_meant_and_no_other_file(
    workshop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.echo()
    workshop.write("tools/tools.yaml", "server: {name: x}\n")
    monkeypatch.chdir(workshop.tools)
    done = command("lint")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("1 contracts, 0 errors, ")
    assert command("docs", "--into", str(tmp_path / "pages")).exit_code == 0
    assert "demo.echo" in (tmp_path / "pages" / "tools" / "demo.md").read_text()


def test_a_page_of_ones_own_is_never_written_over(workshop: Any, here: Path) -> None:
    workshop.echo()
    page = workshop.write("pages/tools/demo.md", OWN)
    done = command("docs", "tools", "--into", "pages")
    assert done.exit_code == 2
    assert f"{page.relative_to(here)}: this page was not made from contracts" in done.stderr
    assert "--into DIR" in done.stderr
    assert page.read_text() == OWN
    assert sorted(path.name for path in (here / "pages").rglob("*.md")) == ["demo.md"]


def test_a_page_that_is_a_link_or_no_text_is_never_written_over(workshop: Any, here: Path) -> None:
    workshop.echo()
    workshop.write("pages/tools/README.md", b"\xff\xfe")
    (here / "pages" / "tools" / "demo.md").symlink_to(workshop.write("else.md", OWN))
    done = command("docs", "tools", "--into", "pages")
    assert done.exit_code == 2
    assert done.stderr.count("was not made from contracts") == 2
    assert (here / "else.md").read_text() == OWN


def test_pages_do_not_move_in_among_those_of_others(workshop: Any, here: Path) -> None:
    workshop.echo()
    workshop.write("docs/reference/mine.md", OWN)
    done = command("docs", "tools")
    assert done.exit_code == 2
    assert "docs/reference: there is something in it" in done.stderr
    assert sorted(path.name for path in (here / "docs").rglob("*.md")) == ["mine.md"]


def test_an_empty_place_is_filled_and_made_again(workshop: Any, here: Path) -> None:
    workshop.echo()
    workshop.write("tools/_guides/how.md.j2", "# How\n")
    assert command("docs", "tools").exit_code == 0
    page = here / "docs" / "reference" / "tools" / "demo.md"
    assert "demo.echo" in page.read_text()
    workshop.write("docs/reference/mine.md", OWN)
    workshop.echo(title="Changed")
    done = command("docs", "tools")
    assert done.exit_code == 0, done.stderr
    assert "Changed" in page.read_text()
    assert "Made by" in (here / "docs" / "how.md").read_text()
    assert command("docs", "tools", "--check").exit_code == 0


def test_a_folder_in_place_of_a_tool_is_told_how_folders_are_named(here: Path) -> None:
    (here / "mine").mkdir()
    done = command("test", "mine")
    assert done.exit_code != 0
    assert "mine is a folder: add its tools with `--plugins mine`" in done.stderr
