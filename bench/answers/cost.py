"""What an answer costs a model, and a search the machine.

python bench/answers/cost.py tokens DOCS GOLDEN  quotes beside a server that returns five chunks, sections or pages
python bench/answers/cost.py search FOLDER       kb.search beside its raw legs, on 20,000 sections (FOLDER: BEIR sets)

Everything runs on the embedded default, in a folder that is thrown away. Times are CPU of this process, medians.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from server import Server, ingest

from wekadocs_corpus import tokens
from wekadocs_corpus.lexical import query_terms
from wekadocs_corpus.model import Filters
from wekadocs_corpus.tuning import TUNING
from wekadocs_corpus_plugin.golden.asking import holds
from wekadocs_corpus_plugin.golden.questions import read_questions

SECTIONS, QUESTIONS = 20_000, 400
TEXTS = ("top-5 chunks", "top-5 sections", "top-5 pages")


async def against_chunks(data: Path, golden: Path) -> None:
    server = Server(data)
    corpus = await server.corpus()
    ways: dict[str, list[tuple[bool, int]]] = {
        "quotes": [],
        "top-5 chunks": [],
        "top-5 sections": [],
        "top-5 pages": [],
    }
    for question in [each for each in read_questions(golden) if each.answered]:
        read = (await server.call("kb.retrieve_evidence", {"question": question.text})).content[0]["text"]
        ways["quotes"].append((holds(question, read), tokens.count(read)))
        rows = (await server.call("kb.search", {"query": question.text})).data["results"]
        passages = await corpus.passages([row["section_id"] for row in rows])
        for way, texts in _texts(corpus, passages).items():
            whole = "\n".join(texts)
            ways[way].append((holds(question, whole), tokens.count(whole)))
    await server.app.close()
    spent = {way: sum(cost for _, cost in rows) / max(1, sum(hit for hit, _ in rows)) for way, rows in ways.items()}
    for way, rows in ways.items():
        rate = sum(hit for hit, _ in rows) / len(rows)
        print(f"{way:15} answered {rate:.3f}  tokens per answered question {spent[way]:7.0f}  ", end="")
        print(f"quotes / this {spent['quotes'] / spent[way]:.2f}")


def _texts(corpus: Any, passages: Sequence[Any]) -> dict[str, list[str]]:
    """What servers that return text return: the chunk, its section, its page."""
    found: dict[str, list[str]] = {way: [] for way in TEXTS}
    for passage in passages:
        document = corpus.truth.document(passage.document_id)
        sections = corpus.truth.sections_of(passage.document_id)
        around = [each for each in sections if each.start <= passage.start < each.end]
        section = max(around, key=lambda each: each.start, default=None)
        whole_section = document.text[section.start : section.end] if section else passage.text
        for way, text in zip(TEXTS, (passage.text, whole_section, document.text), strict=True):
            found[way].append(text)
    return found


async def against_legs(data: Path, asked: Sequence[str]) -> None:
    server = Server(data)
    corpus = await server.corpus()
    embedder, _ = await corpus.usable_embedder()
    index = await corpus.index(corpus.home.project_id)

    async def legs(question: str) -> None:
        vector = embedder.embed_query(question).tolist()
        await index.search_words(query_terms(question), corpus.home, Filters(), TUNING.finding.depth)
        await index.search_vectors(vector, corpus.home, Filters(), TUNING.finding.depth)

    def search(mode: str) -> Callable[[str], Awaitable[Any]]:
        return lambda question: server.call("kb.search", {"query": question, "options": {"mode": mode}})

    def evidence(question: str) -> Awaitable[Any]:
        return server.call("kb.retrieve_evidence", {"question": question})

    ways: dict[str, Callable[[str], Awaitable[Any]]] = {
        "raw legs": legs,
        "Corpus.retrieve": lambda question: corpus.retrieve(question, corpus.home, Filters(), 5, "vector_only"),
        "kb.search, vector_only": search("vector_only"),
        "kb.search, hybrid_local": search("hybrid_local"),
        "kb.retrieve_evidence": evidence,
    }
    new, again = await in_turns(ways, asked)
    raw = median(new["raw legs"])
    print(f"{corpus.truth.counts().chunks} chunks, {len(asked)} questions; again: another way has asked before")
    for way, each in new.items():
        p50, p95 = median(each), sorted(each)[len(each) * 95 // 100]
        ratio, other = p50 / raw, median(again[way])
        print(f"{way:24} p50 {p50:6.2f} ms  p95 {p95:6.2f} ms  / raw legs {ratio:.2f}  again {other:6.2f} ms")
    print(f"goals: Corpus.retrieve 1.5 x legs + 1 = {1.5 * raw + 1:.2f}, vector_only 2 x + 3 = {2 * raw + 3:.2f} ms")
    await server.app.close()


async def in_turns(
    ways: Mapping[str, Callable[[str], Awaitable[Any]]], asked: Sequence[str]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Milliseconds by way: of questions nobody asked before, then of all others. Each way is the first in its turn."""
    new: dict[str, list[float]] = {way: [] for way in ways}
    again: dict[str, list[float]] = {way: [] for way in ways}
    for work in ways.values():
        await work(asked[0])
    for number, question in enumerate(asked[1:]):
        for place in range(len(ways)):
            way = list(ways)[(number + place) % len(ways)]
            began = process_time()
            await ways[way](question)
            (again if place else new)[way].append((process_time() - began) * 1000)
    return new, again


def pages(folder: Path, target: Path) -> Iterator[str]:
    """Entries of the sets as Markdown files, until there are enough; then their questions."""
    made = 0
    for corpus in sorted(folder.glob("*/corpus.jsonl")):
        for line in corpus.read_text("utf-8").rstrip("\n").split("\n"):
            if made == SECTIONS:
                break
            entry, made = json.loads(line), made + 1
            text = f"# {entry.get('title') or entry['_id']}\n\n{entry['text']}\n"
            (target / f"{corpus.parent.name}-{made}.md").write_text(text, "utf-8")
        yield from (json.loads(line)["text"] for line in (corpus.parent / "queries.jsonl").open(encoding="utf-8"))
    print(f"{made} pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tokens", "search"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("golden", type=Path, nargs="?")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        if options.what == "tokens":
            ingest(options.folder, data)
            asyncio.run(against_chunks(data, options.golden))
            return
        docs = Path(scratch) / "docs"
        docs.mkdir()
        asked = list(pages(options.folder, docs))
        ingest(docs, data)
        asyncio.run(against_legs(data, asked[:: max(1, len(asked) // QUESTIONS)]))


if __name__ == "__main__":
    main()
