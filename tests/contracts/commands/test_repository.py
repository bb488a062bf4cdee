"""`contracts new --repository`: what it writes passes its own checks as soon as it is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

BIN = Path(sys.executable).parent


def new(folder, *arguments):
    command = [BIN / "wekadocs-mcp", "contracts", "new", *arguments, "--into", folder]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_repository_passes_everything_its_own_ci_checks(tmp_path):
    assert new(tmp_path, "--repository", "acme-tools").returncode == 0
    repository, site = tmp_path / "acme-tools", tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", site]
    subprocess.run([*pip, repository], check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(site), "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    checked = subprocess.run(["make", "check"], cwd=repository, env=environment, capture_output=True, text=True)
    assert checked.returncode == 0 and "2 passed" in checked.stdout, checked.stdout + checked.stderr
    jobs = yaml.safe_load((repository / ".github" / "workflows" / "ci.yml").read_text("utf-8"))["jobs"]
    assert jobs["contracts"]["steps"][-1]["with"]["head"] == "src/acme_tools/contracts"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--repository", "../up"], "small letters"),
        (["--repository", "Acme"], "small letters"),
        (["hello", "--repository", "acme"], "namespaced"),
        ([], "Name the tool"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_written(tmp_path, arguments, told):
    refused = new(tmp_path, *arguments)
    assert refused.returncode != 0 and told in refused.stderr
    assert [*tmp_path.iterdir()] == []


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "acme").mkdir()
    assert "exists already" in new(tmp_path, "--repository", "acme").stderr
