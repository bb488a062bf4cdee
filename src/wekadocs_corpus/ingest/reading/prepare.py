"""One document to everything that the truth stores of it. Runs in processes of its own: no store is touched here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.documents import (
    PARSER_VERSION,
    Allowance,
    Unreadable,
    UnreadPage,
    doc_tags,
    read_document,
    searchable,
    updated_at,
)
from wekadocs_corpus.graph.extraction.extract import EXTRACTOR_VERSION, extract
from wekadocs_corpus.ingest.sources.origin import Origin, Version
from wekadocs_corpus.labels import HIDDEN
from wekadocs_corpus.lexical import LEXICAL_VERSION, embedding_text
from wekadocs_corpus.lexical.vectors import document_vectors
from wekadocs_corpus.model import Chunk, Document, ParsedDocument, Place, Prepared, digest
from wekadocs_corpus.sites import NO_PAGE, Page, is_copied, page_url
from wekadocs_corpus.store.writing.rows import Rows, rows
from wekadocs_corpus.versions import VERSION

from .included import Included, whole_hash

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.store.truth.interface import Truth

# Another version of any of these reads every file again.
READING_VERSION = f"{PARSER_VERSION}/{LEXICAL_VERSION}/{EXTRACTOR_VERSION}"
_NO_VERSION = Version(0, 0)
PARSE_ONLY = ""  # instead of a model: nothing is made ready to be written


def reading_version(page: Page, tags: tuple[str, ...] = ()) -> str:
    """The same for documents that were read alike: also the configuration of a site makes anchors and addresses."""
    marks = [
        *([page.site.mark] if page.site.mark else []),
        *(["file"] if page.site.mark and is_copied(page) else []),  # once it had a page's address
        *([digest(*tags)[:12]] if tags else []),
    ]
    return "/".join([READING_VERSION, *marks])


@dataclass(frozen=True)
class Task:
    """What looks new or changed."""

    origin: Origin
    place: Place
    root: str
    changed: float  # when, in seconds since 1970, as far as its source knows
    known_hash: str  # of the bytes taken in before; "" when new, moved, or read by other readers
    new: bool
    largest: int  # bytes
    neighbours: tuple[str, ...] = ()  # what the page took in of others when it was read before
    page: Page = NO_PAGE
    tags: tuple[str, ...] = ()  # beside its own
    product: str = ""  # the version of the product that it describes
    state: str = ""  # of its source: see Source.state

    @property
    def version(self) -> Version:
        """As the truth keeps it; what has none is read again each time."""
        return self.origin.version or _NO_VERSION

    @property
    def mark(self) -> str:
        """The same at another machine that would make the same document of it."""
        seen = (self.state,) if self.state else (self.root, *map(str, self.version))
        return digest(reading_version(self.page, self.tags), self.place.path, self.product, *seen)[:24]


@dataclass(frozen=True)
class Failure:
    """A document that could not be taken in, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Same:
    """Other times, same bytes."""


@dataclass(frozen=True)
class Ready:
    """A document to write; `to_embed` holds what the worker left to the caller: hash → text."""

    rows: Rows
    to_embed: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[UnreadPage, ...] = ()


@dataclass(frozen=True)
class Parsed:
    """A document as it was read, for whoever keeps it elsewhere; `digest` is the SHA-256 of its bytes."""

    document: ParsedDocument
    digest: str


Outcome = Ready | Same | Failure | Parsed


def parse(tasks: Sequence[Task], allowance: Allowance | None = None) -> list[Outcome]:
    """Read and parse only."""
    return [_parsed_only(task, allowance) for task in tasks]


def _parsed_only(task: Task, allowance: Allowance | None) -> Parsed | Failure:
    try:
        _check_name(task)
        data = task.origin.read(task.largest)
        included = Included(task.origin, task.largest)
        name, identity = task.origin.path, task.place.document_id
        document = read_document(name, data, identity, included, task.page.naming, allowance)
    except MemoryError:
        raise  # as below
    except Exception as error:
        return Failure(task.origin.shown, reason_of(error))
    return Parsed(document, sha256(data).hexdigest())


def prepare(
    tasks: Sequence[Task],
    embedder: Embedder | None,
    model: str,
    rules: EntityRules | None = None,
    allowance: Allowance | None = None,
) -> list[Outcome]:
    """Read, parse, analyse; with an embedder also embed. One outcome for each, whatever is wrong with another."""
    try:
        found = [_parsed(task, allowance) for task in tasks]
        documents = [(task, each) for task, each in zip(tasks, found, strict=True) if isinstance(each, _Read)]
        ready = iter(_ready(documents, embedder, model, rules))
        return [next(ready) if isinstance(each, _Read) else each for each in found]
    except MemoryError:
        raise  # the process has a cap, and is no place to go on in
    except Exception as error:
        if len(tasks) == 1:
            return [Failure(tasks[0].origin.shown, reason_of(error))]
        return [outcome for task in tasks for outcome in prepare([task], embedder, model, rules, allowance)]


def is_known(task: Task) -> bool:
    """Whether it has the bytes that were taken in before."""
    try:
        return bool(task.known_hash) and _known_hash(task, task.origin.read(task.largest)) == task.known_hash
    except (OSError, Unreadable):
        return False


def _known_hash(task: Task, data: bytes) -> str:
    """As it would be if the page took in what it took in before."""
    return whole_hash(data, {path: task.origin.neighbour(path, task.largest) for path in task.neighbours})


def _check_name(task: Task) -> None:
    path = task.origin.path
    try:
        "\0".join((task.root, path, task.origin.locator)).encode()
    except UnicodeEncodeError:
        raise Unreadable("its path is not valid UTF-8: rename it") from None
    if HIDDEN.search(path):
        raise Unreadable("its path has a line end or another control character in it: rename it")
    if path.startswith("/") or ".." in path.split("/"):
        raise Unreadable("its path leads out of its root")


def reason_of(error: Exception) -> str:
    """Why it could not be read, without a piece of its text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, Unreadable):
        return str(error)
    # What else an error says may be a piece of the text.
    return getattr(error, "strerror", None) or type(error).__name__


@dataclass(frozen=True)
class _Read:
    """A document, and what of others it took in."""

    document: Document
    neighbours: str


def _parsed(task: Task, allowance: Allowance | None) -> _Read | Same | Failure:
    try:
        _check_name(task)
        data = task.origin.read(task.largest)
        if task.known_hash and _known_hash(task, data) == task.known_hash:
            return Same()
        included = Included(task.origin, task.largest)
        name, identity = task.origin.path, task.place.document_id
        parsed = read_document(name, data, identity, included, task.page.naming, allowance)
    except (OSError, Unreadable, RecursionError) as error:
        return Failure(task.origin.shown, reason_of(error))
    tag, *others = dict.fromkeys([*doc_tags(parsed, task.origin.path), *task.tags])
    document = Document(
        place=task.place,
        parsed=parsed,
        doc_tag=tag,
        other_tags=tuple(others),
        source_uri=task.origin.uri,
        updated_at=updated_at(parsed) or task.changed,
        content_hash=whole_hash(data, included.found),
        size_bytes=len(data),
        url=page_url(task.page, parsed.front_matter),
        fields=((VERSION.name, task.product),) if task.product else (),
    )
    return _Read(document, included.noted())


def _ready(
    documents: Sequence[tuple[Task, _Read]], embedder: Embedder | None, model: str, rules: EntityRules | None
) -> Iterator[Ready]:
    """Stage by stage: what a stage needs stays in the processor's caches, and numpy has more to do at once."""
    fields = [_fields(each.document.parsed) for _, each in documents]
    terms = iter(document_vectors([field for each in fields for field in each]))
    # A chunk of syntax only is kept for quoting but not found: its title alone would be noise.
    texts = [[embedding_text(*field) if field[2].strip() else "" for field in each] for each in fields]
    hashes = [tuple(digest(text) for text in each) for each in texts]
    to_embed = [dict(zip(keys, each, strict=True)) for keys, each in zip(hashes, texts, strict=True)]
    graphs = [extract(each.document, rules) for _, each in documents]
    vectors = embedded(embedder, dict(chain.from_iterable(each.items() for each in to_embed))) if embedder else {}
    for (task, each), keys, own, graph in zip(documents, hashes, to_embed, graphs, strict=True):
        prepared = Prepared(
            document=each.document,
            graph=graph,
            terms=tuple(islice(terms, len(keys))),
            embedded_hashes=keys,
            vectors={key: vectors[key] for key in own} if embedder else {},
            model=model,
            root=task.root,
            file_size=task.version.size,
            file_mtime_ns=task.version.changed_ns,
            parser_version=reading_version(task.page, task.tags),
            tokens=sum(chunk.tokens for chunk in each.document.parsed.chunks),
            neighbours=each.neighbours,
        )
        yield Ready(rows(prepared), {} if embedder else own, each.document.parsed.unread)


def _fields(parsed: ParsedDocument) -> list[tuple[str, Sequence[str], str]]:
    """Of each chunk the title, the headings above it and its words."""
    sections = {section.id: section for section in parsed.sections}
    return [(parsed.title, sections[chunk.section_id].headings, searchable(parsed, chunk)) for chunk in parsed.chunks]


def embedded(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, bytes]:
    """hash → vector as the truth stores it."""
    if not texts:
        return {}
    rows = embedder.embed_passages(list(texts.values())).astype("<f2")
    return {key: row.tobytes() for key, row in zip(texts, rows, strict=True)}


def texts_to_embed(truth: Truth, document_id: str) -> dict[str, str]:
    """hash → text of a stored document's chunks, as `prepare` made them when it was read."""
    document = truth.document(document_id)
    if document is None:
        return {}
    parsed = ParsedDocument(document.text, document.title, (), (), (), document.front_matter, document.language)
    bodies = [(row.headings, searchable(parsed, _chunk(row))) for row in truth.chunks_of(document_id)]
    texts = [embedding_text(document.title, headings, body) if body.strip() else "" for headings, body in bodies]
    return {digest(text): text for text in texts}


def _chunk(row: Any) -> Chunk:
    return Chunk(row.id, row.section_id, row.ordinal, row.start, row.end, row.tokens, row.kind, row.continues)
