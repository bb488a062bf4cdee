"""Embeddings from an ONNX folder: a model, its tokenizer.json, and what the folder says of pooling and prefixes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.model import digest

from .interface import EmbeddingUnavailable, Profile
from .onnx_folder import Habits, habits, model_file

if TYPE_CHECKING:
    import numpy as np

_BATCH_TOKENS = 4 * 256  # padded: what a batch may hold; four times as much took 200 MB more and was slower
_BATCH_TEXTS = 16


def load(settings: Mapping[str, Any]) -> OnnxEmbedder:
    """An embedder from `plugins.corpus.embedding`: `path` is the folder."""
    return OnnxEmbedder(settings)


class OnnxEmbedder:
    """Runs on the CPU; texts of like length go together, so that little is padded."""

    profile: Profile

    def __init__(self, settings: Mapping[str, Any]) -> None:
        folder = Path(str(settings.get("path") or "")).expanduser()
        if not settings.get("path") or not folder.is_dir():
            raise EmbeddingUnavailable("embedding.path must name the folder of an ONNX model")
        self._habits = habits(folder, settings)
        model, words = model_file(folder, str(settings.get("file") or "")), folder / "tokenizer.json"
        self._tokenizer, self._padding = tokenizer(words, self._habits.max_tokens)
        self._session = session(model, int(settings.get("threads") or 0))
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._output = _output([(each.name, len(each.shape)) for each in self._session.get_outputs()])
        dimension = self._run([self._encoded("dimension", "")]).shape[1]
        self.profile = _profile(identity(model, words), dimension, self._habits)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._embed(texts, self._habits.passage_prefix)

    def embed_query(self, text: str) -> np.ndarray:
        row: np.ndarray = self._embed([text], self._habits.query_prefix)[0]
        return row

    def _embed(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        import numpy as np

        rows = np.zeros((len(texts), self.profile.dimension), np.float32)
        tokens = {number: self._encoded(text, prefix) for number, text in enumerate(texts) if text.strip()}
        for numbers in batches({number: len(ids) for number, ids in tokens.items()}):
            rows[numbers] = self._run([tokens[number] for number in numbers])
        return rows

    def _encoded(self, text: str, prefix: str) -> list[int]:
        # More characters than the model can see only cost time; a token is seldom longer than 32.
        text = text[: self._habits.max_tokens * 32].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(prefix + (text.lower() if self._habits.lower_case else text)).ids
        return ids

    def _run(self, tokens: list[list[int]]) -> np.ndarray:
        import numpy as np

        feeds, mask = padded(tokens, self._padding)
        out = self._session.run([self._output], {key: feeds[key] for key in self._inputs if key in feeds})[0]
        if out.ndim == 3:
            out = out[:, 0] if self._habits.pooling == "cls" else _mean(out, mask)
        rows: np.ndarray = np.asarray(out, np.float32)
        if self._habits.normalise:
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            rows = rows / np.where(lengths > 0, lengths, 1)
        return rows


def batches(lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Numbers of texts, short ones first, in groups that stay small when padded."""
    batch: list[int] = []
    for number in sorted(lengths, key=lambda each: (lengths[each], each)):
        if batch and (len(batch) == _BATCH_TEXTS or (len(batch) + 1) * lengths[number] > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def padded(
    tokens: list[list[int]], padding: int, types: list[list[int]] | None = None
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What encoders take as input, padded on the right to the longest; and the mask."""
    import numpy as np

    longest = max(map(len, tokens))
    ids = np.full((len(tokens), longest), padding, np.int64)
    mask, kinds = np.zeros_like(ids), np.zeros_like(ids)
    for number, row in enumerate(tokens):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
        if types:
            kinds[number, : len(row)] = types[number]
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}, mask


def session(model: Path, threads: int) -> Any:
    """An ONNX Runtime session that keeps no arena: memory goes back after each batch."""
    try:
        onnxruntime = import_module("onnxruntime")
    except ImportError as error:
        raise EmbeddingUnavailable("ONNX models need onnxruntime: pip install 'wekadocs-mcp[onnx]'") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime has no class of its own that is public
        raise EmbeddingUnavailable(f"{model} cannot be loaded by ONNX Runtime") from error


def identity(*files: Path) -> str:
    """A digest of the files' bytes."""
    state = blake2b(digest_size=16)
    for path in files:
        with path.open("rb") as opened:
            while block := opened.read(1 << 20):
                state.update(block)
        state.update(b"\0next file\0")
    return state.hexdigest()


def tokenizer(path: Path, max_tokens: int) -> tuple[Any, int]:
    """The tokenizer without the padding and truncation its file may carry (ours are dynamic), and what pads."""
    from tokenizers import Tokenizer

    try:
        made = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare Exception
        raise EmbeddingUnavailable(f"{path} is missing or no tokenizer.json") from error
    padding = (made.padding or {}).get("pad_id")
    if padding is None:
        padding = next((found for each in ("[PAD]", "<pad>") if (found := made.token_to_id(each)) is not None), 0)
    made.no_padding()
    made.enable_truncation(max_tokens)  # of a pair the longer one is cut: a text, seldom a question
    return made, padding


def _output(outputs: list[tuple[str, int]]) -> str:
    """A sentence's row if the model makes one itself, else the tokens' rows."""
    names = dict(outputs)
    for name in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
        if name in names:
            return name
    return outputs[0][0]


def _mean(rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
    weights = mask[:, :, None].astype(rows.dtype)
    result: np.ndarray = (rows * weights).sum(1) / weights.sum(1)
    return result


def _profile(files: str, dimension: int, habits: Habits) -> Profile:
    parts = (habits.pooling, habits.normalise, habits.query_prefix, habits.passage_prefix, habits.lower_case)
    return Profile(
        id=f"onnx-{digest(files, *map(str, parts), str(habits.max_tokens))[:16]}",
        dimension=dimension,
        query_prefix=habits.query_prefix,
        passage_prefix=habits.passage_prefix,
        lower_case=habits.lower_case,
        fusion=habits.fusion,
        max_tokens=habits.max_tokens,
    )
