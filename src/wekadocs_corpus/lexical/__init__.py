"""Words: our own analyser and BM25 vectors, the same for every store."""

from __future__ import annotations

from .bm25 import (
    LEXICAL_VERSION,
    document_terms,
    embedding_text,
    exactness,
    pack,
    query_terms,
    query_words,
    term_id,
    unpack,
    words,
)

__all__ = [
    "LEXICAL_VERSION",
    "document_terms",
    "embedding_text",
    "exactness",
    "pack",
    "query_terms",
    "query_words",
    "term_id",
    "unpack",
    "words",
]
