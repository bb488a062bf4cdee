"""Retrieval quality of the shipped default on labelled sets: python bench/corpus/quality.py FOLDER

FOLDER (or WEKADOCS_DATA) holds sets in BEIR form: corpus.jsonl, queries.jsonl, qrels.tsv. Each entry becomes a Markdown
document, is chunked and goes through retrieval's stages as in the server: words alone, vectors alone, both. "held" are
the questions whose hash is odd. It is no clean hold-out for what is shipped: the formula, the title and heading
weights, and the second look's parts, weights and number of candidates were chosen with both halves in sight.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from indexes import Formulas

from wekadocs_corpus.embedding.choose import load
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.lexical import AskedWords, embedding_text
from wekadocs_corpus.lexical.vectors import document_vectors, unpack
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.retrieval.closeness import Closeness, Text
from wekadocs_corpus.retrieval.fusion import Fuse, KeepBest
from wekadocs_corpus.retrieval.legs import Legs
from wekadocs_corpus.retrieval.question import Question
from wekadocs_corpus.retrieval.second_look import SecondLook
from wekadocs_corpus.retrieval.stages import run
from wekadocs_corpus.store.writing.term_vectors import idf
from wekadocs_corpus.tuning import TUNING

LEGS = ("words", "vectors", "hybrid")
AREA = Area("bench", "bench")
Passage = tuple[str, tuple[str, ...], str]  # title, headings, body
Read = tuple[Passage, str]  # and the text as it stands there


@dataclass
class Labelled:
    """One set: passages with their document, questions with what answers them."""

    name: str
    passages: list[Passage] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)
    relevant: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass
class Figures:
    ndcg: dict[str, list[float]] = field(default_factory=lambda: {leg: [] for leg in LEGS})
    recall5: dict[str, list[float]] = field(default_factory=lambda: {leg: [] for leg in LEGS})
    recall10: dict[str, list[float]] = field(default_factory=lambda: {leg: [] for leg in LEGS})
    held: list[bool] = field(default_factory=list)


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_set(folder: Path, reader: str) -> Labelled:
    made = Labelled(folder.name)
    for entry in rows(folder / "corpus.jsonl"):
        for passage, written in READERS[reader](entry["_id"], entry.get("title") or "", entry["text"]):
            made.passages.append(passage)
            made.texts.append(written)
            made.documents.append(entry["_id"])
    add_questions(made, folder, set(made.documents))
    return made


def add_questions(made: Labelled, folder: Path, known: set[str]) -> None:
    """The questions that one of the known documents answers."""
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if int(grade) > 0 and document in known:
            made.relevant.setdefault(question, {})[document] = int(grade)
    made.questions = {q["_id"]: q["text"] for q in rows(folder / "queries.jsonl") if q["_id"] in made.relevant}


def product_passages(name: str, title: str, text: str) -> Iterator[Read]:
    """As `ingest` does it."""
    from wekadocs_corpus.documents import read_document, searchable

    markdown = text if text.startswith("# ") else f"# {title}\n\n{text}"
    parsed = read_document(f"{zlib.crc32(name.encode())}.md", markdown.encode(), name)
    headings = {section.id: section.headings for section in parsed.sections}
    for chunk in parsed.chunks:
        told = (parsed.title, headings[chunk.section_id], searchable(parsed, chunk))
        yield told, parsed.text[chunk.start : chunk.end]


def simple_passages(_name: str, title: str, text: str, limit: int = 180) -> Iterator[Read]:
    """Paragraphs up to so many words, for a checkout without the readers."""
    words: list[str] = []
    for paragraph in text.split("\n\n"):
        more = paragraph.split(" ")
        while words and len(words) + len(more) > limit:
            yield (title, (), " ".join(words[:limit])), " ".join(words[:limit])
            words = words[limit:]
        words += [*more, "\n"]
    for at in range(0, max(len(words), 1), limit):
        yield (title, (), " ".join(words[at : at + limit])), " ".join(words[at : at + limit])


READERS = {"product": product_passages, "simple": simple_passages}


def ndcg(found: list[str], relevant: dict[str, int]) -> float:
    gained = sum(relevant.get(document, 0) / math.log2(place + 2) for place, document in enumerate(found[:10]))
    best = sorted(relevant.values(), reverse=True)[:10]
    return gained / sum(grade / math.log2(place + 2) for place, grade in enumerate(best))


def recall(found: list[str], relevant: dict[str, int], k: int) -> float:
    return len(relevant.keys() & set(found[:k])) / len(relevant)


class Told(NamedTuple):
    """A passage as the second look reads it."""

    id: str
    title: str
    text: str
    path: str


class SetAsTruth:
    """The set instead of the truth: what questions weigh, and the texts of passages."""

    def __init__(self, terms: Sequence[Mapping[int, float]], texts: Sequence[Text]) -> None:
        self._count, self._texts = len(terms), texts
        self._having = Counter(term for each in terms for term in each)

    def read(self, text: str) -> Question:
        words = AskedWords(text)
        return Question(words, AREA, self.weighted_within(AREA, words.terms))

    def chunks(self, chunk_ids: Sequence[str]) -> list[Told]:
        return [Told(each, *self._texts[int(each)], "page.md") for each in chunk_ids]

    def weighted_within(self, _scope: Area, query: Mapping[int, float]) -> dict[int, float]:
        known = {term: weight for term, weight in query.items() if term in self._having}
        return {term: weight * idf(self._count, self._having[term]) for term, weight in known.items()}


async def measure(labelled: Labelled, onnx: str | None) -> Figures:
    embedder = load({"provider": "onnx", "path": onnx, "threads": 2} if onnx else {"provider": "static"})
    vectors = embedder.embed_passages([embedding_text(*passage) for passage in labelled.passages])
    terms = list(map(unpack, document_vectors(labelled.passages)))
    index = Formulas(terms, vectors, labelled.documents)
    texts = [(told[0], text) for told, text in zip(labelled.passages, labelled.texts, strict=True)]
    truth, fusion = SetAsTruth(terms, texts), embedder.profile.fusion
    look = SecondLook(truth, Closeness(StaticEmbedder().embed_words), fusion.closeness)
    figures = Figures()
    for name, question in labelled.questions.items():
        relevant, asked = labelled.relevant[name], truth.read(question)
        figures.held.append(bool(zlib.crc32((labelled.name + name).encode()) & 1))
        for leg in LEGS:
            legs = Legs(index, embedder, Filters(), TUNING.finding.depth, leg)
            second = [look] if leg == "hybrid" and fusion.by == "score" and fusion.closeness else []
            answer = await run(asked, [legs, Fuse(fusion), *second, KeepBest(10, 1)])
            found = [hit.document_id for hit in answer.ranked]
            figures.ndcg[leg].append(ndcg(found, relevant))
            figures.recall5[leg].append(recall(found, relevant, 5))
            figures.recall10[leg].append(recall(found, relevant, 10))
    await index.close()
    return figures


def only(values: list[float], chosen: list[bool]) -> float:
    return fmean([value for value, taken in zip(values, chosen, strict=True) if taken] or [0.0])


def report(name: str, labelled: Labelled, figures: Figures) -> tuple[float, float]:
    words, vectors, hybrid = (fmean(figures.ndcg[leg]) for leg in LEGS)
    held = only(figures.ndcg["hybrid"], figures.held) - only(figures.ndcg["words"], figures.held)
    recalls = " ".join(f"{fmean(r['words']):.3f} {fmean(r['hybrid']):.3f}" for r in (figures.recall5, figures.recall10))
    print(
        f"{name:20} {len(labelled.passages):6} {len(labelled.questions):5}  {words:.4f} {vectors:.4f} {hybrid:.4f}"
        f"  {hybrid - words:+.4f} {held:+.4f}  {recalls}",
        flush=True,
    )
    return hybrid - words, held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("WEKADOCS_DATA"))
    parser.add_argument("--reader", choices=tuple(READERS), default="product")
    parser.add_argument("--onnx", help="a model's folder, instead of the static model")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    if not options.folder:
        parser.error("name the folder with the labelled sets, or set WEKADOCS_DATA")
    print(f"{'nDCG@10':20} chunks  asked   words vectors hybrid     all   held   r@5 words/hybrid, r@10 words/hybrid")
    deltas = []
    for folder in sorted(Path(options.folder).iterdir()):
        if (folder / "qrels.tsv").exists() and (not options.only or folder.name in options.only):
            labelled = read_set(folder, options.reader)
            deltas.append(report(folder.name, labelled, asyncio.run(measure(labelled, options.onnx))))
    everything, held = zip(*deltas, strict=True)
    print(f"hybrid over words: mean {fmean(everything):+.4f} (held {fmean(held):+.4f}), least {min(everything):+.4f}")


if __name__ == "__main__":
    main()
