"""Is the answer inside the quotes? python bench/corpus/evidence.py FOLDER [--questions 600] [--fit]

FOLDER (or WEKADOCS_DATA) holds sets in BEIR form with answers.jsonl or evidence.jsonl. Each entry becomes a Markdown
document, is chunked and asked for as the server does it; from the top five passages, one per document, six quotes of at
most 80 tokens are taken. What counts as found, by set:

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
from itertools import pairwise
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from evidence_sets import SETS, Asked, Corpus, Question, found, holds, questions, sampled
from quality import rows

from wekadocs_corpus import tokens
from wekadocs_kb.confidence import ANSWERABLE, confidence, features

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
    print("\nconfidence  quotes   said    was   (held questions, every fourth asked again without its documents)")
    for low, high in pairwise(BINS):
        inside = [(said, right) for held, _, said, right in judgements if held and low <= said < high]
        if inside:
            said, was = (fmean(values) for values in zip(*inside, strict=True))
            print(f"{low:.1f} - {min(high, 1.0):.1f}   {len(inside):6}  {said:.3f}  {was:.3f}", flush=True)


def fitted(judgements: Sequence[Row]) -> list[float]:
    """The logistic curve over the features, by Newton's method; the constant last."""
    taken = [row for row in judgements if not row[0]]
    x = np.array([(*row[1], 1.0) for row in taken])
    y = np.array([row[3] for row in taken])
    curve = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-x @ curve))
        curve -= np.linalg.solve((x * (p * (1.0 - p))[:, None]).T @ x, x.T @ (p - y))
    return [round(float(each), 2) for each in curve]


def best(asked: Sequence[Asked]) -> list[float]:
    return [max(map(confidence, each.weighted(0)), default=0.0) for each in asked if each.question.held]


def answerable(name: str, here: Sequence[float], absent: Sequence[float], why: str) -> None:
    """Precision and recall of `answerable` with as many questions of either kind."""
    kept = fmean(each >= ANSWERABLE for each in here)
    wrong = fmean(each >= ANSWERABLE for each in absent)
    precision = kept / max(kept + wrong, 1e-9)
    print(f"{name:18} {why:22} {len(here):4} {len(absent):4}  {precision:.2f}  {kept:.2f}  {1 - wrong:.2f}", flush=True)


async def measure(folder: Path, names: Sequence[str], most: int, fit: bool) -> None:
    print(f"{'':40} plain            weighted, each with 0 and {CONTEXT} context tokens    whole passages  (tokens)")
    judgements: list[Row] = []
    verdicts: list[tuple[str, list[float], list[float], str]] = []
    strangers = {name: questions(folder / name, 100) for name in SETS}
    for name in names:
        corpus = Corpus(folder / name)
        own = questions(folder / name, most)
        asked = [await corpus.ask(each) for each in own]
        gone = [await corpus.ask(each, each.documents) for each in own]
        foreign = [await corpus.ask(each) for each in strangers[ORDER[ORDER.index(name) - 1]]]
        report(name, asked)
        if name in CALIBRATED:
            judgements += judged(SETS[name], asked, True)
            judgements += judged(SETS[name], gone[::4], False)
        here = best(asked)
        verdicts += [
            (name, here, best(gone), "its documents are gone"),
            (name, here, best(foreign), "another corpus's"),
        ]
        if (folder / name / "unanswerable.jsonl").exists():
            made = (Question(name + row["_id"], row["text"]) for row in rows(folder / name / "unanswerable.jsonl"))
            twisted = [await corpus.ask(each) for each in sampled(made, most)]
            verdicts.append((name, here, best(twisted), "twisted to mislead"))
    reliability(judgements)
    if fit:
        print("fitted on the other half:", fitted(judgements))
    print(f"\nanswerable at {ANSWERABLE} (held questions)          with  without  precision  recall  refused rightly")
    for verdict in verdicts:
        answerable(*verdict)


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
