"""Embeddings from an OpenAI-compatible service: OpenAI, Ollama, vLLM, TEI, LM Studio and their like."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.model import digest
from wekadocs_corpus.remote import Remote, RemoteError

from .interface import EmbeddingUnavailable, Fusion, Profile
from .onnx_folder import known
from .profiles import GRANITE_FUSION

if TYPE_CHECKING:
    import httpx
    import numpy as np

_DEFAULT_URL = "http://127.0.0.1:11434/v1"  # Ollama
_BATCH_CHARACTERS = 200_000  # services bound a request's size, too


def load(settings: Mapping[str, Any]) -> HttpEmbedder:
    """An embedder from `plugins.corpus.embedding`; asks the service for its dimension unless it is configured."""
    return HttpEmbedder(settings)


class HttpEmbedder:
    """Sends texts in batches to `base_url`/embeddings."""

    profile: Profile

    def __init__(
        self,
        settings: Mapping[str, Any],
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._model = str(settings.get("model") or "")
        if not self._model:
            raise EmbeddingUnavailable("the embedding provider needs a model name: set embedding.model")
        self._batch = max(1, int(settings.get("batch_size", 32)))
        self._retries = int(settings.get("retries", 4))
        self._characters = int(settings.get("max_characters", 8000))
        self._extra = dict(settings.get("request") or {})
        try:
            options = {"base_url": _DEFAULT_URL, **settings}
            self._remote = Remote(options, transport, sleep) if sleep else Remote(options, transport)
        except RemoteError as error:
            raise EmbeddingUnavailable(f"embedding: {error}") from error
        dimension = int(settings.get("dimension") or 0) or len(self._ask(["dimension"], 1)[0])
        self.profile = _profile(settings, self._model, dimension, self._extra)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._embed(texts, self.profile.passage_prefix, self._retries)

    def embed_query(self, text: str) -> np.ndarray:
        """Someone is waiting: one more try, not four."""
        row: np.ndarray = self._embed([text], self.profile.query_prefix, min(self._retries, 1))[0]
        return row

    def _embed(self, texts: Sequence[str], prefix: str, retries: int) -> np.ndarray:
        import numpy as np

        rows = np.zeros((len(texts), self.profile.dimension), np.float32)
        for numbers in self._batches(texts):
            sent = [self._ready(texts[number], prefix) for number in numbers]
            rows[numbers] = self._normalised(self._ask(sent, retries))
        return rows

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Numbers of the texts that say something, in bounded groups."""
        batch: list[int] = []
        size = 0
        for number, text in enumerate(texts):
            if not text.strip():
                continue
            size += min(len(text), self._characters)
            if batch and (len(batch) == self._batch or size > _BATCH_CHARACTERS):
                yield batch
                batch, size = [], min(len(text), self._characters)
            batch.append(number)
        if batch:
            yield batch

    def _ready(self, text: str, prefix: str) -> str:
        # Lone surrogates cannot be sent as UTF-8.
        text = text[: self._characters].encode("utf-8", "replace").decode("utf-8")
        return prefix + (text.lower() if self.profile.lower_case else text)

    def _ask(self, texts: list[str], retries: int) -> list[Any]:
        try:
            answer = self._remote.post("/embeddings", {**self._extra, "model": self._model, "input": texts}, retries)
        except RemoteError as error:
            raise EmbeddingUnavailable(f"embedding: {error}") from error
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = [_numbers(row["embedding"]) for row in rows]
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingUnavailable("embedding: the answer is not in the form of OpenAI's /embeddings") from error
        if len(vectors) != len(texts) or not all(vectors):
            raise EmbeddingUnavailable(f"embedding: {len(vectors)} rows came back for {len(texts)} texts")
        return vectors

    def _normalised(self, vectors: list[Any]) -> np.ndarray:
        import numpy as np

        if any(len(vector) != self.profile.dimension for vector in vectors):
            raise EmbeddingUnavailable(
                f"embedding: {self._model} gives {len(vectors[0])} numbers a row, not {self.profile.dimension}; "
                "correct embedding.dimension and run `ingest --reembed`"
            )
        rows = np.asarray(vectors, np.float32)
        if not np.isfinite(rows).all():
            raise EmbeddingUnavailable("embedding: the answer holds numbers that are not finite")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        result: np.ndarray = rows / np.where(lengths > 0, lengths, 1)
        return result

    def close(self) -> None:
        self._remote.close()


def _numbers(embedding: Any) -> list[float]:
    """A list, or as some services send it whatever was asked for: base64 of little-endian float32."""
    if not isinstance(embedding, str):
        return [float(number) for number in embedding]
    import numpy as np

    try:
        return [float(number) for number in np.frombuffer(base64.b64decode(embedding), "<f4")]
    except binascii.Error as error:
        raise ValueError("no base64") from error


def _profile(settings: Mapping[str, object], model: str, dimension: int, extra: Mapping[str, object]) -> Profile:
    """`revision` lets an operator say that the service now has other weights under the same name."""
    query, passage = str(settings.get("query_prefix") or ""), str(settings.get("passage_prefix") or "")
    lower, revision = bool(settings.get("lower_case")), str(settings.get("revision") or "")
    characters = str(settings.get("max_characters", 8000))
    habits = (model, str(dimension), query, passage, str(lower), revision, characters, repr(sorted(extra.items())))
    return Profile(
        id=f"http-{digest(*habits)[:16]}",
        dimension=dimension,
        query_prefix=query,
        passage_prefix=passage,
        lower_case=lower,
        fusion=_fusion(settings),
    )


def _fusion(settings: Mapping[str, Any]) -> Fusion:
    """Equal weights unless told otherwise: who runs a service runs a better model than the static one."""
    try:
        return replace(GRANITE_FUSION, **{**known(settings).get("fusion", {}), **(settings.get("fusion") or {})})
    except TypeError as error:
        raise EmbeddingUnavailable("embedding.fusion has words, vectors and k") from error
