"""The default model: a vector per word, summed. No network, no threads, the same numbers on every platform."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import log
from pathlib import Path

import numpy as np

from wekadocs_corpus.tuning.stop_words import STOP_WORDS

from .interface import Profile
from .pieces import Pieces
from .profiles import STATIC

DATA = Path(__file__).parent / "data"
CACHED_WORDS = 32_000  # a kilobyte each
PORTION = 4096  # words summed at once: bounds memory for a text of any length
LONGEST_WORD = 48  # longer ones are blobs; splitting them into tokens takes time and says nothing
WORD_DIMENSION = 64  # of words alone: the model was trained so that its first numbers are a smaller model
_IN_THIS_THREAD = 250_000  # products in one call: with more BLAS starts threads, which wait for each other when busy
_BYTES = 259  # the first tokens are bytes and marks
LONGEST_TITLE = 200  # characters; a longer first line is a paragraph
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]{{1,1000}}")  # no word is larger: what is learned is remembered


class StaticEmbedder:
    """Words become vectors once; a text is the sum of its words' vectors, brought to length 1."""

    profile: Profile = STATIC
    instant = True  # a question takes less time than handing it to a thread

    def __init__(self, folder: Path = DATA) -> None:
        self._folder = folder
        self._vocabulary = Vocabulary(folder)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._embedded([_words(text) + _title_words(text) for text in texts])

    def embed_query(self, text: str) -> np.ndarray:
        row: np.ndarray = self._embedded([_words(text)])[0]
        return row

    def embed_words(self, words: Sequence[str]) -> np.ndarray:
        """A short row for each single word in small letters, as it counts in a text; many at once."""
        return normalised(self._vocabulary.single(words))

    def learned(self, words: set[str]) -> Vocabulary:
        vocabulary = self._vocabulary
        if len(vocabulary) > CACHED_WORDS:
            vocabulary = self._vocabulary = Vocabulary(self._folder)  # another thread may be using the old one
        vocabulary.learn(words)
        return vocabulary

    def _embedded(self, texts: list[list[str]]) -> np.ndarray:
        vocabulary = self.learned(set().union(*texts))
        pooled = np.zeros((len(texts), self.profile.dimension), dtype=np.float32)
        for place, words in enumerate(texts):
            for at in range(0, len(words), PORTION):
                pooled[place] += vocabulary.vectors(words[at : at + PORTION]).sum(axis=0)
        return normalised(pooled)


class Vocabulary:
    """The vectors of the words seen so far. What stop words are worth is kept, and shows when nothing else is there."""

    def __init__(self, folder: Path) -> None:
        self._pieces = Pieces(folder)
        self._rows, self._scales = _weights(folder)
        self._places: dict[str, int] = {}
        self._stop_words: set[int] = set()
        self._matrix = np.zeros((0, self._rows.shape[1]), dtype=np.float32)
        self._learning = threading.Lock()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, word: str) -> bool:
        """Whether it is one token."""
        return self._pieces.number(word) is not None

    def rarity(self, word: str) -> float:
        """From 0 for the most frequent words, which the tokenizer learned first, to 1 for those that are no token."""
        place = self._pieces.number(word)
        return 1.0 if place is None else max(0.0, log(place / _BYTES, self._rows.shape[0] / _BYTES))

    def learn(self, words: set[str]) -> None:
        """To be called before their vectors are asked for."""
        if not self._places.keys() >= words:
            with self._learning:
                new = [word for word in words if word not in self._places]
                if new:  # another thread may have learned them all meanwhile
                    self._learn(new)

    def vectors(self, words: list[str]) -> np.ndarray:
        """A row per word, without stop words unless there is nothing else."""
        places = list(map(self._places.__getitem__, words))
        telling = [place for place in places if place not in self._stop_words]
        found: np.ndarray = self._matrix.take(telling or places, axis=0)
        return found

    def places(self, words: Sequence[str]) -> np.ndarray:
        """Of words that were learned."""
        return np.fromiter(map(self._places.__getitem__, words), np.intp, len(words))

    def rows(self, places: np.ndarray) -> np.ndarray:
        """A row for each, stop words or not."""
        found: np.ndarray = self._matrix.take(places, axis=0)
        return found

    def tell(self, places: np.ndarray) -> np.ndarray:
        """1 for each, 0 for stop words."""
        stop_words = self._stop_words
        return np.fromiter((place not in stop_words for place in places.tolist()), np.float32, len(places))

    def single(self, words: Sequence[str]) -> np.ndarray:
        """A row per word as it is, not remembered: whoever asks for so many has a memory of his own."""
        ids = np.array(self._pieces.of_words(words), np.intp)
        begun = np.flatnonzero(self._pieces.begins[ids])
        found: np.ndarray = np.add.reduceat(self._rows[ids, :WORD_DIMENSION] * self._scales[ids, None], begun)
        return found

    def lengths(self, words: Sequence[str]) -> list[float]:
        """How long the vector of each word is."""
        found: list[float] = np.linalg.norm(self._summed([(word[:LONGEST_WORD],) for word in words]), axis=1).tolist()
        return found

    def _learn(self, words: list[str]) -> None:
        """Parts of a camelCase word count each for itself."""
        parts = [[part[:LONGEST_WORD] for part in CAMEL.split(word)] for word in words]
        telling = [[part for part in each if part.lower() not in STOP_WORDS] for each in parts]
        first = len(self._places)
        self._reserve(first + len(words))
        # Each part as written and in small letters: the model tells them apart, most askers do not.
        counted = [some or each for some, each in zip(telling, parts, strict=True)]
        forms = [[form for part in each for form in (part, part.lower())] for each in counted]
        self._matrix[first : first + len(words)] = self._summed(forms)
        self._stop_words |= {first + number for number, some in enumerate(telling) if not some}
        self._places.update(zip(words, range(first, first + len(words)), strict=True))

    def _summed(self, words: Sequence[Sequence[str]]) -> np.ndarray:
        """A row for each list of forms: the sum of their tokens' rows."""
        tokens = self._pieces.of(set(chain.from_iterable(words)))
        ids = [list(chain.from_iterable(map(tokens.__getitem__, forms))) or [0] for forms in words]
        flat = np.fromiter(chain.from_iterable(ids), np.intp)
        starts = np.cumsum([0, *map(len, ids[:-1])])
        found: np.ndarray = np.add.reduceat(self._rows[flat] * self._scales[flat, None], starts)
        return found

    def _reserve(self, rows: int) -> None:
        """Twice as many as needed at a time; whoever holds the old matrix has all the rows it knows of."""
        if rows > len(self._matrix):
            larger = np.zeros((2 * rows, self._matrix.shape[1]), dtype=np.float32)
            larger[: len(self._matrix)] = self._matrix
            self._matrix = larger


@cache
def _weights(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    # Plain arrays over the mapped file: numpy's own class for it makes every access slow.
    return np.asarray(np.load(folder / "static_rows.npy", mmap_mode="r")), np.load(folder / "static_scales.npy")


def _words(text: str) -> list[str]:
    if text.isupper():
        text = text.lower()
    return WORD.findall(text)


def _title_words(text: str) -> list[str]:
    """The first line once more: it names the document, and a sum over a long text would drown it."""
    first, rest = text.partition("\n")[::2]
    return _words(first) if rest and len(first) <= LONGEST_TITLE else []


def products(wanted: np.ndarray, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    """A row for each of those that are wanted, with all that have a place."""
    step = max(1, _IN_THIS_THREAD // wanted.size)
    parts = [wanted @ rows[places[at : at + step]].T for at in range(0, len(places), step)]
    return np.concatenate(parts, axis=1)


def normalised(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(rows / lengths, dtype=np.float32)
