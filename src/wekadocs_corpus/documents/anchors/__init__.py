"""The anchors of headings, as the generator of their site makes them.

Imported by: wekadocs_corpus.
"""

from .naming import GITHUB, Naming, anchors_of

__all__ = ["GITHUB", "Naming", "anchors_of"]
