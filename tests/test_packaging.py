"""The wheel carries every contract and plugin, from the tree and from the sdist, and runs from another folder."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """One wheel built from the tree, one from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation"]
    for arguments in (
        ["--wheel", "--outdir", str(out / "tree"), str(ROOT)],
        ["--outdir", str(out / "sdist"), str(ROOT)],
    ):
        done = subprocess.run([*build, *arguments], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    return [next((out / "tree").glob("*.whl")), next((out / "sdist").glob("*.whl"))]


def test_both_wheels_carry_every_contract_plugin_and_template(wheels):
    expected = {
        f"wekadocs_contracts/_data/{path.relative_to(ROOT)}"
        for path in (ROOT / "contracts").rglob("*")
        if path.is_file()
    }
    expected |= {
        "wekadocs_mcp/_data/tools.yaml",
        "wekadocs_contracts/docs/_templates/tools.md.j2",
        "wekadocs_mcp/py.typed",
    }
    pages = ROOT / "docs" / "sample" / "docs"
    expected |= {f"wekadocs_corpus_plugin/_sample/{path.relative_to(pages)}" for path in pages.rglob("*.md")}
    for package in (ROOT / "plugins").glob("*/wekadocs_*"):
        expected |= {f"{package.name}/{path.relative_to(package)}" for path in package.rglob("*.py")}
        expected.add(f"{package.name}/py.typed")
    for wheel in wheels:
        missing = expected - set(zipfile.ZipFile(wheel).namelist())
        assert not missing, f"{wheel.name} from {wheel.parent.name}"


def test_every_plugin_folder_is_packaged_and_announced():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    points = project["project"]["entry-points"]["wekadocs_mcp"]
    for package in (ROOT / "plugins").glob("*/wekadocs_*"):
        assert str(package.relative_to(ROOT)) in packages
        assert points[package.parent.name] == package.name


def test_an_installed_wheel_serves_from_another_folder(wheels, tmp_path):
    site = tmp_path / "site"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheels[1])], check=True, timeout=120)
    environment = {**os.environ, "PYTHONPATH": str(site), "WEKADOCS_CACHE": str(tmp_path / "cache")}
    script = (
        "import wekadocs_mcp, sys; sys.stderr.write(wekadocs_mcp.__file__); from wekadocs_mcp.entry import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "tools", "--enable", "conformance"],
        cwd=elsewhere, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr.startswith(str(site)), done.stderr
    assert "test_simple_text" in done.stdout


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """The light distribution: one wheel from the tree, one from its sdist."""
    out = tmp_path_factory.mktemp("light")
    build = [sys.executable, "-m", "build", "--no-isolation"]
    home = str(ROOT / "packages" / "contracts")
    for arguments in (["--wheel", "--outdir", str(out / "tree"), home], ["--outdir", str(out / "sdist"), home]):
        done = subprocess.run([*build, *arguments], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    return [next((out / "tree").glob("*.whl")), next((out / "sdist").glob("*.whl"))]


def test_the_light_wheel_is_the_same_from_tree_and_sdist_and_shares_every_file_with_the_hosts(light, wheels):
    names = [{name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name} for wheel in light]
    assert names[0] == names[1]
    home = ROOT / "src" / "wekadocs_contracts"
    assert {f"wekadocs_contracts/{path.relative_to(home).as_posix()}" for path in home.rglob("*.py")} <= names[0]
    assert "wekadocs_contracts/_data/contracts/_schema/contract.schema.json" in names[0]
    host = zipfile.ZipFile(wheels[0])
    ours = zipfile.ZipFile(light[0])
    assert [name for name in names[0] if host.read(name) != ours.read(name)] == [], "both can be installed side by side"


def installed_sizes(dependencies: list[str]) -> dict[str, int]:
    """Bytes of every distribution that these need, and those in turn."""
    found: dict[str, int] = {}
    waiting = list(dependencies)
    while waiting:
        needed = Requirement(waiting.pop())
        if _normal(needed.name) not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
            installed = distribution(needed.name)
            files = [Path(file.locate()) for file in installed.files or ()]
            found[_normal(needed.name)] = sum(file.stat().st_size for file in files if file.exists())
            waiting += installed.requires or ()
    return found


def test_the_base_install_stays_below_300_mb_and_has_nothing_of_the_extras(wheels):
    host = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = installed_sizes(host["dependencies"])
    own = sum(each.file_size for each in zipfile.ZipFile(wheels[0]).infolist())
    assert sum(found.values()) + own < 300_000_000, sorted((size, name) for name, size in found.items())[-5:]
    assert not {"mkdocs", "mkdocs-material", "onnxruntime", "pypdfium2", "psycopg", "citeproc-py"} & set(found)


def test_the_light_distribution_needs_few_packages_and_no_host(light):
    wanted = tomllib.loads((ROOT / "packages" / "contracts" / "pyproject.toml").read_text("utf-8"))["project"]
    host = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(wanted["dependencies"]) <= set(host["dependencies"]), "one bound for both"
    found = installed_sizes(wanted["dependencies"])
    assert len(found) + 1 <= 15, sorted(found)
    assert not {"mcp", "numpy", "pydantic", "qdrant-client", "neo4j", "wekadocs-mcp"} & set(found)
    own = sum(each.file_size for each in zipfile.ZipFile(light[0]).infolist())
    assert sum(found.values()) + own < 40 << 20


_SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s"}}
    elif asked.get("method") == "tools/list":
        number = {"type": "integer", "maximum": int(sys.argv[1])}
        result = {"tools": [{"name": "t", "inputSchema": {"properties": {"a": number}}}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_the_light_wheel_compares_two_live_servers_where_nothing_else_is_installed(light, tmp_path):
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(light[1])], check=True, timeout=120)
    (tmp_path / "server.py").write_text(_SERVER, "utf-8")
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['mcp', 'mcp_types', 'numpy', 'pydantic', 'wekadocs_mcp']))\n"
        "import wekadocs_contracts; sys.stderr.write(wekadocs_contracts.__file__)\n"
        "from wekadocs_contracts.commands.main import main; main()"
    )
    sides = [f"stdio:{sys.executable} {tmp_path / 'server.py'} {top}" for top in (5, 4)]
    done = subprocess.run(
        [sys.executable, "-c", script, "diff", *sides, "--format", "json"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr.startswith(str(site)), done.stderr
    rows = json.loads(done.stdout)["changes"]
    assert (done.returncode, [(row["rule"], row["witness"]) for row in rows]) == (1, [("maximum-narrowed", {"a": 5})])


# Modules of distributions that come with one that is declared, which pins the version it works with.
COMES_WITH = {"grpc": "qdrant-client", "mcp_types": "mcp", "pydantic_core": "pydantic", "referencing": "jsonschema"}
COMES_WITH["backports"] = "backports-zstd"  # by name, where the interpreter has none of its own
COMES_WITH["typing_extensions"] = "pydantic"  # only type checkers look for it
COMES_WITH["sniffio"] = "sniffio"  # whether or not it is installed here
NAMED_IN_STRINGS = {"onnxruntime", "brotli", "backports", "sniffio"}  # by name, or by httpcore
ONLY_UNDER_PYTEST = {"pytest"}
TOOLS = {"dev", "docs"}  # extras of commands, which nothing imports


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def _declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [each for name, extra in project["optional-dependencies"].items() if name not in TOOLS for each in extra]
    return {_normal(re.match(r"[\w.-]+", each)[0]) for each in (*project["dependencies"], *extras)}


def _imported():
    found = set()
    for path in [*(ROOT / "src").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.partition(".")[0])
    own = {path.name for path in (*(ROOT / "src").iterdir(), *(ROOT / "plugins").glob("*/*"))}
    return found - set(sys.stdlib_module_names) - own - ONLY_UNDER_PYTEST


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    homes = packages_distributions()
    imported = {
        module: {COMES_WITH[module]} if module in COMES_WITH else {_normal(each) for each in homes.get(module, ())}
        for module in _imported() | NAMED_IN_STRINGS
    }
    declared = _declared()
    assert {module: sorted(names) for module, names in imported.items() if not names & declared} == {}
    assert declared - set().union(*imported.values()) == set()
