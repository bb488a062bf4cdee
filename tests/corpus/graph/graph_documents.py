"""Markdown into documents with their graph part, as the ingest makes them, without words and vectors."""

from __future__ import annotations

from typing import Any

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.graph.extraction.extract import extract
from wekadocs_corpus.graph.extraction.rules import EntityRules
from wekadocs_corpus.model import Document, Place, Prepared, digest


def document(
    path: str,
    text: str,
    *,
    project: str = "p",
    environment: str = "prod",
    repository: str = "",
    doc_tag: str = "guide",
    **more: Any,
) -> Document:
    place = Place(project, environment, repository, path)
    parsed = read_document(path, text.encode(), place.document_id)
    return Document(place, parsed, doc_tag, f"file://{path}", 1000.0, digest(text), len(text.encode()), **more)


def prepared(made: Document, rules: EntityRules | None = None) -> Prepared:
    hashes = tuple(chunk.id for chunk in made.parsed.chunks)
    return Prepared(
        document=made,
        graph=extract(made, rules),
        terms=(b"",) * len(hashes),
        embedded_hashes=hashes,
        vectors=dict.fromkeys(hashes, bytes(16)),
        model="test-8",
        root="/docs",
        file_size=made.size_bytes,
        file_mtime_ns=7,
        parser_version="1",
        tokens=sum(chunk.tokens for chunk in made.parsed.chunks),
    )


def write(truth: object, *made: Document) -> None:
    truth.write_many([prepared(each) for each in made])  # type: ignore[attr-defined]
