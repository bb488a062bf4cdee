"""Quotes of a question's passages: units of meaning, chosen in one order, as many as there is room for."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import tokens
from wekadocs_corpus.embedding.likeness import Compared, StaticLikeness
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.evidence.choosing.meaning import units_of
from wekadocs_corpus.evidence.choosing.quoting import Evidence
from wekadocs_corpus.evidence.choosing.weighing import weighed
from wekadocs_corpus.evidence.quotes import QuoteSource
from wekadocs_corpus.lexical import AskedWords, query_terms
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval.question import Question


class Unlike:
    """No two texts are alike, nor two words."""

    def __call__(self, question, texts):
        return [0.0] * len(texts)

    def nearest(self, words, others):
        return [0.0] * len(words)

    def compared(self, question, words, those):
        return [Compared(0.0, 0.0, [0.0] * len(words), [0.0] * len(words)) for _ in those]


def evidence(question, *texts, document="", likeness=None):
    """Every word equally rare."""
    asked = Question(AskedWords(question), Area("p", "e"), query_terms(question))
    sources = [QuoteSource(text, document=document and f"{document}{number}") for number, text in enumerate(texts)]
    return Evidence(asked, sources, weighed(asked, sources, likeness or Unlike()))


def quoted(found, most=6, total=600):
    return [found.sources[quote.source].text[slice(*quote.core)] for quote in found.quotes(most, total)]


def said(text):
    return [text[unit.start : unit.end] for unit in units_of(text)]


LONG = "It goes on and says one thing after the other without an end to it, as long as anybody listens to it. " * 3


@pytest.mark.parametrize(
    "unit",
    [
        "Run this to mount it:\n\n```sh\nmount -t weka\n\numount it\n```",
        "1. Make a key.\n2. Give it away:\n\n   ```sh\n   weka give\n   ```\n\n3. Forget it.",
        "These are kept:\n\n- the index\n- the cache, which is large\n  and slow\n- the rest",
        "| Name | Default |\n|---|---|\n| depth | 7 |\n| width | 9 |",
        "A paragraph of one sentence. And of another one that stands\nin two lines.",
    ],
    ids=["code", "steps", "list", "table", "paragraph"],
)
def test_what_belongs_together_is_one_unit(unit):
    assert said(f"{LONG}\n\n{unit}\n\n{LONG}\n") == [LONG.strip(), unit, LONG.strip()]


@pytest.mark.parametrize("rest", ["", "\n\nSo run it:\n\n```sh\nrun\n```"], ids=["alone", "with more code"])
def test_a_text_that_begins_inside_of_code_is_read_on_behind_it(rest):
    code = '   "maxPods": 110,\n   "kind": "Kubelet"\n}'
    found = said(f"{code}\n```\n\nLearn more about it.{rest}\n")
    assert found[0] == code.strip()
    assert found[1].startswith("Learn more")
    assert all(each.count("```") % 2 == 0 for each in found)


def test_a_text_that_ends_inside_of_code_is_read_as_before():
    text = "Run it:\n\n```\nrun\n\nmore\n"
    assert [unit.kind for unit in units_of(text)] == ["code"]


def test_a_heading_is_part_of_what_follows_it_and_stands_above_the_rest():
    text = f"# Keys\n\n{LONG}\n\n## Old ones\n\n{LONG}\n\n{LONG.replace('It', 'This')}\n"
    units = units_of(text)
    assert [text[unit.start :].split("\n", maxsplit=1)[0][:8] for unit in units] == ["# Keys", "## Old o", "This goe"]
    assert [[text[slice(*span)] for span in unit.above] for unit in units] == [
        ["# Keys"],
        ["# Keys", "## Old ones"],
        ["# Keys", "## Old ones"],
    ]


def test_a_row_of_a_long_table_is_quoted_with_the_tables_header():
    rows = "\n".join(f"| option{each} | what option number {each} is there for | {each} |" for each in range(40))
    text = f"| Name | Meaning | Default |\n|---|---|---|\n{rows}\n"
    (quote,) = evidence("option31", text).quotes(1, 60)
    assert text[slice(*quote.core)].startswith("| option31 |")
    assert quote.header == "| Name | Meaning | Default |\n|---|---|---|"


def test_what_links_lead_to_is_no_part_of_what_a_page_says():
    """Footnotes are: a reader sees them."""
    text = (
        f"Mount it with [weka].\n{LONG}\n[weka]: ../weka.md\n[`a key`]: key.md 'a key'\n\n[^1]: A note that is shown."
    )
    assert not any("../weka.md" in each or "key.md" in each for each in said(text))
    assert "[^1]: A note that is shown." in said(text)[-1]


def test_a_number_is_preferred_where_one_is_asked_for():
    one, other = "The queue holds all the requests, and they wait.", "The queue holds 400 requests, and they wait."
    page = f"## B\n\n{other}\n\n## A\n\n{one}"
    assert other in quoted(evidence("how many requests does the queue hold", page), 1, 20)[0]
    assert one in quoted(evidence("which requests does the queue hold", page), 1, 20)[0]


def test_units_that_adjoin_are_one_quote_and_both_sides_of_a_comparison_are_quoted():
    one = "Fast mode writes to memory first and answers early."
    other = "Safe mode writes to disk first and answers late."
    filler = "\n\n".join(f"Chapter {number} {LONG}" for number in range(6))
    assert set(quoted(evidence("fast mode or safe mode", f"{one}\n\n{filler}\n\n{other}\n"), 2, 30)) == {one, other}
    assert quoted(evidence("fast mode or safe mode", f"{one}\n\n{other}\n"), 2, 60) == [f"{one}\n\n{other}"]


def test_the_same_words_in_two_documents_are_quoted_once():
    same = "The quorum is three and that is all."
    found = evidence("quorum", f"{same}\n\n{LONG}", f"{same}\n\n## Then\n\nThe quorum holds.", document="page")
    assert "\n".join(quoted(found)).count(same) == 1
    assert "The quorum holds." in "\n".join(quoted(found))


PARTS = st.sampled_from(
    [
        "The disk is mounted. ",
        "Mount it now! ",
        "Nothing of it. ",
        LONG,
        "\n\n",
        "\n\n# Disk\n\n",
        "\n- mount a disk",
        "\n1. mount it",
        "\n\n| a | disk |\n|---|---|\n| b | mount |\n| c | 7 |\n\n",
        "\n\n```sh\nmount disk\n```\n\n",
        "```",
        "x" * 90,
        "漢字。",
    ]
)
PAGES = st.lists(st.lists(PARTS, max_size=14).map("".join) | st.text(max_size=120), min_size=1, max_size=4)


def places(found, most, total):
    return {(quote.source, at) for quote in found.quotes(most, total) for at in range(*quote.core)}


@given(PAGES, st.integers(1, 12), st.integers(0, 11), st.integers(10, 1500), st.integers(0, 600))
def test_a_larger_limit_returns_all_that_a_smaller_one_does(pages, most, more, total, room):
    found = evidence("mount the disk 漢字", *pages)
    here = found.quotes(most, total)
    if not any(quote.cut for quote in here):
        assert places(found, most, total) <= places(found, most + more, total + room)


def test_more_quotes_are_fewer_quotes_and_more():
    pages = [
        f"# Disk {n}\n\n" + "\n\n".join(f"Mount disk {n}.{k} at port {k}. " + "It is so. " * k for k in range(12))
        for n in range(8)
    ]
    found = evidence("mount the disk at a port", *pages)
    answers = [places(found, most, min(220 * most, 310 + 65 * most)) for most in range(1, 13)]
    assert all(less < more for less, more in pairwise(answers))


def test_one_long_block_leaves_room_for_short_ones_that_are_nearly_as_likely():
    best, *short = (
        f"# Port {n}\n\nA port {n} where a disk is{' mounted, one disk a port' * (not n)}." for n in range(4)
    )
    long = "# Ports\n\n```\n" + "\n".join(f"disk {n} is at port {n}" for n in range(30)) + "\n```"
    quotes = quoted(evidence("mount a disk at a port", best, long, *short), 6, 120)
    assert [each in quotes for each in (best, *short, long)] == [True] * 4 + [False]


def test_what_says_it_in_like_words_comes_first():
    said = ["Paint a disk like this.", "Erase a disk like this."]
    pages = [f"# Disks\n\n{each}" for each in said]
    found = quoted(evidence("how do I delete a disk", *pages, likeness=StaticLikeness(StaticEmbedder())), 1, 20)
    assert found == [pages[1]]


def test_two_quotes_are_read_on_though_a_third_one_would_be_likelier():
    more = "\n\n".join(f"A disk {number} at a port. {LONG}" for number in range(6))
    pages = [f"# Disk {number}\n\nMount the disk {number} at a port." for number in range(5)]
    quotes = quoted(evidence("mount the disk at a port", pages[0], f"{pages[1]}\n\n{more}", *pages[2:]), 2, 400)
    assert len(quotes) == 2
    assert tokens.count("".join(quotes)) > 360


def test_what_no_answer_has_room_for_does_not_end_it():
    code = "```yaml\n" + "\n".join(f"key_{n}: {n}" for n in range(300)) + "\n```"
    pages = ["# Mount the disk at a port\n\nMount the disk at a port by hand.", f"# Keys\n\nA port:\n\n{code}"]
    pages += [f"# Lamp {n}\n\nA lamp {n} has a port." for n in range(4)]
    quotes = quoted(evidence("mount the disk at a port", *pages), 6, 700)
    assert not any("key_1" in each for each in quotes)
    assert len(quotes) == 5


@given(PAGES, st.integers(1, 12), st.integers(10, 300))
def test_what_holds_for_every_quote_of_units(pages, most, total):
    found = evidence("mount the disk 漢字", *pages)
    quotes = found.quotes(most, total)
    assert len(quotes) <= most
    assert sum(tokens.count(pages[quote.source][slice(*quote.core)]) for quote in quotes) <= total
    taken = [(quote.source, at) for quote in quotes for at in range(*quote.core)]
    assert len(taken) == len(set(taken))
    for quote in quotes:
        start, end = quote.core
        assert 0 <= start < end <= len(pages[quote.source])
        pieces = [span for unit in units_of(pages[quote.source]) for span in unit.pieces]
        assert quote.cut or ({start} <= {first for first, _ in pieces} and {end} <= {last for _, last in pieces})


def test_rows_of_a_table_may_lack_the_sign_at_their_end():
    closed = "Sizes:\n\n" + "| Name | Size |\n|---|---|\n" + "".join(f"| a{n} | {n} |\n" for n in range(60))
    open_rows = closed.replace(" |\n", "\n")
    assert [each.replace(" |", "").strip() for each in said(closed)] == [
        each.replace(" |", "").strip() for each in said(open_rows)
    ]
