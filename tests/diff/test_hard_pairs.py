"""Pairs that trip rule lists, each judged by hand in both directions before the tool saw it."""

import json
from pathlib import Path

import pytest

from wekadocs_mcp.diff.confirm import Judge
from wekadocs_mcp.diff.prove import judge
from wekadocs_mcp.diff.schema_pair import schema_changes

PAIRS = json.loads(Path(__file__).with_name("hard_pairs.json").read_text("utf-8"))
ORDER = ["none", "docs", "additive", "breaking"]


@pytest.mark.parametrize("direction", ["input", "output"])
@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_a_hard_pair_gets_the_verdict_that_was_thought_out(pair, direction):
    rows = schema_changes(pair["old"], pair["new"], direction)
    assert max((row.verdict for row in rows), key=ORDER.index, default="none") == pair[direction]
    assert not [row for row in rows if row.proof == "unproven" or row.rule == "rules-and-proof-disagree"]
    shown = [row.witness for row in rows if row.witness is not None]
    if shown:
        decides: Judge = judge(pair["old"], pair["new"], direction)
        assert all(decides.is_witness(witness) for witness in shown)


def test_there_are_many_and_none_twice():
    assert len({pair["id"] for pair in PAIRS}) == len(PAIRS) >= 400
