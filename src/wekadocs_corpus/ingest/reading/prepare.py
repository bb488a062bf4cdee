"""One file to everything that the truth stores of it. Runs in processes of its own: no store is touched here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.documents import PARSER_VERSION, Unreadable, doc_tag, read_document, searchable, updated_at
from wekadocs_corpus.graph.extraction.extract import EXTRACTOR_VERSION, extract
from wekadocs_corpus.ingest.sources.scan import FoundFile
from wekadocs_corpus.labels import HIDDEN
from wekadocs_corpus.lexical import LEXICAL_VERSION, embedding_text
from wekadocs_corpus.lexical.vectors import document_vectors
from wekadocs_corpus.model import Chunk, Document, ParsedDocument, Place, Prepared, digest
from wekadocs_corpus.store.writing.rows import Rows, rows

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.graph.extraction.rules import EntityRules
    from wekadocs_corpus.store.sqlite.truth import Truth

# Another version of any of these reads every file again.
READING_VERSION = f"{PARSER_VERSION}/{LEXICAL_VERSION}/{EXTRACTOR_VERSION}"


@dataclass(frozen=True)
class Task:
    """A file that looks new or changed."""

    found: FoundFile
    place: Place
    root: str
    dated: float  # when Git or the file system says it was changed
    known_hash: str  # of the bytes taken in before; "" when new, moved, or read by other readers
    new: bool
    largest: int  # bytes


@dataclass(frozen=True)
class Failure:
    """A file that could not be taken in, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Same:
    """Other times, same bytes."""

    task: Task


@dataclass(frozen=True)
class Ready:
    """A document to write; `to_embed` holds what the worker left to the caller: hash → text."""

    rows: Rows
    to_embed: Mapping[str, str] = field(default_factory=dict)


Outcome = Ready | Same | Failure


def prepare(
    tasks: Sequence[Task], embedder: Embedder | None, model: str, rules: EntityRules | None = None
) -> list[Outcome]:
    """Read, parse, analyse; with an embedder also embed. One outcome for each, whatever is wrong with another."""
    try:
        found = [_parsed(task) for task in tasks]
        documents = [(task, each) for task, each in zip(tasks, found, strict=True) if isinstance(each, Document)]
        ready = iter(_ready(documents, embedder, model, rules))
        return [next(ready) if isinstance(each, Document) else each for each in found]
    except MemoryError:
        raise  # the process has a cap, and is no place to go on in
    except Exception as error:
        if len(tasks) == 1:
            return [Failure(tasks[0].found.shown, _reason(error))]
        return [outcome for task in tasks for outcome in prepare([task], embedder, model, rules)]


def is_known(task: Task) -> bool:
    """Whether the file has the bytes that were taken in before."""
    try:
        return bool(task.known_hash) and _hash(_read(task)) == task.known_hash
    except (OSError, Unreadable):
        return False


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _check_name(task: Task) -> None:
    try:
        task.found.file.as_posix().encode()
    except UnicodeEncodeError:
        raise Unreadable("its path is not valid UTF-8: rename it") from None
    if HIDDEN.search(task.found.path):
        raise Unreadable("its path has a line end or another control character in it: rename it")


def _read(task: Task) -> bytes:
    if task.found.size > task.largest:
        message = f"it has {task.found.size:,} bytes, the limit is {task.largest:,} (ingest.max_file_bytes)"
        raise Unreadable(message)
    with task.found.file.open("rb") as file:
        # Not all that is allowed at once: so much memory would be made ready for every small file.
        data = file.read(task.found.size + 1)
        if len(data) > task.found.size:
            data += file.read(task.largest + 1 - len(data))
    if len(data) > task.largest:
        raise Unreadable(f"it grew beyond the limit of {task.largest:,} bytes while it was read")
    return data


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, Unreadable):
        return str(error)
    # What else an error says may be a piece of the text.
    return getattr(error, "strerror", None) or type(error).__name__


def _parsed(task: Task) -> Document | Same | Failure:
    try:
        _check_name(task)
        data = _read(task)
        found_hash = _hash(data)
        if found_hash == task.known_hash:
            return Same(task)
        parsed = read_document(task.found.path, data, task.place.document_id)
    except (OSError, Unreadable, RecursionError) as error:
        return Failure(task.found.shown, _reason(error))
    return Document(
        place=task.place,
        parsed=parsed,
        doc_tag=doc_tag(parsed, task.found.path),
        source_uri=task.found.file.as_uri(),
        updated_at=updated_at(parsed) or task.dated,
        content_hash=found_hash,
        size_bytes=len(data),
    )


def _ready(
    documents: Sequence[tuple[Task, Document]], embedder: Embedder | None, model: str, rules: EntityRules | None
) -> Iterator[Ready]:
    """Stage by stage: what a stage needs stays in the processor's caches, and numpy has more to do at once."""
    fields = [_fields(document.parsed) for _, document in documents]
    terms = iter(document_vectors([field for each in fields for field in each]))
    # A chunk of syntax only is kept for quoting but not found: its title alone would be noise.
    texts = [[embedding_text(*field) if field[2].strip() else "" for field in each] for each in fields]
    hashes = [tuple(digest(text) for text in each) for each in texts]
    to_embed = [dict(zip(keys, each, strict=True)) for keys, each in zip(hashes, texts, strict=True)]
    graphs = [extract(document, rules) for _, document in documents]
    vectors = embedded(embedder, dict(chain.from_iterable(each.items() for each in to_embed))) if embedder else {}
    for (task, document), keys, own, graph in zip(documents, hashes, to_embed, graphs, strict=True):
        prepared = Prepared(
            document=document,
            graph=graph,
            terms=tuple(islice(terms, len(keys))),
            embedded_hashes=keys,
            vectors={key: vectors[key] for key in own} if embedder else {},
            model=model,
            root=task.root,
            file_size=task.found.size,
            file_mtime_ns=task.found.mtime_ns,
            parser_version=READING_VERSION,
            tokens=sum(chunk.tokens for chunk in document.parsed.chunks),
        )
        yield Ready(rows(prepared), {} if embedder else own)


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
