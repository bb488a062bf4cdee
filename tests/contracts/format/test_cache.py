"""Compiled contracts: a second start parses no YAML, every change is noticed, and no cache is fine too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

START = "import sys; from wekadocs_mcp.entry import main; sys.argv = ['wekadocs-mcp', *sys.argv[1:]]; main()"
NO_YAML = "import sys; sys.modules['yaml'] = None; "


def tools(workshop: Any, *, yaml: bool = True, check: bool = True) -> subprocess.CompletedProcess[str]:
    """`wekadocs-mcp tools --json` in a process of its own; without `yaml`, reading YAML fails."""
    command = [sys.executable, "-c", ("" if yaml else NO_YAML) + START, "tools", "--json"]
    if (workshop.folder / "tools.yaml").exists():
        command += ["--config", str(workshop.folder / "tools.yaml")]
    command += ["--plugins", str(workshop.tools)]
    return subprocess.run(command, capture_output=True, text=True, check=check, timeout=60)


def cache_files() -> list[Path]:
    return sorted(path for path in Path(os.environ["WEKADOCS_CACHE"]).rglob("*") if path.is_file())


def test_a_second_start_parses_no_yaml(workshop: Any) -> None:
    workshop.echo(input={"type": "object", "properties": {"scope": {"$ref": "wekadocs:shared/scope"}}})
    workshop.write("tools.yaml", "server: {name: mine}\noverlays: {demo.echo: {title: Other}}\n")
    assert tools(workshop, yaml=False, check=False).returncode != 0
    first = tools(workshop)
    assert '"title":"Other"' in first.stdout
    assert tools(workshop, yaml=False).stdout == first.stdout


def change_contract(workshop: Any) -> None:
    workshop.echo(title="Changed")


def change_only_a_comment(workshop: Any) -> None:
    path = workshop.tools / "echo.v1.yaml"
    path.write_text(path.read_text() + "# Changed\n")


def add_contract(workshop: Any) -> None:
    workshop.echo("demo.second")


def remove_contract(workshop: Any) -> None:
    workshop.echo("demo.second")
    tools(workshop)
    for path in workshop.tools.glob("second.*"):
        path.unlink()


def rename_contract(workshop: Any) -> None:
    path = workshop.tools / "echo.v1.yaml"
    path.rename(workshop.tools / "echo.v1.yml")


def change_fragment(workshop: Any) -> None:
    workshop.write("tools/_shared/few.yaml", "type: integer\nmaximum: 4\n")


def add_nearer_fragment(workshop: Any) -> None:
    workshop.write("tools/_shared/scope.yaml", "type: object\n")


def add_fragment_above(workshop: Any) -> None:
    workshop.write("_shared/unused.yaml", "type: object\n")


CHANGES = (
    change_contract, change_only_a_comment, add_contract, remove_contract, rename_contract, change_fragment,
    add_nearer_fragment, add_fragment_above,
)  # fmt: skip


def compile_here(workshop: Any) -> int:
    """How many compiled files the cache holds after a start in this process."""
    workshop.app()
    return len([path for path in cache_files() if path.parent.name == "contracts"])


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_kind_of_change_is_noticed(workshop: Any, change: Any) -> None:
    properties = {"n": {"$ref": "wekadocs:shared/few"}, "scope": {"$ref": "wekadocs:shared/scope"}}
    workshop.write("tools/_shared/few.yaml", "type: integer\nmaximum: 3\n")
    workshop.echo(input={"type": "object", "properties": properties})
    before = workshop.app().tools_list()
    count = compile_here(workshop)
    assert count == 1
    change(workshop)
    after = workshop.app().tools_list()
    if change in (change_contract, add_contract, change_fragment, add_nearer_fragment):
        assert after != before
    else:
        assert after == before
    # What is served after a change is what a start without any cache serves.
    for path in cache_files():
        path.unlink()
    assert workshop.app().tools_list() == after


def test_a_change_that_keeps_size_and_time_is_noticed(workshop: Any) -> None:
    path = workshop.echo(title="AAAA")
    workshop.app()
    stat = path.stat()
    path.write_text(path.read_text().replace("AAAA", "BBBB"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert workshop.app().tools_list()["tools"][0]["title"] == "BBBB"


def test_a_broken_contract_is_refused_again_and_again(workshop: Any) -> None:
    workshop.echo(title=5)
    assert workshop.refusal() == workshop.refusal()


def test_a_changed_environment_is_noticed(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'server: {name: "${SERVER_NAME:-none}"}\n'
    assert workshop.config(text).server["name"] == "none"
    monkeypatch.setenv("SERVER_NAME", "acme")
    assert workshop.config(text).server["name"] == "acme"


def test_a_changed_tools_yaml_is_noticed(workshop: Any) -> None:
    assert workshop.config("server: {name: one}\n").server["name"] == "one"
    assert workshop.config("server: {name: two}\n").server["name"] == "two"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\x00\xff\xfe", b"null", b"[]", b"7", b'{"echo": 1}', b'{"echo": [{"nothing": 1}]}', b"[" * 100_000],
)
def test_a_damaged_cache_file_is_read_over(workshop: Any, content: bytes) -> None:
    workshop.echo()
    before = workshop.app().tools_list()
    for path in cache_files():
        if path.parent.name == "contracts":
            path.write_bytes(content)
    assert workshop.app().tools_list() == before


@pytest.mark.parametrize("content", [b"null", b"[]", b'{"echo": []}', b"[" * 100_000])
def test_a_cache_file_with_another_content_under_its_seal_is_read_over(workshop: Any, content: bytes) -> None:
    workshop.echo()
    before = workshop.app().tools_list()
    for path in cache_files():
        seal, _, _ = path.read_bytes().partition(b"\n")
        path.write_bytes(seal + b"\n" + content)
    assert workshop.app().tools_list() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\x00\xff\xfe", b"null", b"[" * 100_000])
def test_a_damaged_cached_configuration_is_read_over(workshop: Any, content: bytes) -> None:
    text = "server: {name: mine}\n"
    workshop.config(text)
    for path in cache_files():
        path.write_bytes(content)
    assert workshop.config(text).server["name"] == "mine"


def test_a_folder_that_cannot_be_written_is_no_cache(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.echo()
    blocked = workshop.write("blocked", "a file, not a folder")
    for folder in (blocked, blocked / "inside", Path("/proc/nothing")):
        monkeypatch.setenv("WEKADOCS_CACHE", str(folder))
        assert len(workshop.app().tools_list()["tools"]) == 1


def test_a_read_only_folder_with_a_cache_in_it_still_serves(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.echo()
    before = workshop.app().tools_list()

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(os, "makedirs", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    assert workshop.app().tools_list() == before
    workshop.echo(title="Changed")
    assert workshop.app().tools_list()["tools"][0]["title"] == "Changed"


def test_without_a_home_there_is_no_cache_and_no_harm(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.echo()
    monkeypatch.delenv("WEKADOCS_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert len(workshop.app().tools_list()["tools"]) == 1


def test_processes_that_start_at_once_do_no_harm(workshop: Any) -> None:
    for index in range(10):
        workshop.echo(f"demo.tool{index}")
    command = [sys.executable, "-c", START, "tools", "--json", "--plugins", str(workshop.tools)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    seen = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(seen) == 1
    assert tools(workshop, yaml=False).stdout in seen
    assert not [path for path in cache_files() if path.suffix == ".tmp"]
