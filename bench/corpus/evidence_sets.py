"""Labelled sets for bench/corpus/evidence.py: an indexed corpus, its questions, and what counts as an answer found."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from indexes import Formulas
from quality import SetAsTruth, rows

from wekadocs_corpus.configured import likeness_of
from wekadocs_corpus.documents import read_document, searchable
from wekadocs_corpus.embedding.choose import load
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.evidence import quotes, spans
from wekadocs_corpus.evidence.choosing.quoting import Evidence
from wekadocs_corpus.evidence.choosing.weighing import Likeness, weighed
from wekadocs_corpus.evidence.quotes import Quote, QuoteSource
from wekadocs_corpus.evidence.sentences import sentences
from wekadocs_corpus.lexical import embedding_text, query_terms, terms_of
from wekadocs_corpus.lexical.vectors import document_vectors, unpack
from wekadocs_corpus.model import Filters
from wekadocs_corpus.retrieval import question as corpus_question
from wekadocs_corpus.retrieval.closeness import Closeness
from wekadocs_corpus.retrieval.stages import Means, Search, finding, run
from wekadocs_corpus.store.sql.reading.reading_on import AFTER, BEFORE, reach

SETS = {
    "squad": "string",
    "hotpot-multihop": "string",
    "scifact-train": "rationale",
    "tvmanual": "sentences",
    "anthropic-docs-qa": "words",
}
PASSAGES, QUOTES, TOKENS = 10, 6, 80


def normal(text: str) -> str:
    return " ".join(text.lower().split())


def quotable(text: str) -> str:
    """As much of a sentence as one quote can hold."""
    start, end = spans.clip(text, (0, len(text)), TOKENS - 2)  # as `plain` has it, so that both can be compared
    return normal(text[start:end])


@dataclass(frozen=True)
class Question:
    name: str  # with its set's
    text: str
    gold: Any = ()
    documents: frozenset[str] = frozenset()  # that answer it

    @property
    def held(self) -> bool:
        return bool(zlib.crc32(self.name.encode()) & 1)


@dataclass(frozen=True)
class Asked:
    """A question with the passages found for it."""

    question: Question
    read: corpus_question.Question
    sources: list[QuoteSource]
    legs: list[tuple[float, float]]  # each passage's scores by words and by vectors
    found: bool  # one of the documents that answer it is among the passages
    likeness: Likeness

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence.of(self.read, self.sources, weighed(self.read, self.sources, self.likeness), self.likeness)

    def weighted(self, context: int) -> list[Quote]:
        return self.evidence.quotes(QUOTES, QUOTES * (TOKENS + context))

    def plain(self, context: int) -> list[Quote]:
        return quotes.plain(self.question.text, self.sources, QUOTES, TOKENS, context)

    def texts(self, chosen: Iterable[Quote]) -> list[str]:
        return [self.sources[each.source].text[each.span[0] : each.span[1]] for each in chosen]


class Corpus:
    """One set, indexed."""

    def __init__(self, folder: Path) -> None:
        self.passages: list[tuple[str, tuple[str, ...], str]] = []
        self.texts: list[str] = []
        self.documents: list[str] = []
        self.tokens: list[int] = []
        self.spans: dict[str, tuple[int, int]] = {}  # each document's chunks
        for entry in rows(folder / "corpus.jsonl"):
            self._add(entry["_id"], entry.get("title") or "", entry["text"])
        self.embedder = load({"provider": "static"})
        self.likeness = likeness_of(self.embedder)
        terms = list(map(unpack, document_vectors(self.passages)))
        vectors = self.embedder.embed_passages([embedding_text(*passage) for passage in self.passages])
        self.index = Formulas(terms, vectors, self.documents)
        texts = [(told[0], text) for told, text in zip(self.passages, self.texts, strict=True)]
        self.truth = SetAsTruth(terms, texts)
        self.means = Means(self.index, self.truth, self.embedder, Closeness(StaticEmbedder().embed_words))

    def _add(self, name: str, title: str, text: str) -> None:
        markdown = text if text.startswith("# ") else f"# {title}\n\n{text}"
        parsed = read_document(f"{zlib.crc32(name.encode())}.md", markdown.encode(), name)
        headings = {section.id: section.headings for section in parsed.sections}
        for chunk in parsed.chunks:
            self.passages.append((parsed.title, headings[chunk.section_id], searchable(parsed, chunk)))
            self.texts.append(parsed.text[chunk.start : chunk.end])
            self.documents.append(name)
            self.tokens.append(chunk.tokens)
        self.spans[name] = (len(self.texts) - len(parsed.chunks), len(self.texts))

    def _source(self, place: int, others: Sequence[int]) -> QuoteSource:
        """As the corpus reads a passage on, and evidence around it."""
        first, last = self.spans[self.documents[place]]
        low, high = reach(self.tokens[first:last], place - first, [at - first for at in others if first <= at < last])
        heading = "\n".join(dict.fromkeys((self.passages[place][0], *self.passages[place][1])))
        low, high, start, end = first + low, first + high, first + low, first + high
        while start > first and sum(self.tokens[start - 1 : low]) <= BEFORE:
            start -= 1
        while end < last and sum(self.tokens[high : end + 1]) <= AFTER:
            end += 1
        before, own, after = ("".join(self.texts[slice(*part)]) for part in ((start, low), (low, high), (high, end)))
        name, found = self.documents[place], (len(before), len(before) + len(own))
        offset = sum(map(len, self.texts[first:start]))
        return QuoteSource(before + own + after, heading, False, name, offset, self.passages[place][0], found)

    async def ask(self, question: Question, without: frozenset[str] = frozenset()) -> Asked:
        """`without`: documents that are not there."""
        read = self.truth.read(question.text)
        search = Search(Filters(), PASSAGES + len(without))
        found = await run(read, finding(search, self.means))
        first = {hit.document_id: hit for hit in reversed(found.ranked) if hit.document_id not in without}
        hits = sorted(first.values(), key=lambda hit: -hit.score)[:PASSAGES]
        sources = [self._source(int(hit.chunk_id), [int(each.chunk_id) for each in found.ranked]) for hit in hits]
        legs = [(hit.words_score or 0.0, hit.vectors_score or 0.0) for hit in hits]
        there = any(hit.document_id in question.documents for hit in hits)
        return Asked(question, read, sources, legs, there, self.likeness)


def questions(folder: Path, most: int) -> list[Question]:
    kind = SETS[folder.name]
    answers: dict[str, list[Any]] = defaultdict(list)
    source = folder / ("evidence.jsonl" if kind == "rationale" else "answers.jsonl")
    for row in rows(source):
        answers[row["query-id"]].append(row["texts"] if kind == "rationale" else row["answer"])
    documents: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        documents[line.split("\t")[0]].add(line.split("\t")[1])
    made = [
        Question(folder.name + name, row["text"], gold, frozenset(documents[name]))
        for row in rows(folder / "queries.jsonl")
        if (name := row["_id"]) in answers and (gold := wanted(kind, row["text"], answers[name]))
    ]
    return sampled(made, most)


def sampled(made: Iterable[Question], most: int) -> list[Question]:
    return sorted(made, key=lambda each: zlib.crc32(each.name.encode()[::-1]))[:most]


def wanted(kind: str, question: str, answers: Sequence[Any]) -> Any:
    if kind == "string":
        return [normal(each) for each in answers if normal(each) not in ("yes", "no")]
    if kind == "rationale":
        return [[quotable(sentence) for sentence in each] for each in answers]
    if kind == "sentences":
        return [quotable(answers[0][a:b]) for a, b in sentences(answers[0]) if b - a > 15]
    return set(query_terms(answers[0])) - set(query_terms(question))


def found(kind: str, gold: Any, texts: Sequence[str]) -> float:
    if kind == "words":
        return len(gold & terms_of("\n".join(texts))) / len(gold)
    had = [normal(text) for text in texts]
    if kind == "rationale":
        return float(any(all(any(part in text for text in had) for part in each) for each in gold))
    inside = [any(part in text for text in had) for part in gold]
    return fmean(inside) if kind == "sentences" else float(any(inside))


def holds(kind: str, gold: Any, text: str) -> bool:
    """Whether one quote is right."""
    return any(found("string", parts, [text]) for parts in (gold if kind == "rationale" else [gold]))
