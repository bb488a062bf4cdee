"""The official MCP conformance suite, against the real console script over HTTP.

Node 22 and the suite come from npm into `.node/` (or `$WEKADOCS_NODE`) and are reused from there.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

NODE = "22.23.3"
SUITE = "0.2.0-alpha.12"
ROOT = Path(__file__).resolve().parents[3]
CACHE = Path(os.environ.get("WEKADOCS_NODE") or ROOT / ".node")
PACKAGES = CACHE / "node_modules"
CONFORMANCE = PACKAGES / "@modelcontextprotocol" / "conformance"
INSTALLED = CACHE / "installed.txt"  # what npm went through with
NODE_BINARY = PACKAGES / "node" / "bin" / ("node.exe" if sys.platform == "win32" else "node")
COMMAND = Path(sys.executable).with_name("wekadocs-mcp.exe" if sys.platform == "win32" else "wekadocs-mcp")


@pytest.mark.node
def test_the_official_suite_passes_for_2025_11_25(suite: list[str], server: str, tmp_path: Path) -> None:
    assert passed(suite, server, "2025-11-25", tmp_path) == (30, 30)


@pytest.mark.node
def test_the_official_suite_passes_for_2026_07_28(suite: list[str], server: str, tmp_path: Path) -> None:
    assert passed(suite, server, "2026-07-28", tmp_path) == (37, 37)
    # The Tasks extension is beside what is required; the suite itself skips its notifications.
    tasks = {each.name[7:].rpartition("-2026")[0] for each in tmp_path.glob("server-tasks-*")}
    assert len(tasks) == 10
    assert {each: why for each in tasks - {"tasks-status-notifications"} if (why := verdict(tmp_path, each))} == {}


def test_the_fixtures_are_off_until_they_are_enabled(environment: dict[str, str]) -> None:
    assert "test_simple_text" not in listed_tools(environment)
    assert "test_simple_text" in listed_tools(environment, "--enable", "conformance")


def passed(suite: list[str], url: str, revision: str, results: Path) -> tuple[int, int]:
    """How many of the required scenarios passed, and how many there are. The suite's extras do not count."""
    command = [*suite, "server", "--url", url, "--requirements", revision, "-o", str(results)]
    run = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=300)
    requirements = CONFORMANCE / "requirements" / f"{revision}.yaml"
    required = yaml.safe_load(requirements.read_text("utf-8"))["server"]
    verdicts = {scenario: verdict(results, scenario) for scenario in required}
    for scenario, why in verdicts.items():
        if why:
            print(f"{scenario}: {why}")
    assert run.returncode == 0, run.stdout + run.stderr
    return list(verdicts.values()).count(""), len(required)


def verdict(results: Path, scenario: str) -> str:
    """Why a scenario did not pass, or nothing. A warning, which the suite forgives, is a reason too."""
    files = [each / "checks.json" for each in results.glob(f"server-{scenario}-20*")]
    checks = [check for file in files for check in json.loads(file.read_text("utf-8"))]
    if not any(check["status"] == "SUCCESS" for check in checks):
        return "no check passed"
    bad = [check for check in checks if check["status"] in ("FAILURE", "WARNING")]
    return "; ".join(f"{check['id']}: {check.get('errorMessage')}" for check in bad)


def listed_tools(environment: dict[str, str], *options: str) -> set[str]:
    command = [COMMAND, "tools", "--json", *options]
    run = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
    return {tool["name"] for tool in json.loads(run.stdout)["tools"]}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """This process's environment, without the settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MCP_", "WEKADOCS_"))}
    folder = tmp_path_factory.mktemp("conformance")
    return {**kept, "WEKADOCS_DATA": str(folder / "data"), "WEKADOCS_CACHE": str(folder / "cache")}


@pytest.fixture(scope="module")
def server(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "stderr.txt"
    command = [COMMAND, "serve", "--transport", "http", "--port", str(port), "--enable", "conformance"]
    with log.open("wb") as stderr, subprocess.Popen(command, env=environment, stderr=stderr) as process:
        try:
            wait_until_healthy(process, f"http://127.0.0.1:{port}/healthz", log)
            yield f"http://127.0.0.1:{port}/_mcp"
        finally:
            process.terminate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until_healthy(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while not is_healthy(url):
        try:
            process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            assert time.monotonic() < deadline, f"the server does not answer:\n{log.read_text('utf-8')}"
        else:
            pytest.fail(f"the server ended:\n{log.read_text('utf-8')}")


def is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="module")
def suite() -> list[str]:
    """The command that runs the suite, installed if need be."""
    if not is_installed():
        reason = install()
        if reason and os.environ.get("CI"):
            pytest.fail(f"Node {NODE} and the conformance suite could not be installed from npm: {reason}")
        if reason:
            pytest.skip(f"Node {NODE} and the conformance suite could not be installed from npm: {reason}")
    return [str(NODE_BINARY), str(CONFORMANCE / "dist" / "index.js")]


def is_installed() -> bool:
    """As a whole: npm that was stopped on its way leaves half of it behind."""
    whole = INSTALLED.is_file() and INSTALLED.read_text("utf-8") == f"{NODE} {SUITE}"
    return whole and NODE_BINARY.is_file() and version(PACKAGES / "node") == NODE and version(CONFORMANCE) == SUITE


def version(package: Path) -> str | None:
    manifest = package / "package.json"
    return str(json.loads(manifest.read_text("utf-8"))["version"]) if manifest.is_file() else None


def install() -> str | None:
    """Install both from npm; returns why that failed, in one line."""
    npm = shutil.which("npm")
    if npm is None:
        return "there is no npm on the PATH"
    CACHE.mkdir(parents=True, exist_ok=True)
    options = ["--prefix", str(CACHE), "--save-exact", "--no-audit", "--no-fund", "--fetch-retries=1"]
    packages = [f"node@{NODE}", f"@modelcontextprotocol/conformance@{SUITE}"]
    command = [npm, "install", *options, *packages]
    for _ in range(2):  # npm's cache is shared with whoever else installs just now
        shutil.rmtree(PACKAGES, ignore_errors=True)
        try:
            run = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=300)
        except subprocess.TimeoutExpired:
            return "npm install took more than five minutes"
        if run.returncode == 0:
            INSTALLED.write_text(f"{NODE} {SUITE}", "utf-8")
            if is_installed():
                return None
    errors = [line for line in run.stderr.splitlines() if line.startswith("npm error")]
    return errors[0] if errors else f"npm install ended with {run.returncode} and without Node's binary"
