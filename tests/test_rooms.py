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
