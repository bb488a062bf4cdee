"""What decides which passages are found for a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .stop_words import FOREIGN_STOP_WORDS, STOP_WORDS


@dataclass(frozen=True)
class WordTuning:
    """What a question's words weigh before rarity."""

    # An identifier, flag, code or version as a whole, or a word marked as code, is what the answer must have.
    # By hand on the sample.
    exact: float = 1.5
    # The length of a word's vector at which it counts as much as without this. With it "All ways to configure
    # NFS" is no longer about ways, and nDCG@10 of the open sets moves by -.001 to +.006.
    usual_length: float = 12.5
    # No word counts more than that for a long vector, or an odd one would decide alone. Open sets, with the one
    # above.
    most_worth: float = 1.2
    # They count only when nothing else is asked. English ones by hand on the sample; those of six languages,
    # which count where a question has more of them than English ones, by hand.
    stop_words: frozenset[str] = STOP_WORDS
    foreign_stop_words: Mapping[str, frozenset[str]] = field(default_factory=lambda: FOREIGN_STOP_WORDS)


@dataclass(frozen=True)
class AskingTuning:
    """How a question tells what kind of answer it asks for. Parts of regular expressions, any case."""

    # It asks for steps. "How many" and "how big" ask for a number. Tried by bench/corpus/procedures.py; the
    # other three languages by hand.
    how: tuple[str, ...] = (
        r"how (?:do|can|to|should|would|could|must)",
        r"wie (?:kann|muss|soll|\w+ (?:ich|man|wir))",
        "comment",
        "cómo",
        "como",
    )
    # It asks what changed: then lists of changes are no worse than other pages. Manuals.
    history: tuple[str, ...] = (
        *("change[sd]?", "changelogs?", "new", "newer", "news", "latest", "release[sd]?", "versions?", "since"),
        *("deprecated", "removed", "drop(?:ped)?", r"upgrad\w+", r"migrat\w+", "breaking", "history", "introduced"),
        *("added", "fixed", "blog"),
    )
    # It asks for a number: what has one is likelier to be quoted. bench/answers, the open questions.
    amount: tuple[str, ...] = (
        *("how (?:long|many|much|big|often|large|old|far|fast|high)", "max(?:imum)?", "min(?:imum)?", "limits?"),
        *("defaults?", "time-?outs?", "sizes?", "numbers?", "ports?", r"percent\w*", "at (?:most|least)"),
        *("wie (?:viele?|lange|gro(?:ß|ss)|oft)", "combien", "cu[aá]ntos?"),
    )
    # It asks what something means: what follows, up to four words, is looked for where it is defined. By hand
    # on the sample.
    meaning: tuple[str, ...] = (r"what(?:'s|\s+is|\s+are|\s+does)", "define", "explain")
    most_names: int = 8  # that are looked for where they are defined. By hand
    most_acronyms: int = 3  # that are spelled out: more would outweigh what is asked. By hand
    # Which share of a question, by weight, a title must have to be the question: then its page begins the
    # answer. Manuals.
    said_by_title: float = 0.8


@dataclass(frozen=True)
class RewritingTuning:
    """When a word is read as another one."""

    most_words: int = 6  # of a question that are looked up because no document has them. By hand
    # Letters of a word that may be taken for another: of short ones too many differ by a letter. By hand.
    shortest_mistyped: int = 6
    # difflib's likeness from which a heading's word is suggested, never asked. By hand on the sample.
    nearest: float = 0.8
    # Passages looked through for what an acronym stands for. By hand on the sample.
    defining_passages: int = 10
    # Words that an acronym may leave out, as in "Quality of Service (QOS)". By hand.
    small_words: frozenset[str] = frozenset({"a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"})


@dataclass(frozen=True)
class FindingTuning:
    """How much is looked through."""

    depth: int = 50  # candidates per leg, at least: what the open sets' figures were measured with
    deeper: int = 8  # times k are enough, however many of one document may stay. By hand
    # Times as many hits as passages are asked for: front matter and repetitions fall away. By hand on the
    # sample.
    wider: int = 2
    reranked: int = 24  # hits that a reranker sees, at least: as many as it sees of spans. By hand
    # A similarity counts by where it lies between the first and this place, however deep the leg is: the
    # weights of the static model were chosen with it. Open sets.
    places: int = 50


@dataclass(frozen=True)
class ClosenessTuning:
    """The second look; what it is worth beside both legs is the model's (`Fusion.closeness`)."""

    looked_at: int = 12  # sixteen gained .001 more on the mean of the open sets, and cost more time
    most_asked: int = 24  # words of a question: longer ones are pasted text. By hand
    longest: int = 1000  # words of a passage that are read; chunks have some 180. By hand
    # Words of the question that come next in the text, among which a partner is looked for. Open sets.
    nearest: int = 4
    unlike: float = 0.3  # any two words may be as similar as that to the static model. Open sets
    # What a list of changes and a list of links lose; 1 is a row that begins with the name asked for. Manuals,
    # and three that were left out, where MRR stays or rises.
    history: float = 0.6
    listing: float = 0.6
    few_links: int = 8  # with fewer a passage is no list of them. Manuals
    outside_links: float = 0.4  # which share of a list's words may stand outside of its links. Manuals
    # Pages that are lists of changes, by a part of their path. Manuals.
    historic_pages: tuple[str, ...] = (
        *("change-?logs?", "changes", "history", "what-?s-?new", "release-?notes?", "relnotes", "releases?"),
        *("releaselog", "(?:old)?news", "blog"),
    )


@dataclass(frozen=True)
class HopTuning:
    """What a neighbour gets of its seed's score. The first five were chosen on hotpot-multihop, the others on it and
    on one half each of 2WikiMultihopQA and MuSiQue, all with the other open sets in sight; flat around these values
    (docs/explanation/second-hop.md)."""

    seeds: int = 5  # documents that are gone on from
    most: float = 0.8  # a neighbour stays behind its seed: then no set loses
    steep: float = 1.2  # with it a neighbour that has half of what is lacking can come as far as `most`
    unasked: float = 0.5  # for a neighbour that has nothing of what its seed lacks
    lacking: float = 3.0  # a third of the question that is missing counts as all: then a hop is called for
    # A seed with this share of the best one's score leads. What it has of a question is not missing in another
    # seed's neighbour, and its names are looked up elsewhere.
    lead: float = 0.7
    # The share of a question that must not be in a seed before its names are looked up: plain questions lose
    # below it.
    open: float = 0.25
    most_shared: float = 0.6  # a page that shares a name says less than the page that is called so
    most_naming: int = 20  # documents: what more of them name ties none of them together
