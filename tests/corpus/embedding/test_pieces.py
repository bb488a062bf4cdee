"""Words are cut into tokens by hand as the `tokenizers` library cuts them, which a first question goes without."""

from __future__ import annotations

import json
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.embedding import pieces
from wekadocs_corpus.embedding.pieces import Pieces
from wekadocs_corpus.embedding.static import CAMEL, DATA, LONGEST_WORD, WORD

LIBRARY = Pieces(DATA).library
# Letters that are tokens, that are none, of several bytes, and such that runs of them are tokens of many lengths.
LETTERS = st.one_of(st.characters(), st.sampled_from("aabeinorst=0019AEÉéßñЖя日本한\U0001d4b3\u0301"))


def by_library(word: str) -> list[int]:
    ids: list[int] = LIBRARY.encode(word, add_special_tokens=False).ids
    return ids


@settings(max_examples=1500, deadline=None)
@given(st.text(LETTERS, max_size=80))
def test_any_word_of_any_text_is_cut_as_the_library_cuts_it(text: str) -> None:
    parts = {part[:LONGEST_WORD] for word in WORD.findall(text) for part in CAMEL.split(word)}
    forms = parts | {part.lower() for part in parts}
    assert Pieces(DATA).of(forms) == {form: by_library(form) for form in forms}


def test_every_token_that_is_a_word_is_cut_alike() -> None:
    words = [
        name.lstrip("\u2581") for name in json.loads((DATA / "static_tokenizer.json").read_text())["model"]["vocab"]
    ]
    some = [word for word in words if word.isalnum()][::7]
    cut = {
        word: tokens
        for start in range(0, len(some), 500)
        for word, tokens in Pieces(DATA).of(some[start : start + 500]).items()
    }
    assert cut == {word: by_library(word) for word in some}


def test_what_is_no_word_is_left_to_the_library() -> None:
    odd = ["", " ", "two words", "a\u2581b", "</s>", "x\n", "-", "a-b"]
    assert Pieces(DATA).of(odd) == {form: by_library(form) for form in odd}


def test_tokens_are_the_models_own_by_number() -> None:
    vocabulary = json.loads((DATA / "static_tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    names = (DATA / "static_tokens.bin").read_bytes().decode().split("\0")
    assert {name: number for number, name in enumerate(names)} == vocabulary


def test_a_question_is_embedded_without_the_library_and_a_thousand_words_with_it() -> None:
    said = "from wekadocs_corpus.embedding.static import StaticEmbedder as S; import sys; s = S();"
    asked = (
        "s.embed_query('How do I mount a filesystem with kubernetesOperator v4.2?'); a = 'tokenizers' in sys.modules;"
    )
    read = f"s.embed_passages([' '.join(f'word{{n}}' for n in range({pieces._A_FEW}))]);"
    told_of = "print(a, 'tokenizers' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", said + asked + read + told_of], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["False", "True"]
