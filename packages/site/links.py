"""What MkDocs is told: links out of docs/ lead to the repository, code names one language, no page is left out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = "https://github.com/wekadocs/wekadocs-mcp/blob/main/"
_LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")
_FENCE = re.compile(r"^(```\w+) (?:background|clone)$", re.MULTILINE)
_ELSEWHERE = ("sample/", "reference/man/")
_SECTIONS = {"tutorial": "Tutorial", "how-to": "How to", "reference": "Reference", "explanation": "Explanation"}


def on_page_markdown(markdown: str, /, *, page: Any, **_: object) -> str:
    folder = posixpath.dirname(page.file.src_uri)

    def led(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[2]))
        if target.startswith("../"):
            return f"{found[1]}{REPOSITORY}{target.removeprefix('../')}{found[3]}"
        if target.startswith(_ELSEWHERE):
            return f"{found[1]}{REPOSITORY}docs/{target}{found[3]}"
        return found[0]

    return _FENCE.sub(r"\1", _LINK.sub(led, markdown))


def on_config(config: Any) -> Any:
    """Pages that the navigation does not name stand at the end of their section."""
    named = set(_pages(config.nav))
    sections = {name: pages for each in config.nav for name, pages in each.items()}
    for folder, title in _SECTIONS.items():
        found = sorted(Path(config.docs_dir, folder).glob("*.md"))
        sections[title] += [page for each in found if (page := f"{folder}/{each.name}") not in named]
    return config


def _pages(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for each in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from _pages(each)
