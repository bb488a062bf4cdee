"""`format` is a check or a note, by one switch; patterns that engines read differently; what is deep or long."""

import pytest

from wekadocs_contracts.diff.proof.normal.formats import asserted
from wekadocs_contracts.diff.proof.strings import regexes
from wekadocs_contracts.diff.schema_pair import schema_changes
from wekadocs_contracts.format.compiled import compiled

S, N = {"type": "string"}, {"type": "integer"}
HEX = "[0-9a-fA-F]"
UUID = f"^{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}$"
ZOD = f"^({HEX}{{8}}-{HEX}{{4}}-[1-8]{HEX}{{3}}-[89abAB]{HEX}{{3}}-{HEX}{{12}}|00000000-0000-0000-0000-000000000000)$"
DNS = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
LABEL = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"
KNOWN = ["uuid", "date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "json-pointer"]


def held(value):
    return {"type": "object", "properties": {"v": value}, "required": ["v"]}


def judged(old, new, direction="input", **options):
    rows = schema_changes(held(old), held(new), direction, **options)
    assert not [row for row in rows if row.proof == "unproven"], rows
    order = ["none", "docs", "additive", "breaking"]
    return max((row.verdict for row in rows), key=order.index, default="none"), rows


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ({**S, "format": "uuid"}, {**S, "format": "uuid", "pattern": UUID}, "none"),
        ({**S, "format": "uuid"}, {**S, "format": "uuid", "pattern": ZOD}, "none"),
        ({**N, "format": "int32"}, {**N, "format": "int64"}, "additive"),
        ({**N, "format": "int64"}, {**N, "format": "int32"}, "breaking"),
        ({**S, "const": "2024-05-01"}, {**S, "const": "2024-05-01", "format": "date"}, "docs"),
        ({**S, "enum": ["2024-05-01"]}, {**S, "enum": ["2024-05-01"], "format": "time"}, "breaking"),
        (S, {**S, "format": "colour"}, "docs"),
        ({**S, "format": "colour"}, {**S, "format": "shade"}, "docs"),
        (S, {**S, "format": "email"}, "breaking"),
        ({**S, "format": "email"}, S, "additive"),
        ({**S, "format": "date"}, {**S, "format": "date-time"}, "breaking"),
        ({**S, "format": "uri"}, {**S, "format": "uri", "maxLength": 2048}, "breaking"),
    ],
)
def test_a_format_is_judged_like_any_other_limit(old, new, verdict):
    found, rows = judged(old, new)
    assert found == verdict, rows
    for row in rows:
        if row.witness is not None:
            assert compiled(held(old), validate_formats=True).is_valid(row.witness), "it worked before, format and all"


def test_as_a_note_no_format_breaks_anything():
    assert judged(S, {**S, "format": "email"}, formats=False)[0] == "docs"
    assert judged({**S, "format": "email"}, {**S, "format": "uuid"}, "output", formats=False)[0] == "docs"


@pytest.mark.parametrize("name", KNOWN)
def test_what_everybody_takes_for_a_format_a_validator_takes_too(name):
    """And what it refuses for sure is refused there as well."""
    validator = compiled({**S, "format": name}, validate_formats=True)
    strict, loose = (
        asserted({"format": name}, side, formats=True)["allOf"][0]["pattern"] for side in ("values", "judge")
    )
    found: list[str] = []
    for least in (0, 1, 12, 20, 30, 40):
        text = regexes.shortest(regexes.And((regexes.pattern(strict), regexes.Length(least, None))))
        found += [text] if text is not None else []
    assert found
    assert [text for text in found if not validator.is_valid(text)] == []
    assert regexes.includes(loose, strict)
    outside = regexes.shortest(regexes.Not(regexes.pattern(loose)))
    assert outside is None or not validator.is_valid(outside)


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("^[^/\\0]+$", "^[^/\\0]*$", "additive"),
        ("^[^/\\0]*$", "^[^/\\0]+$", "breaking"),
        ("^[^]+$", "^[^]{2,}$", "breaking"),
        ("^[^]{2,}$", "^[^]+$", "additive"),
        ("^[aA][bB]$", "^(?i:ab)$", "none"),
        ("^(?i)abc$", "^abc$", "breaking"),
        ("^(a|b){1,20}$", "^(a|b){1,19}$", "breaking"),
        ("^(a|b){1,20}$", "^[ab]{1,21}$", "additive"),
    ],
)
def test_patterns_of_javascript_are_read_as_there(old, new, verdict):
    assert judged({**S, "pattern": old}, {**S, "pattern": new})[0] == verdict


@pytest.mark.parametrize(
    ("pattern", "before", "after", "verdict"),
    [(DNS, 253, 63, "breaking"), (DNS, 63, 253, "additive"), (LABEL, 63, 90, "none"), (LABEL, 63, 62, "breaking")],
)
def test_a_pattern_and_a_length_are_decided_together(pattern, before, after, verdict):
    old, new = ({**S, "pattern": pattern, "maxLength": length} for length in (before, after))
    assert judged(old, new)[0] == verdict


def nested(levels, leaf, *, lists=False):
    for _ in range(levels):
        leaf = {"type": "array", "items": leaf} if lists else {**held(leaf), "additionalProperties": False}
    return leaf


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("levels", [8, 20, 32])
def test_what_lies_deep_is_decided_too(levels, lists):
    old, new = (nested(levels, {**N, "maximum": top}, lists=lists) for top in (9, 8))
    assert judged(old, new)[0] == "breaking"
    assert judged(old, new, "output")[0] == "additive"


def tree(reference, top):
    node = {
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"k": {**N, "maximum": top}, "c": {reference: "#node"}},
    }
    return {"type": "object", "properties": {"v": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}}


def test_a_dynamic_reference_that_can_lead_to_one_place_is_a_plain_one():
    assert schema_changes(tree("$ref", 5), tree("$dynamicRef", 5), "input") == []
    rows = schema_changes(tree("$dynamicRef", 5), tree("$ref", 4), "input")
    assert [(row.rule, row.proof) for row in rows] == [("maximum-narrowed", "witness")]
