"""PDF files: from letters at places on pages to the text that a reader sees, with the page of each line.

Imported by: wekadocs_corpus.
"""

from .reading import read_pdf

__all__ = ["read_pdf"]
