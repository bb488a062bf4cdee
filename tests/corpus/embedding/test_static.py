"""The static model: what it says, that it is shipped whole, and that nothing breaks it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wekadocs_corpus.embedding import choose, static
from wekadocs_corpus.embedding.static import DATA, StaticEmbedder


@pytest.fixture(scope="module")
def model() -> StaticEmbedder:
    return StaticEmbedder()


def near(model: StaticEmbedder, one: str, other: str) -> float:
    return float(model.embed_query(one) @ model.embed_query(other))


def test_the_default_provider_is_the_static_model() -> None:
    assert choose.load({}).profile.id == static.STATIC.id


def test_an_unknown_provider_names_the_choices() -> None:
    with pytest.raises(choose.UnknownProvider, match=r"provider: 'magic' is unknown; choose one of static"):
        choose.load({"provider": "magic"})


def test_rows_have_length_one_and_the_profiles_dimension(model: StaticEmbedder) -> None:
    rows = model.embed_passages(["how to mount a file system", "Snapshots"])
    assert rows.shape == (2, model.profile.dimension) and rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_empty_text_gives_a_zero_row(model: StaticEmbedder) -> None:
    assert not model.embed_passages(["", " \n", "--- !"]).any()
    assert model.embed_passages([]).shape == (0, model.profile.dimension)


def test_meaning_is_nearer_than_another_subject(model: StaticEmbedder) -> None:
    assert near(model, "delete a film", "remove the movie") > near(model, "delete a film", "configure the disk") + 0.2


def test_capitals_do_not_change_a_question(model: StaticEmbedder) -> None:
    assert near(model, "HOW DO I MOUNT A FILESYSTEM", "how do i mount a filesystem") == pytest.approx(1, abs=1e-5)
    assert near(model, "How Do I Mount A Filesystem", "how do i mount a filesystem") > 0.6


def test_stop_words_count_only_when_nothing_else_is_there(model: StaticEmbedder) -> None:
    assert near(model, "what is the quota", "quota") == pytest.approx(1, abs=1e-5)
    assert model.embed_query("what is the").any()


def test_the_first_line_of_a_passage_counts_twice_and_that_of_a_question_once(model: StaticEmbedder) -> None:
    passage, expected = model.embed_passages(["quota\nsnapshot"])[0], model.embed_query("quota quota snapshot")
    assert passage == pytest.approx(expected, abs=1e-5)
    assert model.embed_query("quota\nsnapshot") == pytest.approx(model.embed_query("quota snapshot"), abs=1e-5)


def test_names_in_camel_case_are_split(model: StaticEmbedder) -> None:
    assert near(model, "getFileSystem", "get File System") == pytest.approx(1, abs=1e-5)


def test_a_text_has_the_same_row_alone_in_a_batch_and_after_the_cache_was_emptied(
    model: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = model.embed_query("cluster quota")
    assert np.array_equal(model.embed_passages(["other words", "cluster quota"])[1], alone)
    monkeypatch.setattr(static, "CACHED_WORDS", 0)
    monkeypatch.setattr(static, "PORTION", 1)
    assert model.embed_query("cluster quota") == pytest.approx(alone, abs=1e-6)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_any_text_gives_a_finite_row(model: StaticEmbedder, text: str) -> None:
    assert np.isfinite(model.embed_query(text)).all()


def test_the_data_files_carry_their_notice() -> None:
    assert "MIT License" in (DATA / "NOTICE").read_text(encoding="utf-8")
    assert sum(file.stat().st_size for file in Path(DATA).iterdir()) < 10_000_000
