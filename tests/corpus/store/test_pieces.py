"""Documents of a database that is far: what is kept of them has a size that is not less than it takes."""

from __future__ import annotations

import sys

import pytest

from wekadocs_corpus.store.sql.far.pieces import Piece
from wekadocs_corpus.store.writing.packing import pack_text

_MORE = [1, "text", 0, 1, "title", "anchor", "", 1, None]


@pytest.mark.parametrize("chunks", [range(10), range(3, 5)], ids=["whole", "part"])
@pytest.mark.parametrize("word", ["same ", "wörter ", "字"])
def test_a_text_counts_before_it_is_unpacked_and_after(word: str, chunks: range) -> None:
    text, each = word * 2000, len(word) * 200
    rows = [[f"c{place}", 1, place, each * place, each * (place + 1), *_MORE] for place in chunks]
    piece = Piece("d", 1, 9, [], rows, pack_text(text))
    packed = piece.size
    assert packed >= len(text)
    assert piece.text == text
    assert piece.size >= sys.getsizeof(text)
