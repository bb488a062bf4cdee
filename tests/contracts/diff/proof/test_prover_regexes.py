"""Regular expressions: inclusion against brute force, and what must be refused."""

import re
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wekadocs_contracts.diff.proof.inclusion import validator
from wekadocs_contracts.diff.proof.strings import regexes
from wekadocs_contracts.diff.proof.strings.regex_parser import Undecided
from wekadocs_contracts.diff.proof.strings.regexes import And, Not, includes, matches, pattern, shortest

TEXTS = ["".join(letters) for length in range(6) for letters in product("abc_", repeat=length)]
PIECES = ["a", "b", "[ab]", "[^a]", ".", "\\w", "(?:ab)", "(a|bc)", "\\b", "^", "$", "c"]
SIGNS = ["", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"]


def random_pattern(rand):
    def piece():
        body = rand.choice(PIECES)
        return body if body in ("^", "$", "\\b") else body + rand.choice(SIGNS)

    return "|".join("".join(piece() for _ in range(rand.randint(1, 4))) for _ in range(rand.choice([1, 1, 2])))


def test_inclusion_agrees_with_brute_force(rand):
    decided = 0
    for _ in range(400):
        small, large = random_pattern(rand), random_pattern(rand)
        members = [text for text in TEXTS if re.search(small, text)]
        answer = includes(large, small)
        assert answer is not None
        if answer:
            decided += 1
            assert all(re.search(large, text) for text in members), (small, large)
        else:
            text = shortest(And((pattern(small), Not(pattern(large)))))
            shown = [validator({"pattern": each})(text) for each in (small, large)]
            assert shown == [True, False], (small, large, text)
            shorter = [other for other in members if len(other) < len(text) and not re.search(large, other)]
            assert not shorter, (small, large, text, shorter)
    assert decided > 20


@given(
    st.text(alphabet="ab\n-_ é1", max_size=6), st.sampled_from(["^a", "a$", ".b", "\\s", "\\W+", "\\bab", "^[^b]*$"])
)
def test_matching_agrees_with_a_validator(text, rule):
    assume("é" not in text or "\\b" not in rule)  # a word's border is ASCII in ECMA-262, Unicode in that validator
    assert matches(rule, text) == validator({"pattern": rule})(text)


@pytest.mark.parametrize(
    ("large", "small", "expected"),
    [
        ("a", "^a+$", True),
        ("^a+$", "a", False),
        ("^[a-z0-9]{1,30}$", "^[a-z]{1,20}$", True),
        ("^\\d+$", "^[0-9]+$", True),
        ("^[a-z]+$", "^(?!admin)[a-z]+$", True),
        ("^(?!admin)[a-z]+$", "^[a-z]+$", False),
        ("^((?!ab).)*$", "^[ac]*$", True),
        ("", "x", True),
        ("^[\\s\\S]*$", "x", True),
        ("^.*$", "x", False),
    ],
)
def test_inclusion(large, small, expected):
    assert includes(large, small) is expected


@pytest.mark.parametrize(
    "odd",
    [
        "(a)\\1",
        "(?x)a",
        "(?<=a)b",
        "\\p{Script=Greek}",
        "[",
        "a{2,1}",
        "a**",
        "[a&&b]",
        "(?P<x>a)",
        "a{1001}",
        "\\Z",
        "a(?=b)",
    ],
)
def test_what_is_not_understood_is_not_decided(odd):
    assert includes(odd, "a") is None
    assert matches(odd, "a") is None


@pytest.mark.parametrize("bomb", ["(a{900}){900}", "(" * 60 + "a" + ")" * 60, "(a|b)*a(a|b){15}c?", "a" * 3000])
def test_a_hostile_pattern_ends_soon(bomb):
    assert includes("^b*$", bomb) in (None, False)


def test_the_strings_of_a_schema():
    assert shortest(regexes.of_schema({"minLength": 2, "pattern": "^b"})) in ("ba", "bb")
    assert shortest(regexes.of_schema({"enum": ["ab", 3], "not": {"pattern": "b$"}})) is None
    with pytest.raises(Undecided):
        regexes.of_schema({"$ref": "#/$defs/x"})
