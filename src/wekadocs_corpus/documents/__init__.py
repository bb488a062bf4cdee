"""Documents in: readers, sections, chunks, and what a document says of itself.

Imported by: wekadocs_corpus, plugins.
"""

from .conversion.neighbours import Origin
from .decoding import Unreadable
from .docstrings import CODE_SUFFIXES, has_docstrings
from .facts import doc_tags, updated_at
from .headings import slug
from .openapi import API_SUFFIXES, looks_like_openapi
from .paged import Allowance, UnreadPage
from .paged_formats import missing_library
from .reading import PARSER_VERSION, SUFFIXES, WATCHED_SUFFIXES, read_document
from .searchable import searchable

__all__ = [
    "API_SUFFIXES",
    "CODE_SUFFIXES",
    "PARSER_VERSION",
    "SUFFIXES",
    "WATCHED_SUFFIXES",
    "Allowance",
    "Origin",
    "UnreadPage",
    "Unreadable",
    "doc_tags",
    "has_docstrings",
    "looks_like_openapi",
    "missing_library",
    "read_document",
    "searchable",
    "slug",
    "updated_at",
]
