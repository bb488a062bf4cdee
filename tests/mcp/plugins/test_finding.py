"""Plugins: found in packages and folders, and imported only when they are enabled."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from .made_plugins import ECHO, contract


def test_an_installed_plugin_serves_the_contracts_of_its_package(workshop: Any, install: Any) -> None:
    install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    app = workshop.app({"plugins": {"acme": {}}})
    assert [tool["name"] for tool in app.tools_list()["tools"]] == ["acme.echo"]
    assert workshop.call(app, "acme.echo").data == {"got": None}


def test_only_enabled_plugins_are_imported(workshop: Any, install: Any) -> None:
    for name in ("on", "off", "unnamed"):
        install(name, "", contracts=None)
    workshop.app({"plugins": {"on": {}, "off": {"enabled": False}}})
    assert "installed_on" in sys.modules
    assert "installed_off" not in sys.modules
    assert "installed_unnamed" not in sys.modules
    workshop.app({"plugins": {"on": {}, "off": {"enabled": False}}}, enable=("off", "unnamed"))
    assert "installed_off" in sys.modules
    assert "installed_unnamed" in sys.modules


def test_an_unknown_plugin_is_refused_at_its_line_with_the_nearest_name(workshop: Any, install: Any) -> None:
    install("acme", "")
    said = workshop.refusal("plugins:\n  acmee: {}\n")
    assert "tools.yaml:2:3" in said
    assert "did you mean `acme`?" in said
    said = workshop.refusal({}, enable=("acmme",))
    assert "--enable acmme: no plugin is called `acmme` — did you mean `acme`?" in said
    assert "fix: installed: acme, chunks, conformance" in said
    assert "fix: installed: acme, chunks, conformance" in workshop.refusal({}, enable=("nope",))


def test_a_drop_in_can_be_switched_off_and_on_again(workshop: Any) -> None:
    workshop.echo()
    off = {"plugins": {"echo": {"enabled": False}}}
    assert workshop.app(off).tools_list()["tools"] == []
    assert len(workshop.app(off, enable=("echo",)).tools_list()["tools"]) == 1


def test_a_drop_in_folder_may_be_named_twice(workshop: Any) -> None:
    workshop.echo()
    app = workshop.app({"plugin_paths": ["tools"]}, plugin_paths=(str(workshop.tools), f"{workshop.tools}/../tools"))
    assert len(app.tools_list()["tools"]) == 1


def test_a_folder_of_drop_in_folders_serves_them_all(workshop: Any) -> None:
    workshop.echo("demo.one", "tools/first")
    workshop.echo("demo.two", "tools/second")
    workshop.echo("other.one", "tools/third")
    workshop.write("tools/first/helper.py", "raise SystemExit('never imported')")
    workshop.write("tools/.hidden/x.v1.yaml", "not: a contract")
    names = [tool["name"] for tool in workshop.app().tools_list()["tools"]]
    assert names == ["demo.one", "demo.two", "other.one"]


def test_a_drop_in_called_like_an_installed_plugin_stands_beside_it(workshop: Any, install: Any) -> None:
    install("echo", ECHO, contracts=contract(workshop, "acme.echo"))
    workshop.echo()
    names = [tool["name"] for tool in workshop.app({"plugins": {"echo": {}}}).tools_list()["tools"]]
    assert names == ["acme.echo", "demo.echo"]


def test_relative_drop_in_folders_start_at_the_file_that_names_them(
    workshop: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    workshop.echo(folder="mine")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(workshop.app({"plugin_paths": ["mine"]}, plugin_paths=()).tools_list()["tools"]) == 1


@pytest.mark.parametrize(("folder", "what"), [("empty", "has no contract"), ("missing", "is not a folder")])
def test_a_drop_in_folder_without_tools_is_refused(workshop: Any, folder: str, what: str) -> None:
    (workshop.folder / "empty").mkdir()
    said = workshop.refusal(plugin_paths=(str(workshop.folder / folder),))
    assert what in said
    assert "contracts new" in said


def test_an_edited_drop_in_runs_its_new_code_at_once(workshop: Any) -> None:
    for number in (1, 2):
        workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return {{'n': {number}}}\n")
        assert workshop.call(workshop.app(), "demo.echo").data == {"n": number}


def test_two_packages_that_announce_one_plugin_are_refused(workshop: Any, install: Any) -> None:
    first = install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    install("twin", ECHO)
    (first.parent / "installed_twin-1.0.dist-info" / "entry_points.txt").write_text(
        "[wekadocs_mcp]\nacme = installed_twin\n"
    )
    message = workshop.refusal({"plugins": {"acme": {}}})
    assert "2 installed packages announce a plugin `acme`: installed_acme, installed_twin" in message
    assert "tools.yaml:2" in message
