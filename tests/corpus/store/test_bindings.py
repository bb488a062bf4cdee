"""Every project has its own model: bound by its first ingest, and another's vectors are never asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from made_documents import prepared

from wekadocs_corpus.configured import claim_model, embedding_of
from wekadocs_corpus.corpus import Corpus
from wekadocs_corpus.embedding.interface import EmbeddingUnavailable, Profile
from wekadocs_corpus.embedding.profiles import STATIC
from wekadocs_corpus.errors import WrongModel
from wekadocs_corpus.model import Area
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.truth.rows import Binding

SETTINGS: dict[str, Any] = {
    "embedding": {"provider": "static"},
    "embeddings": {"lab/foreign": {"provider": "given", "model": "acme/other-384", "dimension": 384}},
    "search": {"catch_up_ms": 100},
}


@contextmanager
def opened(folder: Path) -> Iterator[Corpus]:
    corpus = Corpus(SqliteTruth(folder), SETTINGS, Area("ours", "prod"))
    try:
        yield corpus
    finally:
        corpus.truth.close()


def test_two_models_live_side_by_side_and_one_that_two_projects_share_is_loaded_once(tmp_path: Path) -> None:
    async def ask(corpus: Corpus) -> None:
        ours, _ = await corpus.usable_embedder()
        theirs, _ = await corpus.usable_embedder("another")
        assert ours is theirs is not None
        assert ours.profile.id == STATIC.id
        assert await corpus.usable_embedder("lab/foreign") == (None, ""), "its vectors come with what is stored"

    with opened(tmp_path) as corpus:
        asyncio.run(ask(corpus))


def test_a_mismatch_is_one_projects_alone(tmp_path: Path) -> None:
    async def ask(corpus: Corpus) -> None:
        assert await corpus.usable_embedder("another") == (None, "embedding_model_mismatch")
        assert (await corpus.usable_embedder())[1] == ""

    with opened(tmp_path) as corpus:
        corpus.truth.bind("another", Binding("former", 8))
        asyncio.run(ask(corpus))


def test_the_stored_binding_holds_and_its_dimension_is_part_of_it(tmp_path: Path) -> None:
    with opened(tmp_path) as corpus:
        truth = corpus.truth
        claim_model(truth, "p", Profile("given", 8))
        truth.write(prepared())
        claim_model(truth, "p", Profile("given", 8))
        with pytest.raises(WrongModel, match=r"project p were made with given \(8 numbers each, now 16\).*--reembed"):
            claim_model(truth, "p", Profile("given", 16))
        with pytest.raises(WrongModel, match="project p were made with given, the configured model is other"):
            claim_model(truth, "p", Profile("other", 8))
        claim_model(truth, "q", Profile("other", 8))
        assert truth.bindings() == {"p": Binding("given", 8), "q": Binding("other", 8)}


def test_vectors_that_are_given_need_a_name_and_a_length_and_embed_nothing() -> None:
    embedder = embedding_of(SETTINGS, "lab/foreign")
    assert (embedder.profile.id, embedder.profile.dimension) == ("acme/other-384", 384)
    with pytest.raises(EmbeddingUnavailable, match="its vectors come with what is stored"):
        embedder.embed_query("anything")
    with pytest.raises(EmbeddingUnavailable, match="needs `model`"):
        embedding_of({"embedding": {"provider": "given", "model": "x"}})
