"""Sentences that can be quoted alone, and the plain splitter to the letter of the specification."""
# ruff: noqa: E501, RUF001  # the samples are what they are

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.sentences import plain_spans, sentences
from wekadocs_corpus.evidence.spans import clip, spans


def split(text, how=sentences):
    return [text[start:end] for start, end in how(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dr. Smith paid e.g. 3.5 USD. Is it v. 4.4? Yes! Done",
            ["Dr. Smith paid e.g. 3.5 USD.", "Is it v. 4.4?", "Yes!", "Done"],
        ),
        ("J. R. Tolkien wrote. Version 4.2.1 is out.", ["J. R. Tolkien wrote.", "Version 4.2.1 is out."]),
        ("Drives, etc. are fine. Drives etc. The end.", ["Drives, etc. are fine.", "Drives etc.", "The end."]),
        ("Wait… what... now. So.", ["Wait… what... now.", "So."]),
        ('He said "Go." Then left (late.) Now.', ['He said "Go."', "Then left (late.)", "Now."]),
        ("他说。你好！「好。」然后", ["他说。", "你好！", "「好。」", "然后"]),
        ("1. Install it. Then run.\n2. Stop\n- x", ["1. Install it.", "Then run.", "2. Stop", "- x"]),
        ("One\nsentence over lines. Two.\n\nThree", ["One\nsentence over lines.", "Two.", "Three"]),
        ("| a. b | c |\n| --- | --- |\n| d | e |", ["| a. b | c |", "| d | e |"]),
        ("Text. More\n```sh\nrun. it\n\nnow\n```\nAfter.", ["Text.", "More", "```sh\nrun. it\n\nnow\n```", "After."]),
        ("# A heading\nText.", ["# A heading", "Text."]),
        ("```\nunclosed. code", ["```\nunclosed. code"]),
        ("a: 1. b\n\nc: 2\n```\n\nProse. More.", ["a: 1. b\n\nc: 2\n```", "Prose.", "More."]),  # begins inside code
        ("x = 1\n```\nProse.\n```sh\nls\n```\n", ["x = 1\n```", "Prose.", "```sh\nls\n```"]),
        ("Prose.\n```\n\ncode. it\n```\n", ["Prose.", "```\n\ncode. it\n```"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_sentences_end_where_a_reader_sees_it(text, expected):
    assert split(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See e.g. this. Is it? Yes!", ["See e.g.", "this.", "Is it?", "Yes!"]),
        ("a.b c.\nd", ["a.b c.", "d"]),
        ("one\ntwo\n\nthree\n- four\n* five. six", ["one\ntwo", "three", "- four", "* five.", "six"]),
        ("x. y\n```\ncode. it\n\nis\n```\nz", ["x.", "y", "```\ncode. it\n\nis\n```", "z"]),
    ],
)
def test_the_plain_splitter_splits_exactly_at_the_named_places(text, expected):
    assert split(text, plain_spans) == expected


TEXT = st.text(max_size=300) | st.lists(
    st.sampled_from(["word", "e.g.", ".", "!", "\n", "\n\n", "```", "- ", "| a |", "。", " ", "# ", "(", '"', "漢"]),
    max_size=60,
).map("".join)


@given(TEXT, st.booleans())
def test_spans_hold_all_there_is_to_read_in_order(text, plain):
    found = spans(text, plain=plain)
    rest, end = "", 0
    for start, stop in found:
        assert end <= start < stop <= len(text)
        assert text[start:stop] == text[start:stop].strip()
        rest, end = rest + text[end:start], stop
    rest += text[end:]
    assert not rest.strip().strip("|:- \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0").strip() or (not plain and "|" in rest)


@given(TEXT, st.integers(1, 40))
def test_a_clipped_quote_stays_within_its_price(text, most):
    for span in spans(text):
        start, end = clip(text, span, most)
        assert span[0] == start <= end <= span[1]
        assert tokens.count(text[start:end]) <= most
        assert end - start <= 500


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("{/* Do not edit. It is made. */}\n\nReal text. More.", ["Real text.", "More."]),
        ("<!-- Hidden. --> Seen. Too.", ["Seen.", "Too."]),
        ("One <!-- Hidden. Too. --> two. Three.", ["One", "two.", "Three."]),
        ("```js\n{/* Kept. */}\n```\n\nEnd.", ["```js\n{/* Kept. */}\n```", "End."]),
        ("A <!-- never closed. B.", ["A <!-- never closed.", "B."]),
    ],
)
def test_a_comment_is_not_quoted(text, quotable):
    assert [text[start:end] for start, end in sentences(text)] == quotable


def test_underlined_headings_and_names_of_directives_are_no_sentences():
    text = ".. setting:: debug\n\n``debug``\n---------\n\n.. versionadded:: 2.0\n\nTurns it on.\n\nA long line that a rule follows\n---\n"
    said = [text[start:end] for start, end in sentences(text)]
    assert said == ["Turns it on.", "A long line that a rule follows"]
    assert len(sentences(text, all_lines=True)) > len(said)


def test_data_of_a_component_is_quoted_object_by_object():
    text = "<Table\n  content={[\n    {\n      name: 'delay',\n      says: 'How long.'\n    },\n    {\n      name: 'size'\n    },\n  ]}\n/>\n"
    said = [text[start:end] for start, end in sentences(text)]
    assert [each for each in said if "name" in each] == ["name: 'delay',\n      says: 'How long.'", "name: 'size'"]
