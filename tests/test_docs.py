"""Every command in the documentation is run, every file it shows is written, every output it shows is compared."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(os.environ.get("WEKADOCS_PROGRAM") or Path(sys.executable).parent)  # scripts/first_hour.py names another
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text("utf-8")
    return [(match["info"].strip(), match["body"]) for match in BLOCK.finditer(text)]


def commands(body: str) -> list[tuple[str, str]]:
    """`$ command` with the output shown under it."""
    found: list[list[str]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif found:
            found[-1][1] += line + "\n"
    return [(command, output) for command, output in found]


def matches(shown: str, printed: str) -> bool:
    """`…` in the documentation stands for anything."""
    pattern = ".*".join(re.escape(part.strip("\n")) for part in shown.strip("\n").split("…"))
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


PAGES_WITH_COMMANDS = [page for page in PAGES if any(info.startswith("console") for info, _ in blocks(page))]


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS)
def test_what_the_page_shows_is_what_happens(page, tmp_path):
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path / "home")}
    running = []
    try:
        for info, body in blocks(page):
            title = re.search(r'title="([^"]+)"', info)
            if title:
                target = tmp_path / title[1]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, "utf-8")
            elif info == "console background":
                running.append(start(body, tmp_path, environment))
            elif info in ("console", "console clone"):  # the second: typed in a clone, which it leaves as it is
                for command, shown in commands(body):
                    done = subprocess.run(
                        ["bash", "-c", command],
                        cwd=ROOT if info == "console clone" else tmp_path,
                        env=environment,
                        capture_output=True,
                        text=True,
                        timeout=120,
                    )
                    printed = done.stderr + done.stdout
                    assert matches(shown, printed), f"{page}: $ {command}\n--- shown\n{shown}\n--- printed\n{printed}"
    finally:
        for process in running:
            process.send_signal(signal.SIGTERM)
            process.wait(10)
            process.stderr.close()


def start(body: str, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """A server the page leaves running; its first line is awaited."""
    ((command, shown),) = commands(body)
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert matches(shown, first), f"$ {command}\n--- shown\n{shown}\n--- printed\n{first}"
    return process


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCK.sub("", (ROOT / page).read_text("utf-8"))):
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


def test_every_threat_names_a_test_that_exists():
    page = (ROOT / "docs/explanation/security.md").read_text("utf-8").partition("## Campaigns")[0]
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| threat")]
    for row in rows:
        file = ""  # `…` is the file named before it in the same row
        named = re.findall(r"`((?:[\w/]+\.py|…)(?:::\w+)?)`", row.rsplit(" | ", 1)[-1])
        assert named, f"no test for: {row[:80]}"
        for each in named:
            path, _, test = each.partition("::")
            file = file if path == "…" else path
            source = ROOT / file
            assert source.is_file() and f"def {test}" in source.read_text("utf-8"), each
    assert len(rows) > 30
