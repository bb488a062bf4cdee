"""Is the answer inside the quotes? python bench/corpus/evidence.py FOLDER [--questions 600] [--fit]

FOLDER (or WEKADOCS_DATA) holds sets in BEIR form with answers.jsonl or evidence.jsonl. Each entry becomes a Markdown
document, is chunked and asked for as the server does it; from the top ten passages of different documents six quotes
are taken, 480 tokens in all. What counts as found, by set:

string    the answer's words stand in one quote, as written but for case and white space (yes and no are left out)
rationale every sentence of one rationale stands in the quotes
sentences which share of the answer's sentences stands in the quotes
words     which share of the answer's words, without the question's, stands in the quotes (the answer is in free words)

"held" are the questions whose hash is odd; what is fitted is fitted on the others.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from evidence_sets import SETS, Asked, Corpus, Question, found, holds, questions, sampled
from quality import rows

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.confidence import ANSWERABLE, Verdict, answer_signs, confidence, features, verdict

CALIBRATED = ("squad", "hotpot-multihop", "scifact-train")  # where a single quote is right or wrong
CONTEXT = 20
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.01)
ORDER = list(SETS)


def report(name: str, asked: Sequence[Asked]) -> None:
    kind = SETS[name]
    for half in ("all", "held"):
        taken = [each for each in asked if half == "all" or each.question.held]
        line = []
        for way in (Asked.plain, Asked.weighted):
            for context in (0, CONTEXT):
                texts = [each.texts(way(each, context)) for each in taken]
                hit = fmean(found(kind, each.question.gold, had) for each, had in zip(taken, texts, strict=True))
                line.append(f"{hit:.3f} ({fmean(sum(map(tokens.count, had)) for had in texts):3.0f})")
        whole = [[source.text for source in each.sources] for each in taken]
        most = fmean(found(kind, each.question.gold, had) for each, had in zip(taken, whole, strict=True))
        spent = fmean(sum(map(tokens.count, had)) for had in whole)
        print(f"{name:18} {kind:9} {half:4} {len(taken):4}  {'  '.join(line)}  {most:.3f} ({spent:4.0f})", flush=True)


Row = tuple[bool, tuple[float, ...], float, float]  # held, features, confidence, right


def judged(kind: str, asked: Iterable[Asked], answerable: bool) -> Iterator[Row]:
    for each in asked:
        chosen = each.weighted(CONTEXT)
        for quote, text in zip(chosen, each.texts(chosen), strict=True):
            right = answerable and holds(kind, each.question.gold, text)
            yield each.question.held, features(quote), confidence(quote), float(right)


def reliability(judgements: Sequence[Row]) -> None:
    print("\nconfidence  quotes   said    was   (held questions, a fourth as many that have no answer there)")
    for low, high in pairwise(BINS):
        inside = [(said, right) for held, _, said, right in judgements if held and low <= said < high]
        if inside:
            said, was = (fmean(values) for values in zip(*inside, strict=True))
            print(f"{low:.1f} - {min(high, 1.0):.1f}   {len(inside):6}  {said:.3f}  {was:.3f}", flush=True)


def fitted(rows: Sequence[tuple[tuple[float, ...], float, float]]) -> list[float]:
    """The logistic curve over (features, right, weight), by Newton's method; the constant last."""
    x = np.array([(*values, 1.0) for values, _, _ in rows])
    y, weight = (np.array([row[at] for row in rows]) for at in (1, 2))
    curve = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1.0 / (1.0 + np.exp(-x @ curve))
        slope = (x * (weight * p * (1.0 - p))[:, None]).T @ x + 1e-3 * np.eye(len(curve))
        curve -= np.linalg.solve(slope, x.T @ (weight * (p - y)) + 1e-3 * curve)
    return [round(float(each), 2) for each in curve]


@dataclass(frozen=True)
class Group:
    """Questions of one kind to one set: those it answers, or those it cannot for one reason."""

    name: str
    why: str  # empty: the set answers them
    asked: Sequence[Asked]

    def said(self, held: bool) -> list[Verdict]:
        return [verdict(each.evidence, each.legs) for each in self.asked if each.question.held == held]


def evidence_rows(groups: Sequence[Group]) -> list[tuple[tuple[float, ...], float, float]]:
    """For the answer's curve: of each set as much that it answers as that it cannot, each reason alike."""
    rows = []
    for group in groups:
        taken = [each for each in group.asked if not each.question.held and each.weighted(0)]
        taken = [each for each in taken if group.why or each.found]
        reasons = sum(other.name == group.name and bool(other.why) for other in groups) if group.why else 1
        for each in taken:
            values = answer_signs(each.evidence, each.legs)
            rows.append((values, float(not group.why), 100.0 / len(taken) / reasons))
    return rows


def answerable(groups: Sequence[Group]) -> None:
    """Precision and recall of `answerable` with as many questions of either kind."""
    print(f"\nanswerable at {ANSWERABLE} (held questions)          with  without  precision  recall  refused rightly")
    for group in groups:
        if group.why:
            here = next(each for each in groups if each.name == group.name and not each.why).said(True)
            absent = group.said(True)
            kept, wrong = (fmean(each.answerable for each in said) for said in (here, absent))
            line = f"{group.name:18} {group.why:22} {len(here):4} {len(absent):4}"
            print(f"{line}  {kept / max(kept + wrong, 1e-9):.2f}  {kept:.2f}  {1 - wrong:.2f}", flush=True)


def answer_reliability(groups: Sequence[Group]) -> None:
    print("\nanswer_confidence  said    was   (held questions; of each set as many with an answer as without)")
    rows = []
    for group in groups:
        reasons = sum(other.name == group.name and bool(other.why) for other in groups) if group.why else 1
        said = group.said(True)
        rows += [(each.confidence, float(not group.why), 1.0 / len(said) / reasons) for each in said]
    for low, high in pairwise((0.0, 0.2, 0.4, 0.6, 0.8, 1.01)):
        inside = [row for row in rows if low <= row[0] < high]
        if inside:
            total = sum(row[2] for row in inside)
            said, was = (sum(row[at] * row[2] for row in inside) / total for at in (0, 1))
            print(f"{low:.1f} - {min(high, 1.0):.1f}  {len(inside):6}  {said:.3f}  {was:.3f}", flush=True)


async def measure(folder: Path, names: Sequence[str], most: int, fit: bool) -> None:
    print(f"{'':40} plain            weighted, each with 0 and {CONTEXT} context tokens    whole passages  (tokens)")
    judgements: list[Row] = []
    groups: list[Group] = []
    strangers = {name: questions(folder / name, 60) for name in SETS}
    for name in names:
        corpus = Corpus(folder / name)
        own = questions(folder / name, most)
        asked = [await corpus.ask(each) for each in own]
        gone = [await corpus.ask(each, each.documents) for each in own]
        foreign = [await corpus.ask(each) for other in SETS if other != name for each in strangers[other]]
        report(name, asked)
        if name in CALIBRATED:
            judgements += judged(SETS[name], asked, True)
            judgements += judged(SETS[name], [*gone[::4], *foreign[::4]], False)
        groups += [
            Group(name, "", asked),
            Group(name, "its documents are gone", gone),
            Group(name, "other corpora's", foreign),
        ]
        if (folder / name / "unanswerable.jsonl").exists():
            made = (Question(name + row["_id"], row["text"]) for row in rows(folder / name / "unanswerable.jsonl"))
            groups.append(Group(name, "twisted to mislead", [await corpus.ask(each) for each in sampled(made, most)]))
    reliability(judgements)
    answerable(groups)
    answer_reliability(groups)
    if fit:
        print("quotes, on the other half:", fitted([(row[1], row[3], 1.0) for row in judgements if not row[0]]))
        print("answers, on the other half:", fitted(evidence_rows(groups)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("WEKADOCS_DATA"))
    parser.add_argument("--questions", type=int, default=600, help="at most so many of each set")
    parser.add_argument("--only", nargs="*", choices=tuple(SETS), default=[])
    parser.add_argument("--fit", action="store_true", help="print what confidence.py should hold")
    options = parser.parse_args()
    if not options.folder:
        parser.error("name the folder with the labelled sets, or set WEKADOCS_DATA")
    asyncio.run(measure(Path(options.folder), options.only or list(SETS), options.questions, options.fit))


if __name__ == "__main__":
    main()
