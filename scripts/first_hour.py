"""A new user's first hour: `python scripts/first_hour.py [--pages README.md docs/how-to/…]`.

In an empty home it clones this repository, sets an environment up from the package cache, asks the first question and
tells how long that took and how large the installation is; then it does what README and every tutorial and how-to say,
page by page, each in a home of its own: console blocks are compared with what is printed, lines for shells (`sh`,
`powershell`) must succeed; what needs a service that is not here is listed with its reason. Exit 1 where a page shows
something else than what happens, or where a bound is passed.
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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from page_walk import ConsoleWalk, SomethingElse, blocks, with_program
from shell_blocks import ShellWalk

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
        program, within = begin(home, wanted.python)
        add_extras(home)
        walks = [walked(page, home, program) for page in (pages() if wanted.pages is None else wanted.pages)]
    wrong = [walk.page for walk in walks if walk.wrong]
    left_out = [(walk.page, *each) for walk in walks for each in walk.left_out]
    print(
        f"{len(walks)} pages, {sum(walk.ran for walk in walks)} blocks and lines done, {len(left_out)} lines left out:"
    )
    for page, line, reason in left_out:
        print(f"  {page}: {reason}: {line}")
    print(f"{len(wrong)} pages show something else than what happens: {', '.join(wrong)}" if wrong else "all as shown")
    if not within:
        print("the first answer took too long, or the installation is too large")
    return bool(wrong) or not within


def begin(home: Path, python: str) -> tuple[Path, bool]:
    """`git clone`, install, ask; the folder that the program is in, and whether it was soon enough."""
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
    return program, told(began, cloned, installed, answered, size(environment))


def told(began: float, cloned: float, installed: float, answered: float, taken: int) -> bool:
    """Whether it is within its bounds."""
    parts = f"clone {cloned - began:.1f}, install {installed - cloned:.1f}, first answer {answered - installed:.1f}"
    print(f"from git clone to the first cited answer: {answered - began:.1f} s ({parts}); at most {MOST_SECONDS}")
    print(f"of which its programs computed {computed():.0f} s: more shows how busy this machine is")
    print(f"base install: {taken / 1e6:.0f} MB; at most {MOST_BYTES / 1e6:.0f}")
    return answered - began <= MOST_SECONDS and taken <= MOST_BYTES


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
    own = {**caches(), **without_ours(os.environ), "HOME": str(home)}
    done = subprocess.run(command, cwd=home, env=own, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"$ {' '.join(command)}\n{done.stderr}{done.stdout}")
    return done.stdout


def without_ours(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith(("WEKADOCS_", "MCP_", "XDG_"))}


def caches() -> dict[str, str]:
    """The package cache is warm: it is the one of whoever runs this."""
    return {f"{name.upper()}_CACHE_DIR": str(Path.home() / ".cache" / name) for name in ("uv", "pip")}


def pages() -> Iterator[str]:
    yield "README.md"
    for folder in ("tutorial", "how-to"):
        yield from sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs" / folder).glob("*.md"))


@dataclass
class Walked:
    page: str
    ran: int  # console blocks and files, and lines of shells
    left_out: list[tuple[str, str]]
    wrong: str


def walked(page: str, home: Path, program: Path) -> Walked:
    began = time.monotonic()
    own = home / "pages" / page.replace("/", "-")
    for each in ("home", "shell"):  # who does a page's shell blocks has its documents apart from the console's
        (own / each).mkdir(parents=True)
    environment = without_ours(with_program(program, own / "home")) | caches()
    shell = ShellWalk(own / "shell" / "work", ROOT, environment | {"HOME": str(own / "shell")})
    ran, wrong = 0, ""
    with ConsoleWalk(own, home / "wekadocs-mcp", environment).begun() as console:
        try:
            for info, body in blocks(ROOT / page):
                ran += console.do(info, body)
                shell.do(info, body)
        except (SomethingElse, subprocess.TimeoutExpired) as error:
            wrong = str(error)
    done = Walked(page, ran + shell.ran, shell.left_out, wrong)
    print(f"{'WRONG' if wrong else 'ok':6} {time.monotonic() - began:6.1f} s {done.ran:4} done  {page}", flush=True)
    if wrong:
        print(wrong)
    shutil.rmtree(own, ignore_errors=True)
    return done


if __name__ == "__main__":
    sys.exit(main())
