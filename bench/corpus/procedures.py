"""Are a procedure's steps inside the quotes? python bench/corpus/procedures.py DATA [DATA ...]

DATA are data directories. Every section of them whose heading begins with a verb and that has two to twelve numbered
steps is asked for: "How do I <heading>?". Printed is which share of its first five steps begins in the quotes of its
page, whether the first one does, whether the page is quoted at all, and what a model reads.
"""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_corpus.store.writing.packing import unpack_text
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration

MOST, STEPS, BEGINS = 60, 5, 40  # sections of a corpus, steps of one, characters of a step
HEADING = re.compile(r"^(#{1,5}) +(.+?)\s*#*\s*$", re.M)
STEP = re.compile(r"^ {0,3}\d+[.)] +(.+)$", re.M)
MARKS = re.compile(r"[`*\[]|\]\([^)]*\)|\{#.*\}|^\d+[.)] *")
VERBS = re.compile(
    r"(?:add|attach|back|build|change|check|configure|connect|convert|copy|create|define|delete|deploy|detach|disable"
    r"|download|edit|enable|enforce|export|find|force|generate|get|import|install|integrate|join|list|log|manage"
    r"|migrate|modify|mount|move|obtain|open|perform|prepare|publish|register|remove|rename|replace|reset|resize"
    r"|restart|restore|run|save|schedule|select|send|set|show|start|stop|switch|test|undo|uninstall|unmount|update"
    r"|upgrade|upload|use|validate|verify|view|write)\b .",
    re.I,
)


def procedures(data: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Question, path and first steps."""
    stored = sqlite3.connect(data / "corpus.db").execute("SELECT path, text FROM documents ORDER BY path")
    for path, packed in stored:
        text = unpack_text(packed)
        headings = list(HEADING.finditer(text))
        for at, heading in enumerate(headings):
            title = MARKS.sub("", heading[2]).strip()
            level, later = len(heading[1]), headings[at + 1 :]
            end = next((each.start() for each in later if len(each[1]) <= level), len(text))
            steps = [step[1].strip() for step in STEP.finditer(text, heading.end(), end)]
            if VERBS.match(title) and 2 <= len(steps) <= 12:
                yield f"How do I {title[0].lower()}{title[1:]}?", path, steps[:STEPS]


async def main() -> None:
    for data in map(Path, sys.argv[1:]):
        found = list({each[0]: each for each in procedures(data)}.values())
        app = App.build(configuration.load(None, data))
        rows = [await asked(app, *each) for each in random.Random(1).sample(found, min(MOST, len(found)))]
        if rows:
            steps, first, page, cost = (fmean(column) for column in zip(*rows, strict=True))
            told = f"steps {steps:.3f}  first {first:.3f}  page {page:.3f}  tokens {cost:.0f}"
            print(f"{data.name:20} {len(rows):3}  {told}", flush=True)


async def asked(app: Any, question: str, path: str, steps: list[str]) -> tuple[float, ...]:
    answer = await app.dispatcher.call("kb.retrieve_evidence", {"question": question}, Caller(session="bench"))
    own = "\n".join(row["quote"] for row in answer.data["quotes"] if row["path"] == path)
    there = [step[:BEGINS] in own for step in steps]
    return fmean(there), there[0], bool(own), tokens.count(answer.content[0]["text"])


asyncio.run(main())
