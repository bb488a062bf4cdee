"""Words: our own analyser and BM25 vectors, the same for every store.

Imported by: wekadocs_corpus, plugins.
"""

from __future__ import annotations

from .asked_words import AskedWords, query_terms
from .bm25 import LEXICAL_VERSION, embedding_text, term_id, terms_of
from .worth import rarity

__all__ = [
    "LEXICAL_VERSION",
    "AskedWords",
    "embedding_text",
    "query_terms",
    "rarity",
    "term_id",
    "terms_of",
]
