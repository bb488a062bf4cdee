"""The maps for people who look for a line of code lead to files that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "explanation").glob("*.md"))]


def test_every_file_that_an_explanation_names_is_there():
    named = [
        (page.name, path)
        for page in PAGES
        for path in re.findall(r"`((?:src|plugins|tests|bench|scripts|docs)/[\w./-]+)`", page.read_text("utf-8"))
    ]
    assert len(named) > 60
    assert [each for each in named if "/." not in each[1] and not (ROOT / each[1]).exists()] == []


def test_every_room_is_on_the_map():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rooms = set()
    for row in re.findall(r"^\| (`src/[^|]+) \|", text, re.M):
        names = re.findall(r"`([\w/]+)`", row)
        home = next(name for name in names if name.startswith("src/"))
        beside = home if " with " in row else str(Path(home).parent)
        rooms |= {name if name.startswith("src/") else f"{beside}/{name}" for name in names}
    folders = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "src").glob("*/**/*.py")}
    lobbies = {"src/wekadocs_contracts", "src/wekadocs_mcp", "src/wekadocs_corpus"}  # front doors
    assert folders - lobbies == rooms


# Folders of tests that are no room's: each tries many rooms at once, or helps to.
BESIDE_THE_ROOMS = {
    "backends": "servers and models that tests start by themselves",
    "bounds": "deadlines and budgets of every tool, over all plugins",
    "typing": "plugins for mypy to read, not for Python to run",
    "wire": "real processes, asked over stdio and HTTP in both eras",
}


def test_tests_stand_in_folders_called_as_the_rooms_they_try():
    """`tests/corpus/store` is `src/wekadocs_corpus/store`, and `tests/plugins/kb` is `plugins/kb`."""
    rooms = {path.parent.relative_to(ROOT / "src") for path in (ROOT / "src").glob("*/**/*.py")}
    known = {room.as_posix().removeprefix("wekadocs_") for room in rooms} | {"plugins", *BESIDE_THE_ROOMS}
    known |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "plugins").iterdir() if path.is_dir()}
    folders = {path.parent.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").glob("*/**/*.py")}
    assert folders - known == set(), "no room is called so, and BESIDE_THE_ROOMS gives no reason"
    assert set(BESIDE_THE_ROOMS) <= folders


def test_no_test_file_is_too_long_to_find_a_test_in():
    files = [*(ROOT / "tests").rglob("*.py")]
    assert {file.name: lines for file in files if (lines := len(file.read_text("utf-8").splitlines())) > 500} == {}
