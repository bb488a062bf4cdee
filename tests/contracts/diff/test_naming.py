"""Rules and proof together, over the whole corpus: the proof decides, policy adds, nothing stays unnamed."""

import json
from pathlib import Path

import pytest

from wekadocs_contracts.diff.model import SchemaProof
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_contracts.diff.schema_pair import schema_changes

CORPUS = sorted((Path(__file__).parent / "proof" / "corpus").glob("*.json"))
ORDER = ["none", "docs", "additive", "breaking"]


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
def test_every_pair_of_the_corpus_is_named_and_judged(file):
    for pair in json.loads(file.read_text("utf-8")):
        rows = schema_changes(pair["old"], pair["new"], pair["direction"])
        verdict = max((row.verdict for row in rows), key=ORDER.index, default="none")
        rules = [row.rule for row in rows]
        assert set(rules) <= set(RULES), pair["id"]
        assert "rules-and-proof-disagree" not in rules, pair["id"]
        assert not [row for row in rows if row.proof == "unproven"], pair["id"]
        if pair["verdict"] == "breaking":
            proven = [row for row in rows if row.witness is not None and row.explanation]
            assert verdict == "breaking", pair["id"]
            assert proven or rules[0] in ("schema-invalid", "unsatisfiable"), pair["id"]
        else:
            by_set = [row for row in rows if row.verdict == "breaking" and row.proof != "policy"]
            assert not by_set or {row.rule for row in by_set} == {"format-changed"}, pair["id"]  # a check, by default
            assert ORDER.index(verdict) >= ORDER.index(pair["verdict"]), pair["id"]


def test_a_wrong_rule_cannot_make_a_safe_change_break(monkeypatch):
    """The rule sees a narrower limit; the proof knows that the enum beside it hides it."""
    old = {"type": "object", "properties": {"a": {"enum": ["x"], "maxLength": 9}}}
    new = {"type": "object", "properties": {"a": {"enum": ["x"], "maxLength": 5}}}
    (row,) = schema_changes(old, new, "input")
    assert (row.rule, row.verdict, row.proof) == ("max-length-narrowed", "none", "empty-difference")
    monkeypatch.setattr(
        "wekadocs_contracts.diff.schema_pair.prove", lambda *_, **__: SchemaProof(None, None, "unproven")
    )
    (row,) = schema_changes(old, new, "input")
    assert (row.verdict, row.proof) == ("breaking", "unproven")
