"""What plugins share stands in the kit, behind its front door and on its page."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import wekadocs_kit

ROOT = Path(__file__).parents[2]
PLUGINS = sorted(folder for folder in ROOT.glob("plugins/*/wekadocs_*") if (folder / "__init__.py").is_file())


def imported(file: Path) -> Iterator[str]:
    """Every package a file names, in functions and for type checkers too."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


@pytest.mark.parametrize("library", ["wekadocs_kit", "wekadocs_contracts"])
def test_no_library_imports_a_plugin(library):
    plugins = {folder.name for folder in PLUGINS}
    files = (ROOT / "src" / library).rglob("*.py")
    assert [f"{file}: {name}" for file in files for name in imported(file) if name in plugins] == []


def test_plugins_use_the_kit_by_its_front_door():
    files = [file for plugin in PLUGINS for file in plugin.rglob("*.py")]
    assert [file for file in files if "from wekadocs_kit." in file.read_text("utf-8")] == []


def test_every_name_of_the_kit_is_there_and_on_its_page():
    page = (ROOT / "docs" / "how-to" / "use-the-kit.md").read_text("utf-8")
    for name in wekadocs_kit.__all__:
        assert getattr(wekadocs_kit, name) is not None
    assert [name for name in wekadocs_kit.__all__ if f"`{name}`" not in page] == []


def test_a_name_of_the_kit_and_what_tools_are_told_is_one_thing():
    words = {*wekadocs_kit.__all__, "Found", "Finding", "Desk"}
    files = [*(ROOT / "src").rglob("*.py"), *(file for plugin in PLUGINS for file in plugin.rglob("*.py"))]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    named = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef) and node.name in words)
    assert [name for name, count in named.items() if count > 1] == []
