"""Is the answer in what a model reads? On documentation that nobody tuned for, in questions as people type them.

python bench/answers/run.py TREES [--only NAME …] [--questions FOLDER] [--data FOLDER] [--each]

TREES holds a folder for each file of bench/answers/questions, named as its `tree`: the repository at the commit that
the file names. Each is ingested into a folder of its own (kept under --data), then asked like a client asks.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from chunks import Chunks
from form import defects, wrong_anchor
from judging import Question, Tree, trees
from server import Server, ingest

from wekadocs_corpus import tokens

QUOTES, FEWER = "kb.retrieve_evidence", "kb.retrieve_evidence, max_quotes 2"
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.01)


@dataclass
class Asked:
    """A question and what each way of asking returned as text."""

    tree: str
    question: Question
    texts: dict[str, str] = field(default_factory=dict)
    answerable: bool = False
    confidence: float = 0.0
    defects: Counter[str] = field(default_factory=Counter)

    def held(self, way: str = QUOTES) -> bool:
        return self.question.answered and self.question.held_by(self.texts[way])


async def ask(tree: Tree, root: Path, data: Path) -> list[Asked]:
    server, chunks = Server(data), Chunks(root)
    corpus = await server.corpus()
    found = []
    for question in tree.questions:
        asked = Asked(tree.name, question)
        await _evidence(server, corpus, asked)
        best = chunks.best(question.text, 5)
        asked.texts |= {"BM25, best chunk": best[0], "BM25, best five": "\n".join(best)}
        rows = (await server.call("kb.search", {"query": question.text})).data["results"]
        asked.texts["kb.search, its five passages"] = await _whole(corpus, rows)
        found.append(asked)
    await server.app.close()
    return found


async def _evidence(server: Server, corpus: Any, asked: Asked) -> None:
    arguments = {"question": asked.question.text}
    answer = await server.call("kb.retrieve_evidence", arguments)
    fewer = await server.call("kb.retrieve_evidence", {**arguments, "max_quotes": 2})
    asked.texts |= {QUOTES: answer.content[0]["text"], FEWER: fewer.content[0]["text"]}
    asked.texts["whole passages behind the quotes"] = await _whole(corpus, answer.data["quotes"])
    asked.answerable, asked.confidence = answer.data["answerable"], answer.data["answer_confidence"]
    for quote in answer.data["quotes"]:
        (passage,) = await corpus.passages([quote["section_id"]])
        document = await corpus.document(passage.document_id)
        found = list(defects(quote, document.text[quote["end"] : quote["end"] + 80]))
        sections = [(each.start, each.anchor) for each in corpus.truth.sections_of(passage.document_id)]
        if wrong_anchor(quote, sections):
            found.append("wrong anchor")
        asked.defects.update(["quotes", *found])


async def _whole(corpus: Any, rows: Sequence[dict[str, Any]]) -> str:
    wanted = list(dict.fromkeys(row["section_id"] for row in rows))
    return "\n".join(passage.text for passage in await corpus.passages(wanted))


def table(asked: Sequence[Asked]) -> None:
    answered = [each for each in asked if each.question.answered]
    print(f"\nthe answer in the text, of {len(answered)}; tokens on the average")
    for way in answered[0].texts:
        held = sum(each.held(way) for each in answered)
        spent = fmean(tokens.count(each.texts[way]) for each in answered)
        print(f"{way:38} {held:4}  {held / len(answered):.3f}  {spent:6.0f}")


def refusals(asked: Sequence[Asked]) -> None:
    for name, those in (("unanswerable", False), ("answerable", True)):
        said = [each.answerable for each in asked if each.question.answered == those]
        if said:
            print(f"{name} questions refused: {said.count(False)} of {len(said)}  {said.count(False) / len(said):.2f}")


def reliability(asked: Sequence[Asked]) -> None:
    print("\nanswer_confidence  questions  said   the answer was in the text")
    for low, high in pairwise(BINS):
        inside = [each for each in asked if low <= each.confidence < high]
        if inside:
            said, was = fmean(each.confidence for each in inside), fmean(each.held() for each in inside)
            print(f"{low:.1f} - {min(high, 1.0):.1f}        {len(inside):6}   {said:.2f}   {was:.2f}")


def form(asked: Sequence[Asked]) -> None:
    counted = sum((each.defects for each in asked), Counter[str]())
    total = counted.pop("quotes", 0)
    print(f"\n{total} quotes; " + ", ".join(f"{name} {count}" for name, count in counted.most_common()))


def one_by_one(asked: Sequence[Asked]) -> None:
    for each in asked:
        marks = "".join("+" if each.held(way) else "-" for way in each.texts) if each.question.answered else "  none"
        said = f"{'' if each.answerable else 'refused '}{each.confidence:.2f}"
        print(f"{marks:7} {tokens.count(each.texts[QUOTES]):5} {said:13} {each.question.name:14} {each.question.text}")


async def measure(options: argparse.Namespace, data: Path) -> None:
    everything: list[Asked] = []
    for tree in trees(options.questions):
        if options.only and tree.name not in options.only:
            continue
        root, place = options.trees / tree.name / tree.root, data / tree.name
        if not place.exists():
            ingest(root, place)
        asked = await ask(tree, root, place)
        answered = [each for each in asked if each.question.answered]
        line = "  ".join(f"{sum(each.held(way) for each in answered)}" for way in asked[0].texts)
        print(f"{tree.name:18} of {len(answered):3}: {line}", flush=True)
        if options.each:
            one_by_one(asked)
        everything += asked
    for show in (table, refusals, reliability, form):
        show(everything)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--questions", type=Path, default=Path(__file__).parent / "questions")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--data", type=Path, help="where what was ingested is kept for the next time")
    parser.add_argument("--each", action="store_true", help="a line for every question")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(measure(options, options.data or Path(scratch)))


if __name__ == "__main__":
    main()
