"""Documents in: readers, sections, chunks, and what a document says of itself.

Imported by: wekadocs_corpus, plugins.
"""

from .conversion.neighbours import Origin
from .decoding import Unreadable
from .facts import doc_tags, updated_at
from .headings import slug
from .paged import Allowance, UnreadPage
from .paged_formats import missing_library
from .reading import PARSER_VERSION, SUFFIXES, read_document
from .searchable import searchable

__all__ = [
    "PARSER_VERSION",
    "SUFFIXES",
    "Allowance",
    "Origin",
    "UnreadPage",
    "Unreadable",
    "doc_tags",
    "missing_library",
    "read_document",
    "searchable",
    "slug",
    "updated_at",
]
