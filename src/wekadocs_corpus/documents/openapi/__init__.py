"""OpenAPI 3 and Swagger 2: an operation is a section, with its parameters and fields as tables.

Imported by: wekadocs_corpus.documents, wekadocs_corpus.ingest.
"""

from .page import convert_openapi
from .signs import API_SUFFIXES, is_openapi, looks_like_openapi

__all__ = ["API_SUFFIXES", "convert_openapi", "is_openapi", "looks_like_openapi"]
