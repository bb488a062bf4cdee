"""An ONNX graph of an encoder. Needs the package `onnx`, which only whoever makes a model folder has to install."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .encoder import Encoder, Layer

if TYPE_CHECKING:
    import numpy as np

    Pair = tuple[np.ndarray, np.ndarray]

_OPSET = 17  # the first with LayerNormalization


def _onnx() -> Any:
    """Untyped on purpose: type checks must not depend on whether it is installed."""
    return import_module("onnx")


class _Graph:
    """Collects nodes and weights; every call returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def __call__(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        names = [f"{kind}_{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(_onnx().helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def weight(self, values: Any, kind: str = "<f4") -> str:
        import numpy as np

        name = f"weight_{len(self.weights)}"
        self.weights.append(_onnx().numpy_helper.from_array(np.ascontiguousarray(values, kind), name))
        return name

    def whole(self, *numbers: int) -> str:
        return self.weight(list(numbers), "<i8")

    def linear(self, rows: str, pair: Pair) -> str:
        return str(self("Add", self("MatMul", rows, self.weight(pair[0])), self.weight(pair[1])))

    def norm(self, rows: str, pair: Pair, epsilon: float) -> str:
        gain, shift = self.weight(pair[0]), self.weight(pair[1])
        return str(self("LayerNormalization", rows, gain, shift, axis=-1, epsilon=epsilon))


def write(encoder: Encoder, path: Path) -> None:
    """`input_ids` and `attention_mask` (padded on the right) to `last_hidden_state`."""
    onnx = _onnx()
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = _Graph()
    rows = _embedded(graph, encoder)
    unseen = graph("Sub", graph.weight(1.0), graph("Cast", "attention_mask", to=kinds.FLOAT))
    bias = graph("Mul", graph("Unsqueeze", unseen, graph.whole(1, 2)), graph.weight(-10000.0))
    for layer in encoder.layers:
        rows = _layer(graph, layer, rows, bias, encoder)
    graph.nodes.append(helper.make_node("Identity", [rows], ["last_hidden_state"]))
    shape, width = ["batch", "sequence"], encoder.words.shape[1]
    made = helper.make_graph(
        graph.nodes,
        "encoder",
        [helper.make_tensor_value_info(name, kinds.INT64, shape) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, [*shape, width])],
        graph.weights,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _embedded(graph: _Graph, encoder: Encoder) -> str:
    words = graph("Gather", graph.weight(encoder.words), "input_ids")
    length = graph("Slice", graph("Shape", "input_ids"), graph.whole(1), graph.whole(2))
    positions = graph("Slice", graph.weight(encoder.positions), graph.whole(0), length, graph.whole(0))
    return graph.norm(graph("Add", words, positions), encoder.norm, encoder.epsilon)


def _layer(graph: _Graph, layer: Layer, rows: str, bias: str, encoder: Encoder) -> str:
    size = encoder.words.shape[1] // encoder.heads
    split, joined = graph.whole(0, 0, encoder.heads, size), graph.whole(0, 0, encoder.heads * size)
    parts = graph("Split", graph.linear(rows, layer.qkv), outputs=3, axis=-1)
    q, k, v = (
        graph("Transpose", graph("Reshape", part, split), perm=order)
        for part, order in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True)
    )
    scores = graph("Add", graph("Mul", graph("MatMul", q, k), graph.weight(1 / math.sqrt(size))), bias)
    seen = graph("Transpose", graph("MatMul", graph("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    seen = graph.linear(graph("Reshape", seen, joined), layer.attention_out)
    rows = graph.norm(graph("Add", rows, seen), layer.attention_norm, encoder.epsilon)
    narrow = graph.linear(_gelu(graph, graph.linear(rows, layer.wide)), layer.narrow)
    return graph.norm(graph("Add", rows, narrow), layer.norm, encoder.epsilon)


def _gelu(graph: _Graph, rows: str) -> str:
    half = graph("Mul", rows, graph.weight(0.5))
    bent = graph("Erf", graph("Mul", rows, graph.weight(1 / math.sqrt(2))))
    return str(graph("Mul", half, graph("Add", bent, graph.weight(1.0))))


def quantise(source: Path, target: Path) -> None:
    """Weights as bytes, a quarter of the size; unsigned per channel stayed nearest to float32 of what was tried."""
    tools = import_module("onnxruntime.quantization")
    tools.quantize_dynamic(source, target, weight_type=tools.QuantType.QUInt8, per_channel=True)
