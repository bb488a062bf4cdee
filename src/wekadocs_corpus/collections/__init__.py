"""Collections: chunks that callers bring, stored as batches, found by words, by vectors and by both.

Imported by: wekadocs_corpus, plugins.
"""

from wekadocs_corpus.store.truth.collections import (
    FULL_TEXT,
    KEYWORD,
    CollectionRow,
    CollectionsView,
    NewChunk,
    StoredChunk,
    told_apart,
)

__all__ = ["FULL_TEXT", "KEYWORD", "CollectionRow", "CollectionsView", "NewChunk", "StoredChunk", "told_apart"]
