"""Fresh random pairs at every run: no proof is refuted, every break is shown, rewrites and mirrors change nothing."""

import copy
from collections import Counter

import jsonschema
import jsonschema_rs
from referencing import Registry

from wekadocs_contracts.diff.model import SchemaProof
from wekadocs_contracts.diff.proof.exemption import exemption
from wekadocs_contracts.diff.proof.normal.normalise import normalise
from wekadocs_contracts.diff.proof.prove import UnusableSchema, judge, prove
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_contracts.diff.schema_pair import schema_changes

PAIRS = 2_000
SAMPLES = 120
NAMES = ["a", "b", "ab", "c1"]
KEYS = [*NAMES, "x", "aa", "b1", ""]
TEXTS = ["", "a", "ab", "b", "aab", "ba", "c", "abc", "1", "x", "a1", "bb", "abcd", "aaaaa"]
NUMBERS = [-2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 12]
PATTERNS = ["^a", "a", "^ab?$", "b$", "^[a-c]+$", "^.{2,3}$", "\\d", "^(a|b)", "^[^a]", "^$", "."]
CONSTANTS = [None, True, False, 0, 1, 2, 1.5, -1, "", "a", "ab", "b", [], [1], ["a"], {}, {"a": 1}, {"b": "a"}]
KINDS = ["string", "integer", "number", "object", "object", "object", "array", "array", "boolean", "null"]
IN_PLACE = ("anyOf", "oneOf", "allOf")


# A property may be called like a keyword, and a value may look like a schema.
AWKWARD = ["properties", "$ref", "enum", "not", "items", "type", "const", "default", "$defs", "dependentSchemas"]


class Schemas:
    """Random schemas with every keyword, small enough to be hit by random values."""

    def __init__(self, rand, names=NAMES):
        self.rand = rand
        self.names = names
        self.definitions = 0

    def chance(self, share):
        return self.rand.random() < share

    def document(self):
        self.definitions = self.rand.choice([0, 0, 0, 1, 2])
        root = self.schema(2)
        if self.definitions:
            root = root if isinstance(root, dict) else {}
            root["$defs"] = {f"n{number}": self.schema(2) for number in range(self.definitions)}
        return root

    def schema(self, depth):
        if self.chance(0.04):
            return self.chance(0.7)
        if self.definitions and self.chance(0.15):
            return {"$ref": f"#/$defs/n{self.rand.randrange(self.definitions)}"}
        out = self.body(depth)
        if depth > 0 and self.chance(0.22):
            self.combine(out, depth - 1)
        return out

    def body(self, depth):
        out = {}
        form = self.rand.random()
        if form < 0.72:
            kind = self.rand.choice(KINDS)
            second = self.rand.choice(KINDS) if self.chance(0.15) else kind
            out["type"] = kind if second == kind else [kind, second]
            self.facets(out, kind, depth)
        elif form < 0.82:
            out["enum"] = self.rand.sample(CONSTANTS, self.rand.randint(1, 4))
        elif form < 0.86:
            out["const"] = self.rand.choice(CONSTANTS)
        else:
            self.facets(out, self.rand.choice(["string", "integer", "object", "array"]), depth)
        return out

    def facets(self, out, kind, depth):
        choices = {"string": self.text, "integer": self.number, "number": self.number}
        choices |= {"array": self.array, "object": self.object}
        for keyword, share, value in choices.get(kind, lambda _: [])(depth - 1):
            if self.chance(share) and (made := value()) is not None:
                out[keyword] = made

    def below(self, depth):
        return self.schema(depth) if depth >= 0 else {"type": self.rand.choice(["string", "integer"])}

    def some(self, *values):
        return lambda: self.rand.choice(values)

    def text(self, _):
        lengths = [("minLength", 0.3, self.some(0, 1, 2, 3)), ("maxLength", 0.3, self.some(0, 1, 2, 4))]
        return [*lengths, ("pattern", 0.3, self.some(*PATTERNS))]

    def number(self, _):
        bounds = [("minimum", 0.3, self.some(-1, 0, 1, 2, 0.5)), ("maximum", 0.3, self.some(0, 1, 3, 5, 2.5))]
        strict = [("exclusiveMinimum", 0.12, self.some(-1, 0, 1)), ("exclusiveMaximum", 0.12, self.some(2, 3, 6))]
        return [*bounds, *strict, ("multipleOf", 0.2, self.some(1, 2, 3, 0.5, 4))]

    def array(self, depth):
        return [
            ("items", 0.45, lambda: self.below(depth)),
            ("prefixItems", 0.15, lambda: [self.below(depth) for _ in range(self.rand.randint(1, 2))]),
            ("minItems", 0.25, self.some(0, 1, 2)),
            ("maxItems", 0.25, self.some(0, 1, 2, 3)),
            ("uniqueItems", 0.12, self.some(True)),
            ("contains", 0.15, lambda: self.below(depth)),
            ("minContains", 0.06, self.some(0, 1, 2)),
            ("maxContains", 0.06, self.some(0, 1, 2)),
            ("unevaluatedItems", 0.05, self.some(False)),
        ]

    def object(self, depth):
        names = {"pattern": self.rand.choice(PATTERNS)}
        return [
            (
                "properties",
                0.7,
                lambda: {n: self.below(depth) for n in self.rand.sample(self.names, self.rand.randint(1, 3))},
            ),
            ("required", 0.35, lambda: self.rand.sample(self.names, self.rand.randint(1, 2))),
            ("additionalProperties", 0.28, lambda: self.below(depth) if self.chance(0.4) else self.chance(0.2)),
            ("patternProperties", 0.12, lambda: {self.rand.choice(PATTERNS): self.below(depth) for _ in range(2)}),
            ("propertyNames", 0.08, self.some(names, {"maxLength": 1}, {"enum": ["a", "b"]})),
            ("minProperties", 0.1, self.some(0, 1, 2)),
            ("maxProperties", 0.1, self.some(0, 1, 2, 3)),
            ("dependentRequired", 0.08, lambda: {self.rand.choice(self.names): [self.rand.choice(self.names)]}),
            ("dependentSchemas", 0.05, lambda: {self.rand.choice(self.names): self.below(depth)}),
            ("unevaluatedProperties", 0.07, self.some(False, {"type": "integer"})),
        ]

    def combine(self, out, depth):
        keyword = self.rand.choice([*IN_PLACE, "not", "if"])
        if keyword in IN_PLACE:
            out[keyword] = [self.schema(depth) for _ in range(self.rand.randint(1, 3))]
        else:
            out[keyword] = self.schema(depth)
        if keyword == "if":
            out |= {branch: self.schema(depth) for branch in ("then", "else") if self.chance(0.7)}

    def edited(self, schema):
        """The same with one or two keywords changed, as a person would."""
        schema = copy.deepcopy(schema)
        nodes = list(dictionaries(schema))
        for node in self.rand.choices(nodes, k=self.rand.choice([1, 1, 2])) if nodes else []:
            self.edit(node)
        return schema if nodes else self.schema(2)

    def edit(self, node):
        if not node:
            return
        keyword = self.rand.choice(list(node))
        value = node[keyword]
        if self.chance(0.3):
            del node[keyword]
        elif isinstance(value, bool):
            node[keyword] = not value
        elif isinstance(value, int | float):
            node[keyword] = value + self.rand.choice([-1, 1, 1])
        elif isinstance(value, list) and len(value) > 1:
            value.pop(self.rand.randrange(len(value)))
        elif keyword in ("properties", "patternProperties") and isinstance(value, dict):
            value[self.rand.choice(self.names)] = self.schema(1)
        elif isinstance(more := self.schema(1), dict):
            node.update(more)

    def pair(self):
        first = self.document()
        second = self.edited(first) if self.chance(0.7) else self.document()
        return (first, second) if self.chance(0.5) else (second, first)


def dictionaries(value):
    if isinstance(value, dict) and value:
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from dictionaries(inner)


class Values:
    """Random values that tend to satisfy a schema; knows nothing of the prover."""

    def __init__(self, rand, schema):
        self.rand = rand
        self.schema = schema
        self.definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}

    def one(self):
        return self.like(self.schema, 4) if self.rand.random() < 0.7 else self.any(3)

    def any(self, depth):
        form = self.rand.random()
        if form < 0.35 or depth == 0:
            return self.rand.choice(CONSTANTS)
        if form < 0.6:
            return self.rand.choice(TEXTS if form < 0.5 else NUMBERS)
        if form < 0.8:
            return [self.any(depth - 1) for _ in range(self.rand.randint(0, 3))]
        return {self.rand.choice(KEYS): self.any(depth - 1) for _ in range(self.rand.randint(0, 3))}

    def like(self, schema, depth):
        if isinstance(schema, dict) and "$ref" in schema:
            schema = self.definitions.get(schema["$ref"].rpartition("/")[2], True)
        if not isinstance(schema, dict) or depth == 0 or self.rand.random() < 0.12:
            return self.any(2)
        branches = [part for keyword in IN_PLACE for part in schema.get(keyword, ())]
        branches += [schema[keyword] for keyword in ("if", "then", "else") if keyword in schema]
        if branches and self.rand.random() < 0.5 and isinstance(branch := self.rand.choice(branches), dict):
            rest = {k: v for k, v in schema.items() if k not in IN_PLACE}
            return self.like({**rest, **branch}, depth - 1)
        return self.typed(schema, depth - 1)

    def typed(self, schema, depth):
        if "const" in schema or schema.get("enum"):
            return schema["const"] if "const" in schema else self.rand.choice(schema["enum"])
        kind = schema.get("type", self.rand.choice(["object", "array", "string", "integer"]))
        kind = self.rand.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return self.object(schema, depth)
        if kind == "array":
            return self.array(schema, depth)
        if kind in ("integer", "number"):
            return self.rand.choice(NUMBERS)
        return {"boolean": self.rand.random() < 0.5, "null": None}.get(kind, self.rand.choice(TEXTS))

    def object(self, schema, depth):
        named = schema.get("properties", {})
        needed = schema.get("required", [])
        keys = [key for key in {*named, *needed} if key in needed or self.rand.random() < 0.5]
        keys += self.rand.sample(KEYS, self.rand.choice([0, 0, 1, 2]))
        others = [schema.get("additionalProperties", True), *schema.get("patternProperties", {}).values()]
        return {key: self.like(named.get(key, self.rand.choice(others)), depth) for key in sorted(keys)}

    def array(self, schema, depth):
        least = schema.get("minItems", 0)
        prefix = schema.get("prefixItems", [])
        others = [schema.get("items", True), schema.get("contains", True)]
        length = self.rand.randint(least, max(least, 3))
        return [self.like(prefix[n] if n < len(prefix) else self.rand.choice(others), depth) for n in range(length)]


def usable(schemas, count):
    """Pairs that both sides of can be used; the seed in the output repeats them."""
    while count:
        old, new = schemas.pair()
        try:
            yield old, new, prove(old, new, "input", steps=6_000)
            count -= 1
        except UnusableSchema:
            continue


def rust(schema):
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=False).is_valid


def python(schema):
    return jsonschema.Draft202012Validator(schema, registry=Registry()).is_valid


def test_proofs_hold_and_witnesses_break(rand):
    tally = Counter()
    for old, new, proof in usable(Schemas(rand), PAIRS):
        tally[proof.breaking] += 1
        if proof.breaking:
            judged = [check(schema)(proof.witness) for check in (rust, python) for schema in (old, new)]
            assert judged == [True, False, True, False], (old, new, proof)
        elif proof.breaking is False:
            refuted = refutation(rand, old, new, proof)
            assert refuted is None, (old, new, proof, refuted)
    print(dict(tally))
    assert tally[True] > PAIRS / 5
    assert tally[False] > PAIRS / 5
    assert tally[None] <= PAIRS / 100, "more than one in a hundred is left open"


def test_properties_named_like_keywords_confuse_nothing(rand):
    for old, new, proof in usable(Schemas(rand, AWKWARD), 400):
        if proof.breaking:
            judged = [check(schema)(proof.witness) for check in (rust, python) for schema in (old, new)]
            assert judged == [True, False, True, False], (old, new, proof)
        elif proof.breaking is False:
            assert refutation(rand, old, new, proof) is None, (old, new, proof)


def refutation(rand, old, new, proof):
    before, after = rust(old), rust(new)
    exempt = exemption(normalise(old).schema, normalise(new).schema)
    counts = rust(exempt) if exempt is not None else lambda _: True
    for schema in (old, new):
        values = Values(rand, schema)
        for _ in range(SAMPLES):
            value = values.one()
            if before(value) and not after(value) and (counts(value) or proof.widened is False):
                return "narrower", value
            if proof.widened is False and after(value) and not before(value):
                return "wider", value
    return None


def test_input_and_output_mirror_each_other(rand):
    for old, new, proof in usable(Schemas(rand), 250):
        mirrored = prove(new, old, "output", steps=6_000)
        assert {proof.breaking, mirrored.breaking} != {True, False}, (old, new)


def test_a_schema_never_breaks_itself(rand):
    for old, _, _ in usable(Schemas(rand), 150):
        proof = prove(old, {"allOf": [copy.deepcopy(old)]} if "$defs" not in str(old) else old, "input")
        assert (proof.breaking, proof.widened) == (False, False), old


def shuffled(rand, schema):
    if isinstance(schema, dict):
        return {key: shuffled(rand, schema[key]) for key in rand.sample(list(schema), len(schema))}
    return [shuffled(rand, item) for item in schema] if isinstance(schema, list) else schema


REWRITES = [
    shuffled,
    lambda rand, schema: {**_without(schema), "allOf": [*schema.get("allOf", []), {}], **_defs(schema)},
    lambda rand, schema: {"allOf": [_without(schema)], **_defs(schema)},
    lambda rand, schema: {"anyOf": [_without(schema), False], **_defs(schema)},
    lambda rand, schema: {"$ref": "#/$defs/whole", "$defs": {**schema.get("$defs", {}), "whole": _without(schema)}},
    lambda rand, schema: {**schema, "description": "words", "$defs": {**schema.get("$defs", {}), "unused": {}}},
    lambda rand, schema: {"oneOf": [_without(schema), {"not": {}}], **_defs(schema)},
]


def _without(schema):
    return {key: value for key, value in schema.items() if key != "$defs"}


def _defs(schema):
    return {"$defs": schema["$defs"]} if "$defs" in schema else {}


def test_another_spelling_never_flips_a_verdict(rand):
    for old, new, proof in usable(Schemas(rand), 200):
        sides = [schema if isinstance(schema, dict) else {} if schema else {"not": {}} for schema in (old, new)]
        respelled = [rand.choice(REWRITES)(rand, side) for side in sides]
        verdict = prove(*respelled, "input", steps=6_000).breaking
        assert {proof.breaking, verdict} != {True, False}, (sides, respelled)


def test_rules_name_what_the_proof_finds(rand):
    """The proof decides; rules may add what policy knows, and never leave a break without a name."""
    for old, new, proof in usable(Schemas(rand), 150):
        rows = schema_changes(old, new, "input")
        assert {row.rule for row in rows} <= set(RULES)
        assert "rules-and-proof-disagree" not in [row.rule for row in rows], (old, new)
        breaking = [row for row in rows if row.verdict == "breaking"]
        if proof.breaking:
            assert breaking, (old, new)
            assert all(judge(old, new, "input").is_witness(row.witness) for row in rows if row.witness is not None)
        elif proof.breaking is False:
            assert {row.proof for row in breaking} <= {"policy"}, (old, new, breaking)


def alone(old, row):
    """The old schema with nothing but what this row says; None where it has no place there, or where the place is that
    of a branch in the new one, which may be another in the old one."""
    schema = copy.deepcopy(old)
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in row.pointer.split("/")[2:]] or [None]
    if last is None:
        return row.after
    holder = schema
    try:
        for above, part in zip(["", *path], path, strict=False):
            if isinstance(holder, list) and above in IN_PLACE and len(holder) > 1:
                return None
            holder = holder[int(part) if isinstance(holder, list) else part]
    except (LookupError, TypeError, ValueError):
        return None
    if not isinstance(holder, dict) or holder.get(last, [] if last == "required" else None) != row.before:
        return None
    holder[last] = row.after
    if row.after is None:
        del holder[last]
    return schema


def test_no_row_is_safe_whose_change_alone_breaks_something(rand):
    tried = 0
    for old, new, _ in usable(Schemas(rand), 500):
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        for row in schema_changes(old, new, "input"):
            one = alone(old, row) if row.verdict in ("none", "additive") and "const" not in row.pointer else None
            if one is None or "$ref" in str(row.after):
                continue
            try:
                assert refutation(rand, old, one, SchemaProof(False, None, "policy")) is None, (old, new, row)
                tried += 1
            except (UnusableSchema, ValueError):
                continue
    assert tried > 150, tried
