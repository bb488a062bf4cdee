"""Rules of the house that matter are tests."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import house_plan
import wekadocs_mcp
from house_plan import MODULES, PACKAGES, PLUGINS, needs, within
from wekadocs_mcp.plugins import hookspecs
from wekadocs_mcp.plugins.importing import HOOKS

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("ruff", "check", "--no-cache", "."), id="lint"),
        pytest.param(("ruff", "format", "--no-cache", "--check", "."), id="format"),
        pytest.param(("mypy",), id="types"),
        pytest.param(("wekadocs-mcp", "contracts", "lint", "contracts", "docs/sample/tools"), id="contracts"),
        pytest.param(("wekadocs-mcp", "contracts", "docs", "--check"), id="reference is fresh"),
        pytest.param(("wekadocs-mcp", "contracts", "lock", "--check"), id="lock is fresh"),
        pytest.param(("wekadocs-mcp", "contracts", "test", "--plugins", "docs/sample/tools"), id="examples hold"),
    ],
)
def test_the_gate_passes(command):
    done = run(BIN / command[0], *command[1:])
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_hook_is_documented_in_one_sentence():
    for name in HOOKS:
        text = getattr(hookspecs, name).__doc__ or ""
        assert text.strip().endswith("."), f"{name} has no sentence"
        assert "\n" not in text.strip(), f"{name} needs one sentence, not a paragraph"


def _undescribed(schema, path=""):
    for name, child in schema.get("properties", {}).items():
        if not child.get("description"):
            yield f"{path}{name}"
        yield from _undescribed(child, f"{path}{name}.")


def test_every_setting_says_what_it_means():
    files = [*ROOT.glob("plugins/*/*/settings.schema.json"), ROOT / "contracts" / "_schema" / "tools.schema.json"]
    assert len(files) > 5
    assert [f"{file.parent.name} {each}" for file in files for each in _undescribed(json.loads(file.read_text()))] == []


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("plugins/*/*/settings.schema.json")), ids=lambda file: file.parent.name
)
def test_every_setting_of_every_plugin_is_in_the_reference(file):
    page = (ROOT / "docs" / "reference" / "plugin-settings.md").read_text("utf-8")
    part = page.partition(f"## `{file.parents[1].name}`\n")[2].partition("\n## ")[0]
    assert part, "it has no part of its own"
    for name, child in json.loads(file.read_text())["properties"].items():
        assert f"| `{name}` |" in part
        for inner in child.get("properties", {}):
            assert f"| `{name}.{inner}`" in part


@pytest.mark.parametrize("name", ["Prompt(\n    name: str", "Resource(\n    uri: str", "client_for(", "check_plugin("])
def test_the_signatures_that_authors_need_are_in_the_reference(name):
    assert f"```python\n{name}" in (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")


def test_every_public_name_can_be_imported():
    for name in wekadocs_mcp.__all__:
        assert getattr(wekadocs_mcp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        wekadocs_mcp.nonsense  # noqa: B018


def test_the_changelog_tells_of_what_comes_and_then_of_this_version():
    titles = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert titles[0] == "## Unreleased"
    assert re.fullmatch(rf"## {re.escape(wekadocs_mcp.__version__)} \(\d{{4}}-\d\d-\d\d\)", titles[1])


def test_every_public_name_is_in_the_recipes():
    page = (ROOT / "docs" / "how-to" / "handler-recipes.md").read_text("utf-8")
    assert [name for name in wekadocs_mcp.__all__ if f"`{name}" not in page] == []


def test_the_fast_door_imports_nothing_heavy():
    """What stands between the interpreter's start and the first answer."""
    script = (
        "import sys; before = set(sys.modules); from wekadocs_mcp import entry\n"
        "from wekadocs_mcp.transports.fast_door import door\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = run(sys.executable, "-I", "-c", script)
    loaded = set(done.stdout.split())
    heavy = {
        "asyncio",
        "click",
        "yaml",
        "mcp",
        "pydantic",
        "jsonschema_rs",
        "importlib.metadata",
        "dataclasses",
        "pathlib",
    }
    assert "wekadocs_mcp.transports.fast_door.door" in loaded, done.stderr
    assert not loaded & heavy


MOST_FILES = 15
MOST_ANY = 0.025
CONTRACTS_NEED = {"wekadocs_contracts", "wekadocs_text", "wekadocs_tokens"}
CONTRACTS_NEED |= {"click", "jinja2", "jsonschema", "jsonschema_rs", "referencing", "yaml"} | sys.stdlib_module_names


def test_no_folder_is_too_full_to_find_a_file_in():
    counts = house_plan.folders().items()
    assert {folder: count for folder, count in counts if count > MOST_FILES} == {}


def test_no_module_imports_itself_over_others():
    """Also not inside functions: a cycle that is imported late is still one thing that was cut in two."""
    assert house_plan.cycle() == []


def test_no_plugin_imports_another():
    """What one yields reaches another by `context.use`."""
    assert house_plan.between_plugins() == set()


@pytest.mark.parametrize(
    ("package", "strangers"),
    [
        ("wekadocs_mcp", {"wekadocs_corpus", "wekadocs_kit", "qdrant_client", "neo4j", "sqlite3", *PLUGINS}),
        ("wekadocs_corpus", {"wekadocs_mcp", "wekadocs_contracts", "wekadocs_kit", "mcp", *PLUGINS}),
    ],
)
def test_host_and_corpus_know_nothing_of_each_other(package, strangers):
    met = {(module, each) for module in MODULES if within(module, package) for each in needs(module)}
    assert {(module, each) for module, each in met if each.partition(".")[0] in strangers} == set()


OUTSIDE = [name for name in MODULES if name.partition(".")[0] in {*PLUGINS, "wekadocs_kit"}]


@pytest.mark.parametrize("library", ["wekadocs_mcp", "wekadocs_corpus"])
def test_plugins_and_the_kit_import_a_library_by_its_front_door(library):
    """Imports for types count as well: whatever they name is relied on."""
    room = re.compile(rf"^\s*(?:from|import) {library}\.\S+", re.M)
    found = {(name, line) for name in OUTSIDE for line in room.findall(MODULES[name].read_text("utf-8"))}
    assert found == set()


@pytest.mark.parametrize(
    ("engine", "rooms"),
    [
        ("sqlite3", ("wekadocs_corpus.store.sqlite", "wekadocs_chunks.zotero")),
        ("psycopg", ("wekadocs_corpus.store.postgres",)),
    ],
)
def test_an_engine_stays_in_its_rooms(engine, rooms):
    """Engines of the truth are siblings: their statements stand once, in rooms that know neither. What another program
    keeps in SQLite is read where that program is known."""
    using = [module for module in MODULES if engine in {each.partition(".")[0] for each in needs(module)}]
    assert len(using) >= 4
    assert [module for module in using if not any(within(module, room) for room in rooms)] == []


def test_few_parameters_say_any():
    """A share that may shrink: what is only looked at is an `object`, what is read by name has a type."""
    everything, loose = house_plan.parameters()
    assert loose / everything < MOST_ANY


def test_contracts_need_neither_the_host_nor_its_sdk_nor_a_store():
    needed = {(module, each) for module in MODULES if within(module, "wekadocs_contracts") for each in needs(module)}
    assert {(module, each) for module, each in needed if each.partition(".")[0] not in CONTRACTS_NEED} == set()


def test_contracts_are_checked_and_compared_where_host_and_sdk_are_missing():
    script = (
        "import importlib, pkgutil, sys; from pathlib import Path\n"
        "sys.modules.update(dict.fromkeys(['wekadocs_mcp', 'wekadocs_corpus', 'mcp', 'mcp_types']))\n"
        "import wekadocs_contracts as library\n"
        "for each in pkgutil.walk_packages(library.__path__, 'wekadocs_contracts.'):\n"
        "    importlib.import_module(each.name)\n"
        "from wekadocs_contracts.lint.linting import lint\n"
        "from wekadocs_contracts.diff.command import diff_command\n"
        "assert not [each for each in lint([Path('contracts')]) if each.severity == 'error']\n"
        "diff_command()(sys.argv[1:], prog_name='diff')\n"
    )
    same = run(sys.executable, "-I", "-c", script, "contracts/kb", "contracts/kb")
    assert (same.returncode, same.stderr) == (0, ""), same.stdout
    live = run(sys.executable, "-I", "-c", script, "contracts/kb", "stdio:some-server-that-is-not-there")
    assert (live.returncode, live.stdout) == (4, "")
    assert "is the command spelled right?" in live.stderr


def _may_import(package):
    """By its own first lines: what is in it, then who may import it."""
    text = " ".join((ast.get_docstring(house_plan.tree(package)) or "").split())
    what, said, names = text.partition(" Imported by: ")
    assert what and said, f"{package}/__init__.py: say what is in it, then `Imported by: NAMES.` (plugins, everybody)"
    allowed = {name.strip() for name in names.removesuffix(".").split(",")}
    return allowed | (PLUGINS if "plugins" in allowed else set())


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_is_in_it_and_who_may_import_it(package):
    allowed = _may_import(package)
    foreign = [each for each in house_plan.importers(package) if not any(within(each, name) for name in allowed)]
    assert foreign == [] or "everybody" in allowed


@pytest.mark.parametrize(
    ("what", "through"),
    [
        ("search", {"wekadocs_mcp.calls.dispatch", "wekadocs_kb.search", "wekadocs_corpus.lexical.analyser"}),
        ("ingest", {"wekadocs_mcp.cli.main", "wekadocs_corpus.ingest.run", "wekadocs_corpus.documents.reading"}),
    ],
)
def test_the_plan_counts_what_a_search_and_an_ingest_enter(what, through):
    """In the server's threads and in the processes that read documents as well."""
    done = run(sys.executable, ROOT / "scripts" / "modules_entered.py", what)
    entered = set(done.stdout.split())
    assert through <= entered <= MODULES.keys(), done.stderr
