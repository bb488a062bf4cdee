"""What strangers wrote reaches terminals, rows and CI as text, never as an order."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_text import as_json, one_line, printed, visible

NASTY = st.text(st.one_of(st.characters(), st.sampled_from("\n\r\t\x1b\x9b\x07\x00\u202e\u2066\u200b\ufeff:#[%|`")))
GITHUB = re.compile(r"^\s*::\w", re.MULTILINE)
ELSEWHERE = re.compile(r"##\w*\[")


def harmless(text: str, kept: str = "") -> bool:
    hidden = {letter for letter in text if letter not in kept and unicodedata.category(letter)[0] in "CZ"}
    return hidden <= {" "}


@given(NASTY)
def test_a_name_is_one_line_without_anything_hidden(name):
    assert harmless(one_line(name))
    assert harmless(visible(name), kept="\n\t")


@given(NASTY)
def test_no_ci_system_takes_an_order_from_a_printed_line(name):
    for text in (name, f"wrote {name}", f"\n::error::{name}##[error]"):
        shown = printed(text)
        assert not GITHUB.search(shown) and not ELSEWHERE.search(shown)


@given(st.recursive(NASTY, lambda inner: st.lists(inner) | st.dictionaries(NASTY, inner)))
def test_json_on_a_terminal_says_the_same(value):
    text = as_json(value)
    assert harmless(text)
    assert json.loads(text) == value


@pytest.mark.parametrize("name", ["kb.search", "Büro/Übersicht", "日本語のページ", "a%0Ab", "naïve_été"])
def test_an_ordinary_name_stays_as_it_is(name):
    assert one_line(name) == visible(name) == printed(name) == name


def test_a_style_sheet_may_speak_of_before():
    assert one_line("::before") == "::before"
    assert printed("see ::before") == "see ::before"
