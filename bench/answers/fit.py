"""The curve of evidence/weighing.py: which units hold a fact of the answer.

python bench/answers/fit.py --data FOLDER [--questions FOLDER …] [--try FOLDER …]    (what bench/answers/run.py kept)

For each tree the curve is fitted on the others and tried on this one; the last line is what is fitted on all. What
is to be tried is never fitted on.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from judging import Question, normal, trees
from server import Server

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.choosing.quoting import Evidence
from wekadocs_corpus.evidence.choosing.weighing import Signs, Weighed, likely, weighed
from wekadocs_corpus.evidence.quotes import QuoteSource
from wekadocs_corpus.model import Filters

WIDENED = 4  # as wekadocs_kb/citations.py has it
ROOMS = [(6, 600), (6, 700), (2, 200), (2, 440)]  # quotes and their tokens: 80 for each, the default


@dataclass(frozen=True)
class Case:
    tree: str
    question: Question
    evidence: Evidence

    def label(self, each: Weighed) -> float:
        text = normal(self.evidence.sources[each.source].text[each.unit.start : each.unit.end])
        return float(any(normal(way) in text for fact in self.question.facts for way in fact))

    def held(self, curve: Sequence[float], most: int, total: int) -> tuple[bool, int]:
        found = [each.scored(likely(each.signs, curve)) for each in self.evidence.weighed]
        quotes = Evidence(self.evidence.question, self.evidence.sources, found).quotes(most, total)
        texts = [source.text for source in self.evidence.sources]
        text = "\n".join(f"{each.header}\n{texts[each.source][slice(*each.core)]}" for each in quotes)
        return self.question.held_by(text), tokens.count(text)


async def cases(folders: Sequence[Path], data: Path) -> list[Case]:
    found = []
    for tree in (each for folder in folders for each in trees(folder)):
        server = Server(data / tree.name)
        corpus = await server.corpus()
        likeness = await corpus.likeness()
        for each in tree.questions:
            asked = await corpus.rewritten(await corpus.read(each.text, corpus.home))
            candidates = (await corpus.find(asked, Filters(), 10, "auto", max_per_document=3)).candidates
            sources = [source(corpus, one.passage, at < WIDENED) for at, one in enumerate(candidates)]
            found.append(Case(tree.name, each, Evidence(asked, sources, weighed(asked, sources, likeness))))
        await server.app.close()
    return found


def source(corpus: Any, each: Any, wide: bool) -> QuoteSource:
    """As kb.retrieve_evidence quotes from a passage."""
    (near,) = corpus.truth.around([(each.document_id, each.start, each.end)]) if wide else (None,)
    at = each.start - near.start if near else 0
    text, start = (near.text, near.start) if near else (each.text, each.start)
    found = (at, at + len(each.text)) if near else None
    return QuoteSource(text, each.heading, each.opening, each.document_id, start, each.title, found)


def fitted(made: Sequence[Case], ridge: float = 3.0) -> list[float]:
    """A question whose facts stand in many places counts for no more of them than the root of their number."""
    x, y, counts = [], [], []
    for case in made:
        labels = [case.label(each) for each in case.evidence.weighed]
        if any(labels):
            x += [each.signs for each in case.evidence.weighed]
            y += labels
            counts += [sum(labels) ** -0.5] * len(labels)
    values, right, count = np.array(x), np.array(y), np.array(counts)
    middle, wide = values.mean(0), values.std(0) + 1e-9
    rows = np.c_[(values - middle) / wide, np.ones(len(values))]
    curve = np.zeros(rows.shape[1])
    keep = ridge * np.r_[np.ones(len(curve) - 1), 0]
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ curve))
        slope = (rows * (count * p * (1 - p))[:, None]).T @ rows + np.diag(keep) + 1e-9 * np.eye(len(curve))
        curve -= np.linalg.solve(slope, rows.T @ (count * (p - right)) + keep * curve)
    weights = curve[:-1] / wide
    return [*weights.tolist(), float(curve[-1] - weights @ middle)]


def report(made: Sequence[Case], rooms: Sequence[tuple[int, int]]) -> None:
    answered = [case for case in made if case.question.answered]
    names = sorted({case.tree for case in answered})
    for most, total in rooms:
        line: list[str] = []
        every: list[tuple[bool, int]] = []
        for name in names:
            curve = fitted([case for case in answered if case.tree != name])
            held = [case.held(curve, most, total) for case in answered if case.tree == name]
            every += held
            line.append(f"{name} {sum(each for each, _ in held)}/{len(held)}")
        mean = sum(cost for _, cost in every) / len(every)
        print(f"{most} quotes, {total} tokens: {sum(each for each, _ in every)} of {len(every)} at {mean:.0f};", *line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folders = [Path(__file__).parent / name for name in ("questions", "held", "further", "fresh", "wide")]
    parser.add_argument("--questions", type=Path, nargs="+", default=folders)
    parser.add_argument("--try", dest="tried", type=Path, nargs="*", default=[])
    parser.add_argument("--data", type=Path, required=True, help="what bench/answers/run.py kept there")
    options = parser.parse_args()
    made = asyncio.run(cases(options.questions, options.data))
    report(made, ROOMS)
    curve = fitted([case for case in made if case.question.answered])
    tried = [case for case in asyncio.run(cases(options.tried, options.data)) if case.question.answered]
    for most, total in ROOMS if tried else ():
        held = [case.held(curve, most, total) for case in tried]
        print(f"tried, {most} quotes, {total} tokens: {sum(each for each, _ in held)} of {len(held)}")
    print(
        "CURVE =",
        tuple(round(each, 2) for each in curve),
        dict(zip(Signs._fields, np.round(curve[:-1], 2).tolist(), strict=True)),
    )


if __name__ == "__main__":
    main()
