"""The curves of `answer_confidence` (does the text hold the answer?) and `answerable` (does any document?).

python bench/answers/fit_answers.py --data FOLDER

Asked are the questions of every tree; the same without the pages that answer them; other trees' questions. For each
tree the curve is fitted on the others and tried on this one; the last lines are what is fitted on all.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from fit import WIDENED, source
from judging import Question, Tree, trees
from server import Server

from run import BINS
from wekadocs_corpus.evidence.choosing.quoting import Evidence
from wekadocs_corpus.evidence.choosing.weighing import weighed
from wekadocs_corpus.evidence.confidence import AnswerSigns, answer_signs, covers
from wekadocs_corpus.model import Filters

ROOM = 700  # tokens of six quotes, by the contract's limits
WEIGHTS = {"answered": 1.0, "unanswered": 1.0, "gone": 0.03, "foreign": 0.03}
FOR_EXISTING = {**WEIGHTS, "gone": 0.1}  # those look most like near misses
LINES = (0.2, 0.25, 0.3, 0.35, 0.4, 0.42, 0.43, 0.44, 0.46, 0.48, 0.5, 0.55)


@dataclass(frozen=True)
class Row:
    tree: str
    why: str
    signs: AnswerSigns
    held: bool
    covered: bool = False  # a quote has so much of the question that it is never refused


async def rows(folders: Sequence[Path], data: Path) -> list[Row]:
    known = [tree for folder in folders for tree in trees(folder)]
    found: list[Row] = []
    for number, tree in enumerate(known):
        server = Server(data / tree.name)
        corpus = await server.corpus()
        others = [other for other in known[number + 1 :] + known[:number] if other.name != tree.name]
        for why, each in _asked(tree, others):
            asked = await _row(corpus, tree.name, why, each)
            found += [asked] if asked else []
        await server.app.close()
    return found


def _asked(tree: Tree, others: Sequence[Tree]) -> Iterator[tuple[str, Question]]:
    for each in tree.questions:
        yield ("answered" if each.answered else "unanswered"), each
        if each.answered:
            yield "gone", each
    for other in others[:2]:
        yield from (("foreign", each) for each in other.questions)


async def _row(corpus: Any, tree: str, why: str, each: Question) -> Row | None:
    asked = await corpus.rewritten(await corpus.read(each.text, corpus.home))
    gone = why == "gone"
    found = (await corpus.find(asked, Filters(), 16 if gone else 10, "auto", max_per_document=3)).candidates
    found = [one for one in found if not (gone and each.page.endswith(one.passage.path))][:10]
    if not found:
        return None
    sources = [source(corpus, one.passage, at < WIDENED) for at, one in enumerate(found)]
    likeness = await corpus.likeness()
    evidence = Evidence.of(asked, sources, weighed(asked, sources, likeness), likeness)
    legs = [(one.hit.words_score or 0.0, one.hit.vectors_score or 0.0) for one in found]
    quotes = evidence.quotes(6, ROOM)
    text = "\n".join(f"{quote.header}\n{sources[quote.source].text[slice(*quote.core)]}" for quote in quotes)
    held = each.answered and why != "foreign" and each.held_by(text)
    signs = answer_signs(evidence, legs) if evidence.weighed else None
    return Row(tree, why, signs, held, covers(evidence, quotes)) if signs else None


def fitted(made: Sequence[Row], existing: bool, ridge: float = 5.0) -> np.ndarray:
    x = np.array([row.signs for row in made])
    y = np.array([float(row.why == "answered" if existing else row.held) for row in made])
    counted = counts(made)
    weight = np.array([(FOR_EXISTING if existing else WEIGHTS)[row.why] * counted[row] for row in made])
    middle, wide = x.mean(0), x.std(0) + 1e-9
    values = np.c_[(x - middle) / wide, np.ones(len(x))]
    curve, keep = np.zeros(values.shape[1]), ridge * np.r_[np.ones(x.shape[1]), 0]
    for _ in range(50):
        p = 1 / (1 + np.exp(-values @ curve))
        slope = (values * (weight * p * (1 - p))[:, None]).T @ values + np.diag(keep) + 1e-9 * np.eye(len(curve))
        curve -= np.linalg.solve(slope, values.T @ (weight * (p - y)) + keep * curve)
    weights = curve[:-1] / wide
    return np.r_[weights, curve[-1] - weights @ middle]


def counts(made: Sequence[Row]) -> dict[Row, float]:
    """What a question without an answer counts: of a tree with many of them all count as one question in five."""
    of = Counter((row.tree, row.why) for row in made)
    most = {row.tree: of[row.tree, "answered"] / 4 / max(1, of[row.tree, "unanswered"]) for row in made}
    return {row: min(1.0, most[row.tree]) if row.why == "unanswered" else 1.0 for row in made}


def said(curve: np.ndarray, row: Row) -> float:
    return float(1 / (1 + np.exp(-(np.array([*row.signs, 1.0]) @ curve))))


def by_the_others(made: Sequence[Row], existing: bool) -> list[tuple[float, Row]]:
    """What the curve of all other trees says of each."""
    each = []
    for name in sorted({row.tree for row in made}):
        curve = fitted([row for row in made if row.tree != name], existing)
        each += [(said(curve, row), row) for row in made if row.tree == name]
    return each


def report(made: Sequence[Row]) -> None:
    each = by_the_others(made, existing=True)
    print("line   refused of", *WEIGHTS, "answered, held")
    for line in LINES:
        parts = [[value < line and not row.covered for value, row in each if row.why == why] for why in WEIGHTS]
        both = [(value, row) for value, row in each if row.why == "answered" and row.held]
        parts.append([value < line and not row.covered for value, row in both])
        print(f"{line:.2f}  ", "  ".join(f"{sum(part)}/{len(part)} {sum(part) / len(part):.3f}" for part in parts))
    reliability(by_the_others(made, existing=False))


def reliability(each: Sequence[tuple[float, Row]]) -> None:
    mixed = [(value, row) for value, row in each if row.why in ("answered", "unanswered")]
    counted = counts([row for _, row in each])
    for low, high in pairwise(BINS):
        inside = [(value, row.held, counted[row]) for value, row in mixed if low <= value < high]
        if inside:
            values, held, weight = zip(*inside, strict=True)
            print(f"{low:.1f}  {len(inside):4}  said {np.average(values, weights=weight):.2f}  was", end=" ")
            print(f"{np.average(held, weights=weight):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folders = [Path(__file__).parent / name for name in ("questions", "held", "further", "fresh", "wide")]
    parser.add_argument("--questions", type=Path, nargs="+", default=folders)
    parser.add_argument("--data", type=Path, required=True, help="what bench/answers/run.py kept there")
    options = parser.parse_args()
    made = asyncio.run(rows(options.questions, options.data))
    report(made)
    for name, existing in (("answer", False), ("exists", True)):
        curve = fitted(made, existing)
        print(f"{name} =", tuple(round(float(each), 2) for each in curve), "over", AnswerSigns._fields)


if __name__ == "__main__":
    main()
