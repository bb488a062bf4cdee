"""The default model: a vector per word, summed. No network, no threads, the same numbers on every platform."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wekadocs_corpus.lexical.stop_words import STOP_WORDS

from .interface import Profile
from .profiles import STATIC

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DATA = Path(__file__).parent / "data"
CACHED_WORDS = 100_000
PORTION = 4096  # words summed at once: bounds memory for a text of any length
LONGEST_WORD = 48  # longer ones are blobs; splitting them into tokens takes time and says nothing
LONGEST_TITLE = 200  # characters; a longer first line is a paragraph
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


class StaticEmbedder:
    """Words become token rows once; a text is the sum of its words' rows, brought to length 1."""

    profile: Profile = STATIC
    instant = True  # a question takes less time than handing it to a thread

    def __init__(self, folder: Path = DATA) -> None:
        self._tokenizer = _tokenizer(folder / "static_tokenizer.json")
        self._rows = np.load(folder / "static_rows.npy", mmap_mode="r")
        self._scales = np.load(folder / "static_scales.npy")
        self._tokens: dict[str, list[int]] = {}

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._embedded([_words(text) + _title_words(text) for text in texts])

    def embed_query(self, text: str) -> np.ndarray:
        row: np.ndarray = self._embedded([_words(text)])[0]
        return row

    def embed_words(self, words: Sequence[str]) -> np.ndarray:
        """A row for each single word, as it counts in a text; many at once."""
        tokens = [ids or [0] for ids in self._learnt(list(words)).values()]
        flat = np.fromiter(chain.from_iterable(tokens), np.intp)
        starts = np.cumsum([0, *map(len, tokens[:-1])])
        return _normalised(np.add.reduceat(self._rows[flat] * self._scales[flat, None], starts))

    def _embedded(self, texts: list[list[str]]) -> np.ndarray:
        pooled = np.zeros((len(texts), self.profile.dimension), dtype=np.float32)
        for place, words in enumerate(texts):
            for at in range(0, len(words), PORTION):
                pooled[place] += self._sum(words[at : at + PORTION])
        return _normalised(pooled)

    def _sum(self, words: list[str]) -> np.ndarray:
        if len(self._tokens) > CACHED_WORDS:
            self._tokens = {}  # a new one, not an emptied one: another thread may be reading it
        known = self._tokens
        missing = [word for word in words if word not in known]
        if missing:
            known.update(self._learnt(missing))
        ids = np.array([token for word in words for token in known[word]], dtype=np.intp)
        total: np.ndarray = self._scales[ids] @ self._rows[ids].astype(np.float32)
        return total

    def _learnt(self, words: list[str]) -> dict[str, list[int]]:
        """Each word as written and in small letters: the model tells them apart, most askers do not."""
        forms = list({form for word in words for form in (word, word.lower())})
        encodings = self._tokenizer.encode_batch_fast(forms, add_special_tokens=False)
        ids = {form: encoding.ids for form, encoding in zip(forms, encodings, strict=True)}
        return {word: ids[word] + ids[word.lower()] for word in words}


@cache
def _tokenizer(path: Path) -> Tokenizer:
    # Batches here are a few words: threads would cost more than they bring, and worker processes fork.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(path))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


def _words(text: str) -> list[str]:
    if text.isupper():
        text = text.lower()
    found = [word[:LONGEST_WORD] for word in WORD.findall(CAMEL.sub(" ", text))]
    return [word for word in found if word.lower() not in STOP_WORDS] or found


def _title_words(text: str) -> list[str]:
    """The first line once more: it names the document, and a sum over a long text would drown it."""
    first, rest = text.partition("\n")[::2]
    return _words(first) if rest and len(first) <= LONGEST_TITLE else []


def _normalised(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(rows / lengths, dtype=np.float32)
