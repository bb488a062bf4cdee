"""Prepared documents made by hand: small numbers for terms and vectors, so that a test can say what must come out."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from wekadocs_corpus.fields import Values
from wekadocs_corpus.model import Chunk, Document, GraphPart, ParsedDocument, Place, Prepared, Section, digest

MODEL = "test-8"
DIMENSION = 8


def pack(terms: Mapping[int, float]) -> bytes:
    """As lexical.pack: ids, then weights, ordered by id."""
    ids = sorted(terms)
    return struct.pack(f"<{len(ids)}I{len(ids)}f", *ids, *(terms[each] for each in ids))


def vector(seed: int, dimension: int = DIMENSION) -> bytes:
    row = np.random.default_rng(seed).normal(size=dimension)
    return (row / np.linalg.norm(row)).astype("<f2").tobytes()


def prepared(
    path: str = "guide/install.md",
    bodies: Sequence[str] = ("first part\n", "second part\n"),
    terms: Sequence[Mapping[int, float]] | None = None,
    vectors: Sequence[bytes] | None = None,
    *,
    project: str = "p",
    environment: str = "prod",
    repository: str = "",
    doc_tag: str = "guide",
    other_tags: tuple[str, ...] = (),
    fields: Values = (),
    chunk_fields: Sequence[Values] = (),
    updated_at: float = 1000.0,
    root: str = "/docs",
    locator: str = "",
    graph: GraphPart = GraphPart(),  # noqa: B008 (frozen)
    known: Sequence[str] = (),
    model: str = MODEL,
) -> Prepared:
    """A document of one section per body, one chunk per section; anchors are s0, s1, …"""
    place = Place(project, environment, repository, path, locator)
    name, text = place.document_id, "".join(bodies)
    starts = [sum(map(len, bodies[:index])) for index in range(len(bodies) + 1)]
    spans = list(pairwise(starts))
    sections = tuple(
        Section(digest(name, "s", str(i)), i, 1, f"Part {i}", f"s{i}", start, end, None, (f"Part {i}",))
        for i, (start, end) in enumerate(spans)
    )
    chunks = tuple(
        Chunk(digest(name, "c", str(i), body), sections[i].id, i, *spans[i], tokens=len(body.split()))
        for i, body in enumerate(bodies)
    )
    if chunk_fields:
        chunks = tuple(each._replace(fields=own) for each, own in zip(chunks, chunk_fields, strict=True))
    parsed = ParsedDocument(text, path, sections, chunks, front_matter={"tags": ["a"]}, language="en")
    hashes = tuple(digest(body) for body in bodies)
    given = vectors if vectors is not None else [vector(int(each[:8], 16)) for each in hashes]
    packed = tuple(map(pack, terms if terms is not None else [{len(body): 1.0} for body in bodies]))
    return Prepared(
        document=Document(
            place,
            parsed,
            doc_tag,
            f"file://{root}/{path}",
            updated_at,
            digest(text),
            len(text.encode()),
            other_tags=other_tags,
            fields=fields,
        ),
        graph=graph,
        terms=packed,
        embedded_hashes=hashes,
        vectors={each: blob for each, blob in zip(hashes, given, strict=True) if each not in known},
        model=model,
        root=root,
        file_size=len(text),
        file_mtime_ns=7,
        parser_version="1",
        tokens=sum(chunk.tokens for chunk in chunks),
    )


def renamed(made: Prepared) -> Prepared:
    """With ids as callers choose them, every third chunk keeping one of ours."""
    forms = ("{0}", "chunk №{1} of {2}: “ü”", "{2}#p={1}/" + "x" * 200)
    chunks = tuple(
        chunk._replace(id=forms[number % 3].format(chunk.id, number, made.document.id))
        for number, chunk in enumerate(made.document.parsed.chunks)
    )
    return replace(made, document=replace(made.document, parsed=replace(made.document.parsed, chunks=chunks)))
