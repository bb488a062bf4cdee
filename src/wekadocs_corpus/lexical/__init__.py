"""Words: our own analyser and BM25 vectors, the same for every store.

Imported by: wekadocs_corpus, plugins.
"""

from __future__ import annotations

from .bm25 import LEXICAL_VERSION, embedding_text, exactness, names, query_terms, tells, term_id, terms_of

__all__ = [
    "LEXICAL_VERSION",
    "embedding_text",
    "exactness",
    "names",
    "query_terms",
    "tells",
    "term_id",
    "terms_of",
]
