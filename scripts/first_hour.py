"""A new user's first hour: `python scripts/first_hour.py [--pages README.md docs/how-to/…]`.

In an empty home it clones this repository, sets an environment up from the package cache, asks the first question and
tells how long that took and how large the installation is; then it does what README and every tutorial and how-to say,
page by page. Exit 1 where a page shows something else than what happens, or where a bound is passed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 60  # from `git clone` to the first cited answer, with a warm package cache
MOST_BYTES = 300_000_000  # of the base install: what pip brings, without extras
QUESTION = "How do I mount a filesystem?"
CITED = re.compile(r"^   filesystems/mount\.md#\S+ · lines? ", re.MULTILINE)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", nargs="*", help="only these; none: README, every tutorial and how-to")
    arguments.add_argument("--python", default=sys.executable)
    wanted = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-hour-") as folder:
        home = Path(folder, "home")
        home.mkdir()
        program = begin(home, wanted.python)
        add_extras(home)
        wrong = [page for page in (pages() if wanted.pages is None else wanted.pages) if not walked(page, program)]
    print(f"{len(wrong)} pages show something else than what happens: {', '.join(wrong)}" if wrong else "all as shown")
    return bool(wrong)


def begin(home: Path, python: str) -> Path:
    """`git clone`, install, ask; the folder that the program is in."""
    began = time.monotonic()
    step("git", "clone", "--quiet", str(ROOT), str(home / "wekadocs-mcp"), home=home)
    clone, environment = home / "wekadocs-mcp", home / "environment"
    cloned = time.monotonic()
    install(python, clone, environment, home)
    installed = time.monotonic()
    program = environment / ("Scripts" if os.name == "nt" else "bin")
    answer = step(str(program / "wekadocs-mcp"), "ask", "--sample", QUESTION, "-n", "1", home=home)
    answered = time.monotonic()
    if not CITED.search(answer):
        raise SystemExit(f"no cited answer:\n{answer}")
    told(began, cloned, installed, answered, size(environment))
    return program


def told(began: float, cloned: float, installed: float, answered: float, taken: int) -> None:
    parts = f"clone {cloned - began:.1f}, install {installed - cloned:.1f}, first answer {answered - installed:.1f}"
    print(f"from git clone to the first cited answer: {answered - began:.1f} s ({parts}); at most {MOST_SECONDS}")
    print(f"of which its programs computed {computed():.0f} s: more shows how busy this machine is")
    print(f"base install: {taken / 1e6:.0f} MB; at most {MOST_BYTES / 1e6:.0f}")
    if answered - began > MOST_SECONDS or taken > MOST_BYTES:
        raise SystemExit("that is too much")


def computed() -> float:
    """CPU time of what was started so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def install(python: str, clone: Path, environment: Path, home: Path) -> None:
    """By uv where it is, else by pip; what has been downloaded before is taken from their caches."""
    uv = shutil.which("uv")
    step(*([uv, "venv", "--quiet", "--python", python] if uv else [python, "-m", "venv"]), str(environment), home=home)
    install_into(environment, clone, str(clone), home)


def install_into(environment: Path, clone: Path, what: str, home: Path) -> None:
    uv = shutil.which("uv")
    pins = ["-c", str(clone / "requirements.lock"), what]
    if uv:
        step(uv, "pip", "install", "--quiet", "--python", str(environment), *pins, home=home)
    else:
        step(str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *pins, home=home)


def add_extras(home: Path) -> None:
    """What some pages tell to install beside the base: PDF, bibliographies, packed pages."""
    clone, environment = home / "wekadocs-mcp", home / "environment"
    install_into(environment, clone, f"{clone}[documents,chunks,web]", home)


def size(environment: Path) -> int:
    """Of all files, links not followed."""
    return sum(file.lstat().st_size for file in environment.rglob("*") if not file.is_symlink())


def step(*command: str, home: Path) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEKADOCS_", "MCP_", "XDG_"))}
    caches = {"UV_CACHE_DIR": Path.home() / ".cache" / "uv", "PIP_CACHE_DIR": Path.home() / ".cache" / "pip"}
    own = {**{name: str(where) for name, where in caches.items()}, **kept, "HOME": str(home)}
    done = subprocess.run(command, cwd=home, env=own, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"$ {' '.join(command)}\n{done.stderr}{done.stdout}")
    return done.stdout


def pages() -> Iterator[str]:
    yield "README.md"
    for folder in ("tutorial", "how-to"):
        yield from sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs" / folder).glob("*.md"))


def walked(page: str, program: Path) -> bool:
    """As tests/test_docs.py does it, with the program that was just installed."""
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/test_docs.py", "-k", page]
    environment = {**os.environ, "WEKADOCS_PROGRAM": str(program)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    fine = done.returncode in (0, 5)  # 5: the page shows no command
    print(f"{'ok' if fine else 'WRONG':6} {time.monotonic() - began:6.1f} s  {page}", flush=True)
    if not fine:
        print(done.stdout[-3000:])
    return fine


if __name__ == "__main__":
    sys.exit(main())
