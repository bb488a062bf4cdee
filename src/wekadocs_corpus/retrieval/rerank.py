"""An optional second look at the best candidates, by an ONNX cross-encoder or a /rerank service; off unless set."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.at_once import at_once
from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.remote import Remote, RemoteError

from .hits import Hits, in_order
from .passages import with_texts

if TYPE_CHECKING:
    import httpx

    from wekadocs_corpus.store.truth.interface import Truth

    from .question import Question

log = logging.getLogger("wekadocs.corpus")
Scorer = Callable[[str, Sequence[str]], Awaitable[list[float]]]  # question, texts → scores, higher is better
_MAX_CHARACTERS = 8000  # of a text; a cross-encoder sees far less


class RerankerUnavailable(Unavailable):
    """The reranker cannot be had or reached; the reason names the way out, never a key or a text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def load(settings: Mapping[str, Any] | None) -> Scorer | None:
    """What `plugins.corpus.rerank` asks for; None when it asks for nothing."""
    match (settings or {}).get("provider"):
        case None | "":
            return None
        case "onnx":
            return CrossEncoder(settings or {})
        case "http":
            return RerankService(settings or {})
        case other:
            raise RerankerUnavailable(f"rerank.provider must be onnx or http, not {other}")


@dataclass(frozen=True)
class Rerank:
    """The hits in the reranker's order, with its scores, the best so many; in their own when it fails.

    What has been deleted meanwhile comes last.
    """

    scorer: Scorer
    truth: Truth
    count: int

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        if not hits.ranked:
            return hits
        began = perf_counter()
        hits = await at_once(with_texts, self.truth, hits, [hit.chunk_id for hit in hits.ranked])
        there = [hit.chunk_id for hit in hits.ranked if hit.chunk_id in hits.read]
        try:
            scores = await self.scorer(question.text, [hits.read[each].text for each in there])
            given = dict(zip(there, scores, strict=True))
        except Exception as error:  # an optional second look must not cost the first
            log.warning("the reranker failed: %s", type(error).__name__)
            hits = hits.without("the reranker failed: answered in the order of the fusion")
            return replace(hits, ranked=hits.ranked[: self.count])
        rescored = [hit._replace(score=given.get(hit.chunk_id, -math.inf)) for hit in hits.ranked]
        return replace(hits, ranked=in_order(rescored)[: self.count]).timed("rerank", began)


class RerankService:
    """Cohere's and Jina's form of /rerank, which many servers speak."""

    def __init__(self, settings: Mapping[str, object], transport: httpx.BaseTransport | None = None) -> None:
        self._model = settings.get("model")
        try:
            self._remote = Remote({"timeout_seconds": 10, **settings}, transport)
        except RemoteError as error:
            raise RerankerUnavailable(f"rerank: {error}") from error

    async def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        return await asyncio.to_thread(self._scores, question, texts) if texts else []

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        documents = [_sendable(text) for text in texts]
        body = {"query": _sendable(question), "documents": documents, "top_n": len(texts), "return_documents": False}
        try:
            answer = self._remote.post(
                "/rerank", {**body, **({"model": self._model} if self._model else {})}, retries=1
            )
        except RemoteError as error:
            raise RerankerUnavailable(f"rerank: {error}") from error
        return _read(answer, len(texts))


def _sendable(text: str) -> str:
    """Lone surrogates cannot be sent as UTF-8."""
    return text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _read(answer: Any, count: int) -> list[float]:
    try:
        rows = answer["results"] if "results" in answer else answer["data"]
        scores = {int(row["index"]): float(row["relevance_score"]) for row in rows}
        return [scores[number] for number in range(count)]
    except (KeyError, TypeError, ValueError) as error:
        raise RerankerUnavailable("rerank: the answer is not in the form of Cohere's /rerank") from error


class CrossEncoder:
    """Question and text go through the model together."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        from wekadocs_corpus.embedding.interface import EmbeddingUnavailable
        from wekadocs_corpus.embedding.onnx import session, tokenizer
        from wekadocs_corpus.embedding.onnx_folder import model_file

        folder = Path(str(settings.get("path") or "")).expanduser()
        if not settings.get("path") or not folder.is_dir():
            raise RerankerUnavailable("rerank.path must name the folder of an ONNX cross-encoder")
        try:
            self._session = session(model_file(folder), int(settings.get("threads") or 0))
            length = int(settings.get("max_tokens") or 256)
            # The tokenizer keeps every pair of windows it cuts off: two long texts would be gigabytes.
            self._most = 8 * length
            self._tokenizer, self._padding = tokenizer(folder / "tokenizer.json", length)
        except EmbeddingUnavailable as error:
            raise RerankerUnavailable(f"rerank: {error.reason}") from error
        self._inputs = {each.name for each in self._session.get_inputs()}

    async def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        return await asyncio.to_thread(self._scores, question, texts)

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        from wekadocs_corpus.embedding.onnx import batches

        pairs = [self._tokenizer.encode(*self._cut(question, text)) for text in texts]
        scores = [0.0] * len(pairs)
        for numbers in batches({number: len(pair.ids) for number, pair in enumerate(pairs)}):
            for number, score in zip(numbers, self._run([pairs[number] for number in numbers]), strict=True):
                scores[number] = score
        return scores

    def _cut(self, question: str, text: str) -> tuple[str, str]:
        return _sendable(question)[: self._most], _sendable(text)[: self._most]

    def _run(self, pairs: list[Any]) -> list[float]:
        from wekadocs_corpus.embedding.onnx import padded

        feeds, _ = padded([pair.ids for pair in pairs], self._padding, [pair.type_ids for pair in pairs])
        logits = self._session.run(None, {key: feeds[key] for key in self._inputs if key in feeds})[0]
        if logits.ndim == 2 and logits.shape[1] == 2:  # no and yes
            return [float(row[1] - row[0]) for row in logits]
        return [float(number) for number in logits.reshape(len(pairs), -1)[:, 0]]
