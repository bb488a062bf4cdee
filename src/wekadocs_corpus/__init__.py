"""Documents in, passages and a graph out: the library that plugins share. It knows nothing of MCP.

This is its front door: what stands here may be used from outside, and nothing else is imported from there. Names are
loaded when they are asked for: most of what stands behind them is heavy.

Imported by: wekadocs_kit, plugins.
"""

TYPE_CHECKING = False  # type checkers look for this name; importing `typing` costs time at every start
if TYPE_CHECKING:
    from . import stopping, tokens
    from .collections import FULL_TEXT, KEYWORD, CollectionRow, CollectionsView, NewChunk, StoredChunk, told_apart
    from .collections.migrations import Migrations, Remaking, Taken
    from .collections.preparing import embedded, packed, words_of
    from .collections.rebuilding import Standing
    from .collections.searching import FoundChunk, Query, Rebound
    from .collections.store import Collections, Embedder
    from .collections.writing import Claim, OtherModel
    from .configured import embedding_of, has_truth, known_profile
    from .corpus import Corpus
    from .documents import PARSER_VERSION, SUFFIXES, WATCHED_SUFFIXES, UnreadPage
    from .documents.formats.given_page import page_bytes
    from .documents.html.depth import without_deep_tags
    from .errors import CorpusError, Unavailable
    from .evidence.chooser import Chooser, LazyCrossEncoder, Scorer
    from .evidence.choosing.blocks import table_above
    from .evidence.confidence import confidence, covers, left_unsaid, verdict
    from .evidence.quotes import Quote, QuoteSource, weighted
    from .evidence.sentences import sentences
    from .evidence.showing.excerpts import ExcerptRoom, bullets, cut, end_of_excerpt
    from .evidence.showing.opening import anchor_at, open_at
    from .evidence.showing.previews import best_spans, preview
    from .evidence.spans import widened
    from .evidence.verification import verify
    from .fields import BeginsWith, Between, Field, OneOf, Unfit, check_conditions
    from .graph import finding as graph_finding
    from .graph import queries as graph_queries
    from .graph.interface import RELATIONSHIPS, BadQuestion, Direction, GraphUnavailable, Node
    from .graph.neo4j.links import LinksChanged, Neo4jLinks
    from .graph.queries import GraphRows, Row, projection
    from .ingest.beside import Stopped
    from .ingest.brought import is_archive, is_git_address, repository, unpacked
    from .ingest.planning import Plan, Stamp
    from .ingest.reading.apart import read_apart
    from .ingest.reading.limits import cap_cpu, cap_memory
    from .ingest.reading.prepare import Failure, Parsed
    from .ingest.report import Done, Progress, page_runs
    from .ingest.run import Run
    from .ingest.sources.given import Given
    from .ingest.sources.left_out import LeftOut
    from .ingest.sources.origin import BytesOrigin, FetchedOrigin, Origin, Version
    from .ingest.sources.scan import Root, roots
    from .ingest.sources.source import Source
    from .ingest.sources.watch import changes
    from .lexical import query_terms, terms_of
    from .lexical.suggestions import suggested_questions
    from .line_map import part_of, source_lines, source_pages
    from .model import NO_PAGES, Area, Filters, ParsedDocument, Place, Scope, digest, fingerprint
    from .moving.run import Moved, move
    from .retrieval.hits import Candidate, Hits
    from .retrieval.question import Question
    from .sites import Site, not_pages, site_in
    from .status import read_status
    from .store.sqlite.copies import Copied, back_up, reset, restore
    from .store.truth.interface import Truth
    from .store.truth.rows import DocumentRow, Passage, Surroundings, Within
    from .store.truth.tables import TableChanges, TableRows, Tables
    from .versions import is_version, version_asked, versions_of

_HOME = {
    "Area": "model",
    "BadQuestion": "graph.interface",
    "BeginsWith": "fields",
    "Between": "fields",
    "BytesOrigin": "ingest.sources.origin",
    "Candidate": "retrieval.hits",
    "Chooser": "evidence.chooser",
    "Claim": "collections.writing",
    "CollectionRow": "collections",
    "Collections": "collections.store",
    "CollectionsView": "collections",
    "Copied": "store.sqlite.copies",
    "Moved": "moving.run",
    "move": "moving.run",
    "Corpus": "corpus",
    "CorpusError": "errors",
    "Direction": "graph.interface",
    "DocumentRow": "store.truth.rows",
    "Within": "store.truth.rows",
    "Done": "ingest.report",
    "Embedder": "collections.store",
    "ExcerptRoom": "evidence.showing.excerpts",
    "FULL_TEXT": "collections",
    "FetchedOrigin": "ingest.sources.origin",
    "Field": "fields",
    "Filters": "model",
    "FoundChunk": "collections.searching",
    "Given": "ingest.sources.given",
    "GraphRows": "graph.queries",
    "GraphUnavailable": "graph.interface",
    "Hits": "retrieval.hits",
    "KEYWORD": "collections",
    "LazyCrossEncoder": "evidence.chooser",
    "Migrations": "collections.migrations",
    "NewChunk": "collections",
    "LinksChanged": "graph.neo4j.links",
    "Neo4jLinks": "graph.neo4j.links",
    "Node": "graph.interface",
    "OneOf": "fields",
    "Origin": "ingest.sources.origin",
    "OtherModel": "collections.writing",
    "Passage": "store.truth.rows",
    "Place": "model",
    "Plan": "ingest.planning",
    "Progress": "ingest.report",
    "Query": "collections.searching",
    "Question": "retrieval.question",
    "Quote": "evidence.quotes",
    "QuoteSource": "evidence.quotes",
    "RELATIONSHIPS": "graph.interface",
    "Rebound": "collections.searching",
    "Remaking": "collections.migrations",
    "Root": "ingest.sources.scan",
    "Row": "graph.queries",
    "Run": "ingest.run",
    "LeftOut": "ingest.sources.left_out",
    "PARSER_VERSION": "documents",
    "Failure": "ingest.reading.prepare",
    "Parsed": "ingest.reading.prepare",
    "ParsedDocument": "model",
    "SUFFIXES": "documents",
    "WATCHED_SUFFIXES": "documents",
    "Stopped": "ingest.beside",
    "UnreadPage": "documents",
    "page_runs": "ingest.report",
    "read_apart": "ingest.reading.apart",
    "NO_PAGES": "model",
    "Scope": "model",
    "Scorer": "evidence.chooser",
    "Site": "sites",
    "Source": "ingest.sources.source",
    "Stamp": "ingest.planning",
    "Standing": "collections.rebuilding",
    "StoredChunk": "collections",
    "Surroundings": "store.truth.rows",
    "TableChanges": "store.truth.tables",
    "TableRows": "store.truth.tables",
    "Tables": "store.truth.tables",
    "Taken": "collections.migrations",
    "Truth": "store.truth.interface",
    "Unavailable": "errors",
    "Unfit": "fields",
    "Version": "ingest.sources.origin",
    "anchor_at": "evidence.showing.opening",
    "back_up": "store.sqlite.copies",
    "best_spans": "evidence.showing.previews",
    "not_pages": "sites",
    "bullets": "evidence.showing.excerpts",
    "cap_cpu": "ingest.reading.limits",
    "cap_memory": "ingest.reading.limits",
    "changes": "ingest.sources.watch",
    "check_conditions": "fields",
    "confidence": "evidence.confidence",
    "covers": "evidence.confidence",
    "cut": "evidence.showing.excerpts",
    "digest": "model",
    "embedded": "collections.preparing",
    "embedding_of": "configured",
    "end_of_excerpt": "evidence.showing.excerpts",
    "fingerprint": "model",
    "has_truth": "configured",
    "is_archive": "ingest.brought",
    "is_git_address": "ingest.brought",
    "is_version": "versions",
    "known_profile": "configured",
    "left_unsaid": "evidence.confidence",
    "open_at": "evidence.showing.opening",
    "packed": "collections.preparing",
    "page_bytes": "documents.formats.given_page",
    "part_of": "line_map",
    "preview": "evidence.showing.previews",
    "projection": "graph.queries",
    "read_status": "status",
    "query_terms": "lexical",
    "repository": "ingest.brought",
    "reset": "store.sqlite.copies",
    "restore": "store.sqlite.copies",
    "roots": "ingest.sources.scan",
    "site_in": "sites",
    "sentences": "evidence.sentences",
    "source_lines": "line_map",
    "source_pages": "line_map",
    "suggested_questions": "lexical.suggestions",
    "table_above": "evidence.choosing.blocks",
    "terms_of": "lexical",
    "told_apart": "collections",
    "unpacked": "ingest.brought",
    "verdict": "evidence.confidence",
    "verify": "evidence.verification",
    "version_asked": "versions",
    "versions_of": "versions",
    "weighted": "evidence.quotes",
    "widened": "evidence.spans",
    "without_deep_tags": "documents.html.depth",
    "words_of": "collections.preparing",
}
_MODULES = {
    "graph_finding": "graph.finding",
    "graph_queries": "graph.queries",
    "stopping": "stopping",
    "tokens": "tokens",
}

__all__ = [
    "FULL_TEXT",
    "KEYWORD",
    "NO_PAGES",
    "PARSER_VERSION",
    "RELATIONSHIPS",
    "SUFFIXES",
    "WATCHED_SUFFIXES",
    "Area",
    "BadQuestion",
    "BeginsWith",
    "Between",
    "BytesOrigin",
    "Candidate",
    "Chooser",
    "Claim",
    "CollectionRow",
    "Collections",
    "CollectionsView",
    "Copied",
    "Corpus",
    "CorpusError",
    "Direction",
    "DocumentRow",
    "Done",
    "Embedder",
    "ExcerptRoom",
    "Failure",
    "FetchedOrigin",
    "Field",
    "Filters",
    "FoundChunk",
    "Given",
    "GraphRows",
    "GraphUnavailable",
    "Hits",
    "LazyCrossEncoder",
    "LeftOut",
    "LinksChanged",
    "Migrations",
    "Moved",
    "Neo4jLinks",
    "NewChunk",
    "Node",
    "OneOf",
    "Origin",
    "OtherModel",
    "Parsed",
    "ParsedDocument",
    "Passage",
    "Place",
    "Plan",
    "Progress",
    "Query",
    "Question",
    "Quote",
    "QuoteSource",
    "Rebound",
    "Remaking",
    "Root",
    "Row",
    "Run",
    "Scope",
    "Scorer",
    "Site",
    "Source",
    "Stamp",
    "Standing",
    "Stopped",
    "StoredChunk",
    "Surroundings",
    "TableChanges",
    "TableRows",
    "Tables",
    "Taken",
    "Truth",
    "Unavailable",
    "Unfit",
    "UnreadPage",
    "Version",
    "Within",
    "anchor_at",
    "back_up",
    "best_spans",
    "bullets",
    "cap_cpu",
    "cap_memory",
    "changes",
    "check_conditions",
    "confidence",
    "covers",
    "cut",
    "digest",
    "embedded",
    "embedding_of",
    "end_of_excerpt",
    "fingerprint",
    "graph_finding",
    "graph_queries",
    "has_truth",
    "is_archive",
    "is_git_address",
    "is_version",
    "known_profile",
    "left_unsaid",
    "move",
    "not_pages",
    "open_at",
    "packed",
    "page_bytes",
    "page_runs",
    "part_of",
    "preview",
    "projection",
    "query_terms",
    "read_apart",
    "read_status",
    "repository",
    "reset",
    "restore",
    "roots",
    "sentences",
    "site_in",
    "source_lines",
    "source_pages",
    "stopping",
    "suggested_questions",
    "table_above",
    "terms_of",
    "tokens",
    "told_apart",
    "unpacked",
    "verdict",
    "verify",
    "version_asked",
    "versions_of",
    "weighted",
    "widened",
    "without_deep_tags",
    "words_of",
]


def __getattr__(name: str) -> object:
    if name not in _HOME and name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
