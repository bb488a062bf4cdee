"""A batch as it came, judged whole before anything is written: sizes, models, vectors, ids."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..errors import embedding_mismatch, invalid
from ..rendering import named, part

if TYPE_CHECKING:
    from wekadocs_corpus import StoredChunk

    from ..projects import Project

Item = Mapping[str, Any]
PAYLOAD_ORDER = ("project", "source", "zotero", "doc", "embed_model", "version", "fulltext")
_COMPUTED = re.compile(r"[0-9a-f]{16}")
_POSITIONS = 1000  # more than a batch has chunks of one document
_VERSION = "1"  # of the payload's layout, where a caller says none


@dataclass(frozen=True)
class Judged:
    """One item that can be stored."""

    place: int  # in the batch
    id: str
    doc: str
    text: str
    fulltext: str | None
    payload: dict[str, Any]
    embedding: Sequence[float] | None


def check_size(project: Project, count: int, most: int, final: bool) -> None:
    least = 1 if final else project.min_batch
    if least <= count <= most:
        return
    limits = f"this project takes {project.min_batch} to {most} at a time"
    way = "Collect more, or pass final=true for the rest of a document."
    if count > most or not count:
        way = "Send them in several calls." if count else "Send at least one, also with final=true."
    message = f"The batch has {count} items; {limits}. {way}"
    raise invalid(message, path="/items", batch_size=count, min_batch=project.min_batch, max_batch=most)


def model_of(item: Item) -> str | None:
    return (item.get("metadata") or {}).get("embed_model") or None


def check_models(project: str, items: Sequence[Item], expected: str, *, embeds_here: bool) -> None:
    """Every item's model is the collection's."""
    for place, item in enumerate(items):
        model = model_of(item)
        if model is None and item.get("embedding") is not None:
            way = f"name it in metadata.embed_model; the project's is {expected!r}"
            raise invalid(f"items[{place}]: which model is this vector of? {way}.", path=f"/items/{place}", index=place)
        if model is not None and model != expected:
            raise embedding_mismatch(project, expected, model, place, embeds_here=embeds_here)


def migrated_model(items: Sequence[Item], configured: str) -> str:
    """The one model that a migrating batch brings; the configured one where it names none."""
    models = list(dict.fromkeys(model for item in items if (model := model_of(item))))
    if len(models) > 1:
        raise invalid(f"A migration leads to one model, and this batch names several: {models[:5]}.", path="/items")
    return models[0] if models else configured


def check_vectors(items: Sequence[Item], dimension: int, has_provider: bool) -> int:
    """Every vector that is given can be compared; the dimension, which the first decides if nobody else has."""
    for place, item in enumerate(items):
        vector = item.get("embedding")
        where = {"path": f"/items/{place}/embedding", "index": place}
        if vector is None:
            if not has_provider:
                way = "send its vector in embedding and name its model in metadata.embed_model"
                raise invalid(f"items[{place}]: this server does not have the project's model; {way}.", **where)
            continue
        dimension = dimension or len(vector)
        if len(vector) != dimension or not vector:
            told = f"items[{place}].embedding has {len(vector)} numbers; the collection's vectors have {dimension}."
            raise invalid(told, **where, expected=dimension, found=len(vector))
        if wrong := _unusable(vector):
            raise invalid(f"items[{place}].embedding {wrong}.", **where)
    return dimension


def _unusable(vector: Sequence[float]) -> str:
    """Why no other vector can be compared with it; nothing where one can."""
    try:
        if not all(map(math.isfinite, vector)):
            return "holds a number that is not finite"
        length = math.fsum(each * each for each in vector)
    except OverflowError:  # an integer that no float holds
        length = math.inf
    if not any(vector):
        return "is all zeros: it says nothing"
    if not math.isfinite(length):
        return "is too long to be compared"
    return "" if length else "is too short to be compared"


def read(project: str, items: Sequence[Item], model: str) -> list[Judged]:
    """With payload and id each; the same id twice is still there twice."""
    counts: dict[str, int] = {}
    return [_read(project, place, item, model, counts) for place, item in enumerate(items)]


def _read(project: str, place: int, item: Item, model: str, counts: dict[str, int]) -> Judged:
    given = {name: value for name, value in (item.get("metadata") or {}).items() if value is not None}
    if given.get("project", project) != project:
        told = f"items[{place}].metadata.project is {given['project']!r}; the call's project is {project!r}."
        raise invalid(told, path=f"/items/{place}/metadata/project", index=place)
    text: str = item["text"]
    if not text.strip():
        raise invalid(
            f"items[{place}].text is blank: there is nothing to find.", path=f"/items/{place}/text", index=place
        )
    fulltext = given.pop("fulltext", None)
    payload = {"project": project, "version": _VERSION, **given, "embed_model": model, "fulltext": ""}
    doc, idx = _document(payload, text), part(payload, "doc").get("chunk_idx")
    number = counts[doc] = counts.get(doc, -1) + 1
    id = item.get("id") or chunk_id(doc, part(payload, "doc"), model, number if idx is None else idx)
    _check_encodable(place, [id, text, fulltext or "", str(payload)])
    kept = None if fulltext is None or fulltext == text else fulltext
    return Judged(place, id, doc, text, kept, _ordered(payload), item.get("embedding"))


def _ordered(payload: Mapping[str, Any]) -> dict[str, Any]:
    """`fulltext` is kept in a place of its own, and only named here."""
    return {name: payload[name] for name in PAYLOAD_ORDER if name in payload}


def _check_encodable(place: int, texts: Sequence[str]) -> None:
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        told = f"items[{place}] holds half a character (a lone surrogate), which cannot be stored."
        raise invalid(told, path=f"/items/{place}", index=place) from None


def _document(payload: Mapping[str, Any], text: str) -> str:
    """What the chunks of one document share: its id, else its path, else the text alone."""
    if given := part(payload, "doc").get("id"):
        return str(given)
    path = part(payload, "source").get("path")
    return f"path_{_hex(path)}" if path else f"text_{_hex(text)}"


def chunk_id(doc: str, place: Mapping[str, Any], model: str, number: int) -> str:
    """The same chunk of the same document has the same id, whoever stores it."""
    pages = place.get("page_span")
    location = "|".join(place.get("section_path") or []) or (f"p{pages[0]}-{pages[1]}" if pages else "")
    return _hex(f"{doc}:{location}:{model}:{number}")


def naming(model: str) -> Callable[[StoredChunk], tuple[str, dict[str, Any]]]:
    """What a chunk is called under another model, and its payload: an id that was computed is computed anew, so that
    storing the same document again still changes nothing.
    """
    places: dict[str, int] = {}

    def named_anew(chunk: StoredChunk) -> tuple[str, dict[str, Any]]:
        place, former = part(chunk.payload, "doc"), str(chunk.payload.get("embed_model") or "")
        number = _number(chunk, place, former, places.get(chunk.doc, 0))
        payload = {**chunk.payload, "embed_model": model}
        if number is None:
            return chunk.id, payload
        places[chunk.doc] = number + 1
        return chunk_id(chunk.doc, place, model, number), payload

    return named_anew


def _number(chunk: StoredChunk, place: Mapping[str, Any], model: str, likely: int) -> int | None:
    """The position that its id was computed from; None where the id is a caller's own."""
    if not _COMPUTED.fullmatch(chunk.id):
        return None
    given = place.get("chunk_idx")
    tried = [given] if given is not None else [likely, *range(_POSITIONS)]
    return next((each for each in tried if chunk_id(chunk.doc, place, model, each) == chunk.id), None)


def _hex(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def last_of_each(batch: Sequence[Judged]) -> tuple[list[Judged], list[str]]:
    """Of the same id the last; warnings name the others."""
    last = {each.id: each for each in batch}
    lost = [each for each in batch if last[each.id] is not each]
    told = [
        f"items[{each.place}]: id {named(each.id)} comes again at items[{last[each.id].place}]; the last wins"
        for each in lost
    ]
    return list(last.values()), told


def with_zotero(item: Judged, known: Mapping[str, Any]) -> Judged:
    """What a reference tells, where the caller told nothing."""
    given = {name: value for name, value in part(item.payload, "zotero").items() if value not in (None, "", [])}
    return replace(item, payload=_ordered({**item.payload, "zotero": {**known, **given}}))
