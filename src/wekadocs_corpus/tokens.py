"""The house's one count of tokens, under the name the corpus uses."""

from wekadocs_tokens import EXACT, NAME, count, counter, truncate

__all__ = ["EXACT", "NAME", "count", "counter", "truncate"]
