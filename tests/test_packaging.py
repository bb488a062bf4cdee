"""The wheel carries every contract and plugin, from the tree and from the sdist, and runs from another folder."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

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
        f"wekadocs_mcp/_data/{path.relative_to(ROOT)}" for path in (ROOT / "contracts").rglob("*") if path.is_file()
    }
    expected |= {"wekadocs_mcp/_data/tools.yaml", "wekadocs_mcp/_templates/tools.md.j2", "wekadocs_mcp/py.typed"}
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
