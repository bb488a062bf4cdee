"""Weights and word lists: each in one place, fixed, with its reason."""

import ast
import dataclasses
import inspect

import pytest

from wekadocs_corpus import tuning
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval.question import Question
from wekadocs_corpus.tuning import TUNING, finding, quoting

GROUPS = [
    each
    for room in (finding, quoting)
    for name, each in vars(room).items()
    if name.endswith("Tuning") and isinstance(each, type)
]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_every_value_has_a_reason_beside_it(group):
    lines = inspect.getsource(group).splitlines()
    fields = [node for node in ast.parse("\n".join(lines)).body[0].body if isinstance(node, ast.AnnAssign)]
    silent = [
        node.target.id
        for node, before in zip(fields, [None, *fields], strict=False)
        if "#" not in lines[node.lineno - 1]
        and not lines[node.lineno - 2].lstrip().startswith("#")
        and not (before and before.end_lineno == node.lineno - 1)  # one reason for both
    ]
    assert silent == []


def test_every_group_is_part_of_the_one_tuning_and_nothing_can_be_set():
    assert {type(getattr(TUNING, each.name)) for each in dataclasses.fields(tuning.Tuning)} == set(GROUPS)
    for each in (TUNING, TUNING.hop):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(each, dataclasses.fields(each)[0].name, 1)


def test_a_question_is_read_with_the_tuning_it_carries():
    words = AskedWords("tell me about the lease")
    usual = Question(words, Area("p", "e"), words.terms)
    asking = dataclasses.replace(TUNING.asking, meaning=("tell me about",), how=("tell",))
    other = dataclasses.replace(usual, tuning=dataclasses.replace(TUNING, asking=asking))
    assert (usual.entry, usual.how) == (None, False)
    assert other.entry.match("**Lease**: a right.") and other.how
