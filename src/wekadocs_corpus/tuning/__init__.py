"""Every weight, threshold and word list that decides what is found and quoted, each with its reason and its set.

A question carries the tuning it is read with, so that another one can be tried beside it. "Open sets" are those of
bench/corpus/quality.py, "manuals" the 121 questions to six of them that docs/explanation/corpus.md names, "WEKA's
options" the 80 questions of docs/explanation/evidence.md; "by hand on the sample" (docs/sample) is what was set by
looking at its answers, and no record says that another value was measured. What is not here: a model's own weights
(embedding/profiles.py), what is stored with documents (lexical/bm25.py), and what bounds time or memory, which stands
where it is spent.

Imported by: wekadocs_corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .finding import AskingTuning, ClosenessTuning, FindingTuning, HopTuning, RewritingTuning, WordTuning
from .quoting import ConfidenceTuning, SentenceTuning, UnitTuning

__all__ = [
    "TUNING",
    "AskingTuning",
    "ClosenessTuning",
    "ConfidenceTuning",
    "FindingTuning",
    "HopTuning",
    "RewritingTuning",
    "SentenceTuning",
    "Tuning",
    "UnitTuning",
    "WordTuning",
]


@dataclass(frozen=True)
class Tuning:
    words: WordTuning = field(default_factory=WordTuning)
    asking: AskingTuning = field(default_factory=AskingTuning)
    rewriting: RewritingTuning = field(default_factory=RewritingTuning)
    finding: FindingTuning = field(default_factory=FindingTuning)
    closeness: ClosenessTuning = field(default_factory=ClosenessTuning)
    hop: HopTuning = field(default_factory=HopTuning)
    sentences: SentenceTuning = field(default_factory=SentenceTuning)
    units: UnitTuning = field(default_factory=UnitTuning)
    confidence: ConfidenceTuning = field(default_factory=ConfidenceTuning)


TUNING = Tuning()
