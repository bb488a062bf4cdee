"""What plugins over the documents share: errors a model can act on, paging, rows that fit, passages handed out.

Any plugin may import it, ours and strangers'; it imports the host's and the corpus's public names, never a plugin.
What one plugin yields reaches another by `context.use`; `Scratch` is the type of what plugin `scratch` yields.

Imported by: plugins.
"""

from .arguments import FilterArguments, invalid_argument, read_filters, require_text
from .corpus_errors import corpus_errors, nothing_indexed, refuse_when_empty
from .document_parts import DocumentPart, document_uri, part_from
from .graph_answers import NodesWithEdges, ask_graph, graph_errors, with_their_edges
from .handles import HandsOutPassages, Scratch, in_scope, link_to, owner_of, unknown_handle, uri_of
from .kept import Kept, Owner, place_on_site
from .pagination import ID_LETTERS, ShowPage, page_that_fits, question_digest, rest_behind
from .retrieval import AsksCorpus, find, how_it_went, read_question
from .row_budget import Show, as_many_as_fit, first_rows, limit_reason, nested_rows
from .truncation import truncated
from .views import APP_TYPE, VIEWS, answer_page

__all__ = [
    "APP_TYPE",
    "ID_LETTERS",
    "VIEWS",
    "AsksCorpus",
    "DocumentPart",
    "FilterArguments",
    "HandsOutPassages",
    "Kept",
    "NodesWithEdges",
    "Owner",
    "Scratch",
    "Show",
    "ShowPage",
    "answer_page",
    "as_many_as_fit",
    "ask_graph",
    "corpus_errors",
    "document_uri",
    "find",
    "first_rows",
    "graph_errors",
    "how_it_went",
    "in_scope",
    "invalid_argument",
    "limit_reason",
    "link_to",
    "nested_rows",
    "nothing_indexed",
    "owner_of",
    "page_that_fits",
    "part_from",
    "place_on_site",
    "question_digest",
    "read_filters",
    "read_question",
    "refuse_when_empty",
    "require_text",
    "rest_behind",
    "truncated",
    "unknown_handle",
    "uri_of",
    "with_their_edges",
]
