"""Quotes: the plain algorithm to the letter (seed 000 §4.6.1), and what holds for every quote."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.confidence import confidence
from wekadocs_corpus.evidence.overlaps import without_overlaps
from wekadocs_corpus.evidence.quotes import Quote, QuoteSource, plain, weighted
from wekadocs_corpus.evidence.spans import widened
from wekadocs_corpus.lexical import AskedWords, query_terms
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval.question import Question

MOUNT = "Mount a filesystem with weka. A filesystem group is needed! Is it mounted?\n\n- mount -t wekafs\n- umount it"


def read(text, weights=None):
    """A question with every word equally rare, where nothing else is said."""
    return Question(AskedWords(text), Area("p", "e"), query_terms(text) if weights is None else weights)


def ask(question, sources, most=6, max_tokens=80, unknown=0):
    """`unknown`: with so many words that no document has."""
    strange = "".join(f" nowhere{letter}" for letter in "abcdefgh"[:unknown])
    return weighted(read(question + strange, query_terms(question)), sources, most, max_tokens)


def cores(quotes, sources):
    return [sources[quote.source].text[slice(*quote.core)] for quote in quotes]


def test_plain_takes_the_share_of_the_questions_words():
    sources = [QuoteSource(MOUNT)]
    found = plain("How do I mount a filesystem?", sources, 6, 80)  # how, mount, filesystem
    # 2/3: "Mount a …"; 1/3: four spans, the shortest first
    assert [(round(quote.score, 3), core) for quote, core in zip(found, cores(found, sources), strict=True)] == [
        (0.667, "Mount a filesystem with weka."),
        (0.333, "- umount it"),
        (0.333, "Is it mounted?"),
        (0.333, "- mount -t wekafs"),
        (0.333, "A filesystem group is needed!"),
    ]


def test_plain_breaks_ties_by_length_then_by_passage_then_by_place():
    sources = [QuoteSource("Disk full now. Disk fail now."), QuoteSource("Disk gone now. The disk.")]
    assert cores(plain("disk", sources, 6, 80), sources) == [
        "The disk.",
        "Disk full now.",
        "Disk fail now.",
        "Disk gone now.",
    ]


def test_plain_finds_words_inside_words_and_drops_short_ones():
    sources = [QuoteSource("Remounting. It is at or. Nothing")]
    found = plain("is it at mount or", sources, 1, 80)  # only "mount" has three characters
    assert (cores(found, sources), found[0].score) == (["Remounting."], 1.0)


def test_plain_counts_a_repeated_word_once_and_splits_at_underscores():
    found = plain("max_size MAX size, max!", [QuoteSource("The max. The size and the max.")], 6, 80)
    assert [quote.score for quote in found] == [1.0, 0.5]


def test_plain_takes_spans_without_any_word_when_there_is_room():
    sources = [QuoteSource("Alpha beta. Gamma.")]
    found = plain("zzz", sources, 6, 80)
    assert [quote.score for quote in found] == [0.0, 0.0] and cores(found, sources) == ["Gamma.", "Alpha beta."]


@pytest.mark.parametrize("way", [lambda q, s: plain(q, s, 1, 80), lambda q, s: ask(q, s, 1)])
def test_fenced_code_is_one_span(way):
    code = "```sh\nweka fs mount. Now.\n\nweka fs list\n```"
    sources = [QuoteSource(f"Do this. Then that.\n\n{code}\n\nAfter it.")]
    assert cores(way("weka mount list", sources), sources) == [code]


def test_a_long_span_is_cut_at_its_end():
    sources = [QuoteSource("disk " + "word " * 400)]
    for quote in (*plain("disk", sources, 1, 20), *ask("disk", sources, 1, 20)):
        text = sources[0].text[slice(*quote.core)]
        assert text.startswith("disk word") and tokens.count(text) <= 20


def test_a_rare_word_outweighs_common_ones():
    sources = [QuoteSource("The cluster has many drives in the cluster here. The quorum is three and that is all.")]
    cluster, quorum, drives = (next(iter(query_terms(word))) for word in ("cluster", "quorum", "drives"))
    found = weighted(read("cluster quorum drives", {cluster: 0.5, quorum: 5.0, drives: 0.5}), sources, 1, 12)
    assert cores(found, sources) == ["The quorum is three and that is all."]


def test_the_passage_that_ranked_higher_wins_a_tie():
    one, other = "The quorum is three and that is all.", "The quorum is seven and that is all."
    assert [quote.source for quote in ask("quorum", [QuoteSource(one), QuoteSource(other)])] == [0, 1]


def test_a_sentence_that_two_documents_have_is_quoted_once():
    same = "The quorum is three and that is all."
    sources = [
        QuoteSource(f"{same} Not more."),
        QuoteSource(f"All pages in one.\n\n{same.replace(' is', '  is')} The quorum holds."),
    ]
    assert [quote.source for quote in ask("quorum", sources, 3, 12)] == [0, 1]
    assert "The quorum holds." in cores(ask("quorum", sources, 3, 12), sources)


def test_an_entry_that_says_no_more_than_the_question_comes_after_what_does():
    sources = [
        QuoteSource("- [Quorum](./quorum.html)\n- [Drives](./drives.html)"),
        QuoteSource("The quorum is three and that is all."),
    ]
    assert cores(ask("quorum", sources, 1, 12), sources) == ["The quorum is three and that is all."]


@pytest.mark.parametrize(
    "link", ["[[type.char]](#r-type.char)", "3. [The type char](char.md).", "- [char type](#char)"]
)
def test_a_link_alone_comes_after_a_sentence(link):
    sources = [QuoteSource(f"{link}\n\nA `char` has the size of a `u32`, four bytes.")]
    best = ask("type char", sources)[0]
    assert "four bytes" in sources[0].text[slice(*best.core)]


def test_a_heading_above_counts_but_is_no_quote_by_itself():
    filler = "Everything else is left as it was."
    sources = [QuoteSource(f"# Quorum\n\n{filler}\n\nThe quorum is three and that is all.", "Quorum")]
    assert cores(ask("quorum", sources, 1, 12), sources) == ["The quorum is three and that is all."]


def test_the_second_quote_looks_for_what_the_first_leaves_open():
    texts = [
        "Mount the filesystem by hand on each host.",
        "A filesystem that you mount needs a group.",
        "Snapshots are kept for thirty days there.",
    ]
    found = ask("mount filesystem snapshots", [QuoteSource(text) for text in texts], 2)
    assert [quote.source for quote in found] == [0, 2]


def test_adjoining_sentences_become_one_quote_while_they_fit():
    text = "The quorum needs three hosts at least. A quorum of two is refused by it. Nothing here. The quorum is kept."
    sources = [QuoteSource(text)]
    both = "The quorum needs three hosts at least. A quorum of two is refused by it."
    assert cores(ask("quorum", sources), sources) == [both, "The quorum is kept."]
    assert len(ask("quorum", sources, max_tokens=12)) == 3


def test_a_question_of_unknown_words_has_no_quotes():
    assert weighted(read("anything", {}), [QuoteSource("Anything.")], 6, 80) == []
    assert ask("quorum", [QuoteSource("Nothing of it.")]) == []


def test_the_passage_that_ranked_first_is_always_heard():
    many = [QuoteSource("Nothing of it.", "Quorum"), *(QuoteSource(f"A quorum of {n} nodes.") for n in range(30))]
    assert [many[0].text[slice(*quote.core)] for quote in ask("quorum", many) if not quote.source] == ["Nothing of it."]


def test_words_that_no_document_has_lower_the_share_and_change_no_choice():
    sources = [QuoteSource(MOUNT)]
    known, unknown = ask("mount filesystem", sources), ask("mount filesystem", sources, unknown=2)
    assert [quote.core for quote in known] == [quote.core for quote in unknown]
    smaller = unknown[0].share / known[0].share
    assert 0.4 < smaller < 0.5
    assert [quote.share for quote in unknown] == pytest.approx([quote.share * smaller for quote in known])


def test_confidence_grows_with_what_a_quote_has_and_with_its_rank():
    def made(source, share, behind=0.0):
        return confidence(Quote(source, (0, 1), (0, 1), 0.0, share, behind))

    assert made(0, 1.0) > made(0, 0.5) > made(1, 0.5) > made(1, 0.5, behind=0.1) > made(4, 0.1, behind=0.1) > 0
    assert made(0, 1.0) > 0.4 > made(4, 0.0, behind=0.1)


WORDS = st.sampled_from(
    [
        "mount",
        "disk",
        "the",
        "e.g.",
        ".",
        "?",
        "\n",
        "\n\n",
        "- ",
        "```",
        "| a |",
        "# ",
        "漢字。",
        "x" * 90,
        " ",
        " ",
        " ",
    ]
)
TEXTS = st.lists(WORDS, max_size=60).map("".join) | st.text(max_size=200)
SOURCES = st.lists(st.builds(QuoteSource, TEXTS, st.sampled_from(["", "disk"])), max_size=5)


@given(SOURCES, st.integers(1, 12), st.integers(10, 200), st.integers(0, 80), st.booleans())
def test_what_holds_for_every_quote(sources, most, max_tokens, context, simply):
    def run(around):
        if simply:
            return plain("mount the disk", sources, most, max_tokens, around)
        return ask("mount the disk 漢字", sources, most, max_tokens)

    found, bare = run(context), run(0)
    assert found == run(context) and len(found) <= most
    assert [quote.core for quote in found] == [quote.core for quote in bare]  # context never costs the core
    for quote in found:
        text, (start, end), (first, last) = sources[quote.source].text, quote.core, quote.span
        assert 0 <= first <= start < end <= last <= len(text)
        assert tokens.count(text[start:end]) <= max_tokens and (not simply or end - start <= 500)
        assert tokens.count(text[first:start]) + tokens.count(text[end:last]) <= context
        assert 0 <= quote.share <= 1 + 1e-9 and quote.behind >= 0
    places = sorted((quote.source, *quote.core) for quote in found)
    assert all(one[0] != two[0] or one[2] <= two[1] for one, two in pairwise(places))


@st.composite
def overlapping(draw):
    """Passages of one document, as searches find them: each may begin and end anywhere."""
    page = draw(TEXTS)
    cuts = draw(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 300)), min_size=1, max_size=4))
    return page, [QuoteSource(page[first : first + size], "disk", False, "page", first) for first, size in cuts]


@given(overlapping(), st.integers(1, 12), st.integers(10, 200), st.integers(0, 80))
def test_plain_quotes_never_overlap(made, most, max_tokens, context):
    page, sources = made
    found = without_overlaps(plain("mount the disk", sources, most, max_tokens, context), sources)
    starts = [sources[quote.source].start for quote in found]
    places = sorted((begin + quote.span[0], begin + quote.span[1]) for begin, quote in zip(starts, found, strict=True))
    assert all(one[1] <= two[0] for one, two in pairwise(places)), [page[first:last] for first, last in places]
    assert all(quote.span[0] <= quote.core[0] < quote.core[1] <= quote.span[1] for quote in found)


def test_the_row_or_entry_that_a_name_begins_is_quoted():
    synopsis = "```sh\nstrata drive add DRIVE [--wipe] [--force]\n```\n\n"
    row, entry = "| `-w`, `--wipe` | clear partitions |", "- **wipe**: clear partitions"
    for told in (row, entry):
        sources = [QuoteSource(f"Use strata drive add to wipe a drive.\n\n{synopsis}Nothing.\n\n{told}\n")]
        question = "what does --wipe do"
        assert cores(weighted(read(question), sources, 1, 80), sources) == [told]
    assert read("how do I wipe it").entry is None


def test_an_excerpt_grows_on_both_sides_in_whole_words():
    text = "one two three four five. CORE. six seven eight nine ten"
    start = text.index("CORE")
    first, last = widened(text, (start, start + 5), 3, 3)
    assert text[first:start].split() and text[start + 5 : last].split()
    assert text[first - 1 : first] in ("", " ") and text[last : last + 1] in ("", " ")
    assert widened(text, (start, start + 5), 0, 0) == (start, start + 5)


@pytest.mark.parametrize(
    "block",
    [
        "```sh\nstrata drive add\n" + "\n".join(f"  [--option-{n} value-{n}]" for n in range(60)) + "\n  [--WORD]\n```",
        "| strata drive add | " + "some words that nobody asked for, " * 60 + "then --WORD and more | so it is |",
        "strata drive add takes "
        + "some words that nobody asked for, " * 60
        + "then --WORD "
        + "and more of it " * 60
        + "still",
    ],
    ids=["code", "row", "line"],
)
def test_a_long_block_is_cut_around_the_words_it_was_chosen_for_and_that_is_known(block):
    text = f"Use it so:\n\n{block.replace('WORD', 'reuse-foreign')}\n"
    sources = [QuoteSource(text, "Drives")]
    wanted = read("what is --reuse-foreign")
    found = weighted(wanted, sources, 1, 80)
    assert "--reuse-foreign" in cores(found, sources)[0]
    assert found[0].cut


def test_context_comes_evenly_from_both_sides():
    sentence = "Here stand some {} words to read."
    above, below = (" ".join(sentence.format(each * 3) for each in letters) for letters in ("abcdef", "ghijkl"))
    sources = [QuoteSource(f"{above} The quorum is three. {below}")]
    (quote,) = plain("quorum", sources, 1, 12, 40)
    before, after = sources[0].text[quote.span[0] : quote.core[0]], sources[0].text[quote.core[1] : quote.span[1]]
    sides = [tokens.count(each.strip()) for each in (before, after)]
    assert min(sides) >= 12
    assert abs(sides[0] - sides[1]) <= 3, (before, after)


PROCEDURE = (
    "## Add a node\n\nA node adds capacity.\n\n### Steps\n\n1. Make a join key.\n2. Copy it.\n3. Run:\n\n"
    "```bash\nstrata join\n```\n\n## Remove one\n\n1. Drain it.\n2. Pull the plug.\n"
)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What is a lease?", "**Lease**: the right to cache."),
        ("what are leases", "- Lease (of a client): the right to cache."),
        ("Define stripe width", "| Stripe width | blocks beside each other |"),
        ("what does STO stand for", "STO: snap to object."),
    ],
)
def test_what_is_asked_for_the_meaning_of_is_quoted_where_it_is_defined(question, line):
    others = "A lease of STO and its stripe width are lost when a lease ends, a stripe width says."
    sources = [QuoteSource(f"{others}\n\n{line}\n\n{others}")]
    assert read(question).entry.match(line)
    assert not read(question).entry.match(others)
    assert line in cores(ask_for(question, sources, 1), sources)[0]


def test_the_section_that_is_headed_by_a_code_tells_what_it_means():
    text = "### STR-1\n\n**No room.** Add a drive.\n\n### STR-2\n\n**Token revoked.** Make a new one."
    sources = [QuoteSource("A revoked token is answered with STR-2, and that is that."), QuoteSource(text)]
    assert cores(ask_for("What does STR-2 mean?", sources, 1), sources)[0].startswith("**Token revoked.**")


def test_a_quote_has_no_heading_inside():
    sources = [QuoteSource("The quorum is three.\n\n### Quorum of four\n\nA quorum of four is more.")]
    assert all("\n#" not in each for each in cores(ask("quorum", sources), sources))


def ask_for(question, sources, most):
    return weighted(read(question), sources, most, 40)


def test_a_question_of_how_is_answered_by_the_steps_below_the_heading_that_says_it():
    sources = [
        QuoteSource(PROCEDURE),
        QuoteSource("Nodes that somebody did add to the wrong cluster are another story."),
    ]
    steps = "1. Make a join key.\n2. Copy it.\n3. Run:\n\n```bash\nstrata join\n```"
    assert any(steps in each for each in cores(ask("How do I add a node?", sources, 3, 40), sources))
    assert not any(steps in each for each in cores(ask("What does it mean to add a node?", sources, 3, 40), sources))


def test_steps_below_another_heading_are_no_answer():
    sources = [QuoteSource(PROCEDURE)]
    assert not any("Drain" in each for each in cores(ask("How do I add a node?", sources, 3, 25), sources))


def test_steps_count_below_a_heading_that_stands_above_the_passage():
    sources = [QuoteSource("Go on like this.\n\n1. Make a key.\n2. Copy it.", heading="Nodes\nAdd a node")]
    assert cores(ask("How do I add a node?", sources, 1, 12), sources) == ["1. Make a key.\n2. Copy it."]


@pytest.mark.parametrize(
    ("question", "how"),
    [
        ("How do I add a node?", True),
        ("what are the steps to add a node", True),
        ("Wie erstelle ich einen Snapshot?", True),
        ("¿Cómo añadir un nodo?", True),
        ("Comment ajouter un nœud ?", True),
        ("How big is a node?", False),
        ("Wie viele Knoten sind nötig?", False),
        ("Which node is the leader?", False),
    ],
)
def test_which_questions_ask_how(question, how):
    assert read(question).how is how
