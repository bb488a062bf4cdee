"""What a plain server returns: the best chunks of 1,500 characters by BM25."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

SIZE = 1500
_K, _B = 1.2, 0.75
_WORD = re.compile(r"[^\W_]+")
_READ = {".md", ".markdown", ".mdx", ".rst", ".html", ".htm", ".adoc", ".txt", ".ipynb", ".qmd"}


class Chunks:
    """The files of a folder as they are, cut at line ends."""

    def __init__(self, folder: Path) -> None:
        files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _READ and path.is_file())
        self.texts = [chunk for path in files for chunk in _cut(path.read_text("utf-8", "replace"))]
        self._counts = [Counter(_words(text)) for text in self.texts]
        self._sizes = [sum(each.values()) for each in self._counts]
        self._having = Counter(word for each in self._counts for word in each)
        self._mean = sum(self._sizes) / max(1, len(self._sizes))

    def best(self, question: str, most: int) -> list[str]:
        words = set(_words(question))
        scores = [self._score(words, place) for place in range(len(self.texts))]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return [self.texts[place] for place in order[:most]]

    def _score(self, words: set[str], place: int) -> float:
        counts, size = self._counts[place], _K * (1 - _B + _B * self._sizes[place] / self._mean)
        return sum(self._idf(word) * counts[word] * (_K + 1) / (counts[word] + size) for word in words & counts.keys())

    def _idf(self, word: str) -> float:
        having = self._having[word]
        return math.log(1 + (len(self.texts) - having + 0.5) / (having + 0.5))


def _words(text: str) -> Sequence[str]:
    return _WORD.findall(text.lower())


def _cut(text: str) -> Iterator[str]:
    taken = ""
    for line in text.splitlines(keepends=True):
        if taken and len(taken) + len(line) > SIZE:
            yield taken
            taken = ""
        taken += line
    if taken.strip():
        yield taken
