"""`wekadocs-mcp call`: what it prints, where, and how it exits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.config.deployment import load


def test_call_prints_the_structured_answer(workshop: Any) -> None:
    workshop.echo()
    result = CliRunner().invoke(cli, ["call", "demo.echo", '{"text": "é"}', "--plugins", str(workshop.tools)])
    assert (result.exit_code, result.stdout) == (0, '{"got":{"text":"é"}}\n')


def test_call_as_text_shows_where_links_lead(workshop: Any) -> None:
    blocks = [
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "x://embedded", "text": "inside"}},
    ]
    answer = f"Answer({{'a': 1}}, [{{'uri': 'x://y', 'name': 'y'}}], {blocks})"
    workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return {answer}\n")
    result = CliRunner().invoke(cli, ["call", "demo.echo", "--text", "--plugins", str(workshop.tools)])
    lines = ["a: 1", "[image] image/png", "[resource] x://embedded", "[resource_link] x://y"]
    assert result.stdout.splitlines() == lines


def test_call_exits_with_1_and_the_envelope_when_the_tool_says_no(workshop: Any) -> None:
    workshop.echo()
    result = CliRunner().invoke(cli, ["call", "demo.echo", '{"text": 1}', "--plugins", str(workshop.tools)])
    assert result.exit_code == 1
    assert result.stdout.startswith('{"error":{"code":"INVALID_ARGUMENT"')


def test_what_a_plugin_prints_does_not_reach_standard_output(workshop: Any) -> None:
    workshop.tool(
        "print('on import')\n@tool('demo.echo')\nasync def echo(call, text):\n    print('in call')\n    return {}\n"
    )
    result = CliRunner().invoke(cli, ["call", "demo.echo", "--plugins", str(workshop.tools)])
    assert result.stdout == "{}\n"


def test_the_data_directory_is_never_the_current_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEKADOCS_DATA")
    assert not load().data_dir.is_relative_to(tmp_path)
    assert load(data_dir="here").data_dir == tmp_path / "here"
    assert os.listdir(tmp_path) == []
