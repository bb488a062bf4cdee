"""Labelled pairs: every row of the keyword table with changes that count and near-misses that do not."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest

from wekadocs_contracts.diff.proof.prove import prove

CORPUS = Path(__file__).parent / "corpus"
PAIRS = [pair for file in sorted(CORPUS.glob("*.json")) for pair in json.loads(file.read_text("utf-8"))]


def verdict(proof):
    if proof.breaking or proof.breaking is None:
        return "breaking" if proof.breaking else "unproven"
    return {True: "additive", False: "none", None: "unproven"}[proof.widened]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_a_labelled_pair_gets_its_verdict(pair):
    proof = prove(pair["old"], pair["new"], pair["direction"])
    assert verdict(proof) == pair["verdict"], pair["note"]
    if proof.breaking:
        gone, kept = (pair["new"], pair["old"]) if pair["direction"] == "input" else (pair["old"], pair["new"])
        assert proof.proof == "witness"
        assert jsonschema.validators.validator_for(kept)(kept).is_valid(proof.witness)
        assert not jsonschema.validators.validator_for(gone)(gone).is_valid(proof.witness)
        assert jsonschema_rs.is_valid(kept, proof.witness, validate_formats=False)
        assert not jsonschema_rs.is_valid(gone, proof.witness, validate_formats=False)
    else:
        assert proof.proof in ("empty-difference", "congruence")
        assert proof.witness is None


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["id"] for pair in PAIRS])
def test_input_and_output_mirror_each_other(pair):
    mirrored = prove(pair["new"], pair["old"], "output" if pair["direction"] == "input" else "input")
    assert mirrored.breaking == prove(pair["old"], pair["new"], pair["direction"]).breaking


def test_the_corpus_is_large_and_each_file_has_both_sides():
    assert len(PAIRS) >= 150
    assert not [name for name, count in Counter(pair["id"] for pair in PAIRS).items() if count > 1]
    for file in CORPUS.glob("*.json"):
        labels = {pair["verdict"] for pair in json.loads(file.read_text("utf-8"))}
        assert "none" in labels or file.stem in ("closing",), file.stem
        assert "breaking" in labels or file.stem == "annotations", file.stem
