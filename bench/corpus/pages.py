"""Pages for the ingest benchmark: the sections of real pages shuffled into new ones, each with words of its own."""

from __future__ import annotations

import random
import re
from pathlib import Path

_SECTION = re.compile(r"(?m)^(?=#{1,6} )")
_WORDS = ("cluster", "backend", "volume", "snapshot", "policy", "interface", "quota", "tenant", "replica", "stripe")


def sections(folder: Path) -> list[str]:
    """What stands between the headings of all Markdown pages under the folder."""
    texts = [file.read_text("utf-8", "replace") for file in sorted(folder.rglob("*.md"))]
    found = [part.strip() for text in texts for part in _SECTION.split(text)]
    return [part for part in found if 80 < len(part) < 3_000]


def make_pages(source: Path, target: Path, count: int, size: int) -> int:
    """Write so many pages of about that many bytes; how many bytes they have in all."""
    parts, total = sections(source), 0
    for number in range(count):
        file = target / f"part-{number % 40:02d}" / f"page-{number:05d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        total += file.write_bytes(_page(parts, number, size))
    return total


def _page(parts: list[str], number: int, size: int) -> bytes:
    dice = random.Random(number)
    text = f"# {dice.choice(_WORDS).title()} {dice.choice(_WORDS)} {number}\n\n"
    while len(text) < size * 0.9:
        part = dice.choice(parts)
        if len(text) + len(part) < size * 1.2:
            # A word that only this place has, as every page has some: no two chunks are alike.
            text += f"{part}\n\nSee {dice.choice(_WORDS)}-{dice.randrange(16**5):05x} and part {number}.\n\n"
    return text.encode()
