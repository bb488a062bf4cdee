"""Words: our own analyser and BM25 vectors, the same for every store."""

from __future__ import annotations

from .bm25 import (
    LEXICAL_VERSION,
    document_terms,
    embedding_text,
    exactness,
    pack,
    query_terms,
    term_id,
    terms_of,
    unpack,
)

__all__ = [
    "LEXICAL_VERSION",
    "document_terms",
    "embedding_text",
    "exactness",
    "pack",
    "query_terms",
    "term_id",
    "terms_of",
    "unpack",
]
