"""PDF pages a second beside the extractor alone: what order, paragraphs, headings and the page map cost.

    python bench/corpus/pdf.py [FOLDER]

CPU seconds in one process, taken in turns. FOLDER holds your own PDF files; else pages are made.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))

import pypdfium2
from made_pdf import lines, pdf

from wekadocs_corpus.documents import Unreadable, read_document

PAGES, ROUNDS = 60, 5
WORDS = "Entities encapsulate the critical rules of an enterprise and change the least of all, says line"


def made() -> dict[str, bytes]:
    one = lines(*[f"{WORDS} {n}." for n in range(45)])
    left = lines(*[f"{WORDS[:44]} {n}." for n in range(45)], x=60, size=9)
    right = lines(*[f"{WORDS[:44]} {n}." for n in range(45)], x=320, size=9)
    cells = [(72 + 120 * x, 700 - 14 * y, 11, f"cell {x} {y}") for y in range(40) for x in range(4)]
    return {
        "one column": pdf(*[one] * PAGES),
        "two columns": pdf(*[left + right] * PAGES),
        "table": pdf(*[cells] * PAGES),
    }


def extracted(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    for page in document:
        page.get_textpage().get_text_range()
    return len(document)


def read(data: bytes) -> int:
    try:
        return read_document("a.pdf", data, "id").pages
    except Unreadable:
        return 0


def seconds(work: Callable[[bytes], int], files: Sequence[bytes]) -> float:
    began = time.process_time()
    for data in files:
        work(data)
    return time.process_time() - began


def measured(name: str, files: Sequence[bytes]) -> None:
    pages = sum(extracted(data) for data in files)
    rounds = [(seconds(extracted, files), seconds(read, files)) for _ in range(ROUNDS)]
    bare, ours = min(bare for bare, _ in rounds), min(ours for _, ours in rounds)
    rates = f"extractor {pages / bare:>7,.0f}/s   read {pages / ours:>7,.0f}/s"
    print(f"{name:<12} {pages:>6,} pages   {rates}   {ours / bare:.1f} x")


def main() -> None:
    if len(sys.argv) > 1:
        measured(sys.argv[1], [each.read_bytes() for each in sorted(Path(sys.argv[1]).rglob("*.pdf"))])
        return
    for name, data in made().items():
        measured(name, [data])


if __name__ == "__main__":
    main()
