"""AsciiDoc, as Asciidoctor and Antora have it, to clean Markdown.

Imported by: wekadocs_corpus.
"""

from .page import convert_asciidoc

__all__ = ["convert_asciidoc"]
