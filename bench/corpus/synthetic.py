"""Documents for the store benchmarks, made from numbers: zipf terms, clustered vectors, five chunks each."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wekadocs_corpus.model import Chunk, Document, GraphPart, ParsedDocument, Place, Prepared, Section, digest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

MODEL, PROJECT, ENVIRONMENT = "bench-256", "bench", "prod"
DIMENSION, CHUNKS, TERMS, VOCABULARY, CLUSTERS = 256, 5, 90, 50_000, 200
_BODY = "some words of a documentation page that nobody will ever read again\n" * 8


class Maker:
    """The same seed gives the same corpus and the same queries."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        # Spread over 32 bits as crc32 does it; the first ids are the common words.
        self._ids = np.random.default_rng(0).choice(2**32, VOCABULARY, replace=False).astype("<u4")
        self._centres = np.random.default_rng(0).normal(size=(CLUSTERS, DIMENSION))

    def documents(self, count: int, tag: str = "") -> Iterator[Prepared]:
        for number in range(count):
            yield self.document(f"{tag}folder-{number % 97}/page-{number}.md", f"tag-{number % 10}")

    def document(self, path: str, doc_tag: str = "tag-0") -> Prepared:
        place = Place(PROJECT, ENVIRONMENT, "", path)
        name, size = place.document_id, len(_BODY)
        sections = tuple(
            Section(digest(name, "s", str(i)), i, 1, f"Part {i}", f"s{i}", i * size, (i + 1) * size, None, ("Part",))
            for i in range(CHUNKS)
        )
        chunks = tuple(
            Chunk(digest(name, "c", str(i)), sections[i].id, i, i * size, (i + 1) * size, 100) for i in range(CHUNKS)
        )
        hashes = tuple(digest(name, str(i), str(self._random.integers(2**60))) for i in range(CHUNKS))
        return Prepared(
            document=Document(
                place=place,
                parsed=ParsedDocument(_BODY * CHUNKS, path, sections, chunks),
                doc_tag=doc_tag,
                source_uri=path,
                updated_at=1000.0,
                content_hash=hashes[0],
                size_bytes=size * CHUNKS,
            ),
            graph=GraphPart(),
            terms=tuple(self._terms() for _ in range(CHUNKS)),
            embedded_hashes=hashes,
            vectors={each: self.vector().astype("<f2").tobytes() for each in hashes},
            model=MODEL,
            root="/bench",
            file_size=1,
            file_mtime_ns=1,
            parser_version="1",
            tokens=100 * CHUNKS,
        )

    def _terms(self) -> bytes:
        ids = np.sort(self._ids[np.unique(self._zipf(TERMS))])
        weights = self._random.uniform(0.4, 2.0, len(ids)).astype("<f4")
        return struct.pack(f"<{len(ids)}I", *ids.tolist()) + weights.tobytes()

    def _zipf(self, count: int) -> np.ndarray:
        """Ranks with frequency ~ 1/rank."""
        return (VOCABULARY ** self._random.random(count)).astype(int) - 1

    def vector(self) -> np.ndarray:
        row = self._centres[self._random.integers(CLUSTERS)] + self._random.normal(size=DIMENSION)
        return (row / np.linalg.norm(row)).astype(np.float32)

    def query(self) -> dict[int, float]:
        """Six words; a question has fewer of the commonest ones, since stop words are dropped."""
        return {int(self._ids[rank]): 1.0 for rank in np.maximum(self._zipf(6), self._random.integers(20, 60, 6))}


def fill(data: Path, chunks: int) -> SqliteTruth:
    """A truth of so many chunks; one that is there already is used again."""
    truth = SqliteTruth(data)
    have = truth.counts().chunks
    documents = list(range(have // CHUNKS, chunks // CHUNKS))
    maker = Maker(seed=have + 1)
    for start in range(0, len(documents), 100):
        batch = documents[start : start + 100]
        truth.write_many(maker.document(f"folder-{n % 97}/page-{n}.md", f"tag-{n % 10}") for n in batch)
    return truth
