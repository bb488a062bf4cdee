"""Words cut into the static model's tokens: a few of them here, in a moment; many by the `tokenizers` library, which
takes as long to load as the rest of a first question. Both cut alike."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SPACE = "\u2581"
_A_FEW = 1000  # forms of words, all in all: from then on the library is worth its loading
_BETWEEN = "\0"  # two tokens in the file of their names, which are ordered by their numbers


class Pieces:
    """Of one model. Used by whoever has its turn; to load the library twice would cost time and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names, self._numbers = _tokens(folder / "static_tokens.bin")
        self._cut = 0

    def number(self, word: str) -> int | None:
        """Of a word that is one token."""
        return self._numbers.get(_SPACE + word)

    @cached_property
    def begins(self) -> np.ndarray:
        """Which tokens begin a word: what a space is to this tokenizer is part of the token after it."""
        return np.array([name.startswith(_SPACE) for name in self._names])

    def of(self, forms: Collection[str]) -> dict[str, list[int]]:
        """The tokens of each form of a word."""
        found: dict[str, list[int]] = {}
        self._cut += len(forms)
        if self._cut <= _A_FEW:
            found = {form: tokens for form in forms if (tokens := self._by_hand(form)) is not None}
        left = [form for form in forms if form not in found]
        encodings = self.library.encode_batch_fast(left, add_special_tokens=False) if left else ()
        return found | {form: each.ids for form, each in zip(left, encodings, strict=True)}

    def of_words(self, words: Sequence[str]) -> list[int]:
        """The tokens of all of them, in one row."""
        ids: list[int] = self.library.encode_batch_fast([" ".join(words)], add_special_tokens=False)[0].ids
        return ids

    @cached_property
    def library(self) -> Tokenizer:
        return _library(self._folder / "static_tokenizer.json")

    def _by_hand(self, form: str) -> list[int] | None:
        """Of two neighbours whose joint token is the most frequent one, again and again; None where that is not all.

        Tokens are numbered by how frequent they are, but for those of several spaces, which a word has not.
        """
        if not form.isalnum():
            return None
        parts = [part for letter in _SPACE + form for part in self._letter(letter)]
        while True:
            joint = [self._numbers.get(a + b) for a, b in pairwise(parts)]
            known = [number for number in joint if number is not None]
            if not known:
                return [self._numbers[part] for part in parts]
            at = joint.index(best := min(known))
            # One token that could be made of several pairs, such as a|aa and aa|a: the library knows which is first.
            if any(number == best and parts[place] != parts[at] for place, number in enumerate(joint)):
                return None
            parts[at : at + 2] = [parts[at] + parts[at + 1]]

    def _letter(self, letter: str) -> list[str]:
        """One that is no token: its bytes are."""
        return [letter] if letter in self._numbers else [f"<0x{byte:02X}>" for byte in letter.encode()]


@cache
def _tokens(path: Path) -> tuple[list[str], dict[str, int]]:
    names = path.read_bytes().decode().split(_BETWEEN)
    return names, dict(zip(names, range(len(names)), strict=True))


@cache
def _library(path: Path) -> Tokenizer:
    # Batches here are a few words: threads would cost more than they bring, and worker processes fork.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(path))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded
