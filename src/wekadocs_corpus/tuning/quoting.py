"""What decides which sentences and units of a passage are quoted, and how sure an answer is."""

from __future__ import annotations

from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class SentenceTuning:
    """Where sentences end, and what one weighs for a preview and in `kb.extract_evidence`'s ranking by words."""

    # A full stop after one of these ends nothing. By hand, squad and the manuals.
    never_an_end: frozenset[str] = _words(
        "e.g i.e cf vs viz al approx resp incl excl fig figs eq eqs sec ch chap pp vol ed eds nos mr mrs ms "
        "dr prof st sr jr gen col sgt capt lt gov sen rep rev hon mt ft dept ver v ca bzw z.b d.h u.a vgl "
        "p.ex"
    )
    # After one of these a full stop ends a sentence only before a capital letter. By hand.
    seldom_an_end: frozenset[str] = _words(
        "etc inc corp co ltd u.s u.k u.n a.m p.m ph.d m.d b.c a.d no art est jan feb mar apr jun jul aug sep "
        "sept oct nov dec"
    )
    # What counts beside the share of the question: the passage's rank, words that stand together, the heading. The rank
    # helps most. Squad and the questions of real searchers (facts of the seed's algorithm).
    rank: float = 0.15
    pairs: float = 0.10
    heading: float = 0.10
    # A heading, a link, or the question's own words and no other: an entry of a list of contents. By hand, manuals.
    says_nothing: float = -0.25
    # It tells what a name in the question means. WEKA's options.
    defines: float = 0.3
    # What a word counts less once another quote has it. Squad.
    covered: float = 0.8
    # Of the quotes, at most, come from one passage where there are others: four of six. Hotpot-multihop.
    of_one: float = 2 / 3
    # What a step below the heading that says the question is worth, and every one after it less. WEKA, the sample.
    step_worth: float = 0.8
    each_step_less: float = 0.02
    # Which share of the question, by weight, such a heading must say. WEKA, the sample; flat from .6 to .8.
    heading_says: float = 0.7


@dataclass(frozen=True)
class UnitTuning:
    """How likely a unit of meaning has the answer, and the order units are quoted in: bench/answers, open questions."""

    # In the order of `evidence.choosing.weighing.Signs`, the constant last; fitted by bench/answers/fit.py on all its
    # questions, but for definitions and steps, which few of them ask for: those are WEKA's and the sample's.
    curve: tuple[float, ...] = (3.0, 1.2, 0.6, 1.7, 0.5, -5.8, -2.55, 0.7, 0.3, 1.0, 1.0, 1.6, 1.65, -1.6, -5.55)
    # Units whose likeness is looked at: with 24 four answers fewer are quoted, with 80 no more. What is not looked at
    # counts as not alike, and an answer in other words than the question's is seldom among the first by words.
    compared: int = 48
    # Of the best likeness: what is less alike than that is as good as not alike.
    few: float = 0.25
    # What a word counts less once another quote has it.
    covered: float = 0.05
    # Behind the likeliest unit, one of more tokens than `usual` is worth as much less as it is longer, to the power of
    # `costs`: else one long block leaves no room for five others. Without, 22 of 716 questions are answered less; of
    # .6 to 1 as good, with shorter ones worth more no better.
    usual: int = 60
    costs: float = 0.8
    # Tokens that one quote may have before a second one begins; and those of all while they are few, and how many more
    # each makes room for. As kb.retrieve_evidence bounds an answer: what fewer quotes have room for is all used.
    one: int = 220
    first: int = 310
    each: int = 65
    # What is less likely than this share of what waits to begin the second quote, or a later one, is not read on into
    # before it. The second: of .3 to .5 as good; of less a comparison's other side is missed where there is little
    # room. Later ones: less has more answers in two quotes, but of .1 the sample's questions over several pages lose.
    least_second: float = 0.35
    least_later: float = 0.2
    # Tokens a quote should have before another one is begun: one or two passages whole beat fragments. Of 0 to 300
    # the best for two quotes and for six.
    whole: int = 200
    # Of the best unit's likelihood: what is less likely than that is not read on into.
    nearly: float = 0.6
    # Tokens of steps and of a list: more than that is not one thing to say.
    steps: int = 240
    items: int = 150
    # Tokens of paragraphs that are read together.
    short: int = 40
    # Tokens that tell where in a long row or block the answer is.
    telling: int = 80


@dataclass(frozen=True)
class ConfidenceTuning:
    """Logistic curves over `evidence.confidence.features` and `signs`, the constant last, fitted by the benches."""

    # Of a quote: half of the open sets, bench/corpus/evidence.py --fit.
    quote: tuple[float, ...] = (4.0, 0.55, 0.67, 1.53, 0.49, -5.22)
    # Whether the text holds the answer, and whether any document does: bench/answers, fit_answers.py; the first on all
    # its sets but `later`, the second on `questions`, `held` and `further`.
    answer: tuple[float, ...] = (1.51, 1.67, 1.48, 0.27, -0.9, 2.39, 0.67, -1.07, -6.37)
    exists: tuple[float, ...] = (2.13, 1.56, 1.52, 0.33, -1.09, 3.32, 3.18, -2.69, -8.36)
    # From here on documents are said to answer: of 716 questions with an answer 30 are refused, of .43 56 were.
    answerable: float = 0.36
    # A quote with this share of the question, its headings counted, is never called no answer: the same set, where it
    # keeps one more question with an answer and none without.
    covers: float = 0.8
    # A word of the question is named to the caller where this share of it is unsaid: of 65 questions without an answer
    # 41 have one, of 260 with one 47.
    unsaid: float = 0.2
