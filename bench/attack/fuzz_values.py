"""Values by schema and against it, from one source of chance."""

from __future__ import annotations

import random
from typing import Any

Schema = dict[str, Any]

HOSTILE = [
    "", " ", "\0", "\u202e", "\ud800", "'; DROP TABLE documents; --", "' OR 1=1 --", "'}) MATCH (n) DETACH DELETE n //",
    "../../../etc/passwd", "file:///etc/passwd", "wekadocs://scratch/x/y", "{{ 7 * 7 }}", "{% for x in range(9) %}",
    "${jndi:ldap://x}", "<script>", "%s%n%x", "\r\n\r\nX: y", "\x1b[31m", "a1" * 600, "1-" * 900, "| " * 990,
    "a." * 990,
    "((((((((((" * 90, "\\" * 1999, "漢字" * 700, "🙂" * 900, "é\u0301" * 600, "\t" * 1999, "a" * 2000, "MTAw", "LTE=",
    "-1", "1e999", "null", "NaN", "OR AND NOT", '"unbalanced', "* ? ~ ^", "NEAR/2",
    "2026-13-45", "0001-01-01T00:00:00Z",
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, 1e308, -0.0, [], {}, [[]], [None], {"": None},
    {"a": {"b": {"c": [1, {"d": None}]}}}, ["x"] * 150, [[[[[[[[[[1]]]]]]]]]], {"$ref": "#"}, "x" * 40_000,
]  # fmt: skip


class Values:
    """`known` are ids, cursors and sessions that answers gave."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.known: list[str] = ["nobody"]

    def arguments(self, schema: Schema) -> dict[str, Any]:
        """Half of them as the schema wants; the others with something wrong."""
        made: dict[str, Any] = self.made(schema, schema)
        return made if self.rng.random() < 0.5 else self._spoilt(made)

    def _spoilt(self, made: dict[str, Any]) -> dict[str, Any]:
        names = [*made, "no_such_argument", "scope", "cursor"]
        for _ in range(self.rng.randint(1, 3)):
            name = self.rng.choice(names)
            if self.rng.random() < 0.3:
                made.pop(name, None)
            else:
                made[name] = self.rng.choice([*ODD, *HOSTILE])
        return made

    def made(self, schema: Schema, root: Schema) -> Any:
        if "$ref" in schema:
            at: Any = root
            for part in schema["$ref"].removeprefix("#/").split("/"):
                at = at[part]
            return self.made(at, root)
        if "enum" in schema or "const" in schema:
            return self.rng.choice(schema.get("enum") or [schema["const"]])
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self.made(self.rng.choice(schema[several]), root)
        kind = schema.get("type", "object" if "properties" in schema else "string")
        return getattr(self, f"_{self.rng.choice(kind) if isinstance(kind, list) else kind}")(schema, root)

    def _object(self, schema: Schema, root: Schema) -> dict[str, Any]:
        needed = schema.get("required", ())
        wanted = schema.get("properties", {})
        return {
            name: self.made(child, root)
            for name, child in wanted.items()
            if name in needed or (self.rng.random() < 0.4 and name != "scope")
        }

    def _array(self, schema: Schema, root: Schema) -> list[Any]:
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 30), 30)
        return [self.made(schema.get("items", {}), root) for _ in range(self.rng.randint(least, max(least, most)))]

    def _string(self, schema: Schema, root: Schema) -> str:
        pick = self.rng.random()
        text = self.rng.choice(self.known if pick < 0.5 else HOSTILE)
        if pick > 0.9:
            text = "".join(self.rng.choice("ab 1-|\n\t\"'\\é漢\u200b") for _ in range(self.rng.randint(1, 1500)))
        text = text[: schema.get("maxLength", 2000)]
        return text or "x" * schema.get("minLength", 0)

    def _integer(self, schema: Schema, root: Schema) -> int:
        return self.rng.randint(schema.get("minimum", -5), schema.get("maximum", 500))

    def _number(self, schema: Schema, root: Schema) -> float:
        return self.rng.uniform(schema.get("minimum", -5), schema.get("maximum", 500))

    def _boolean(self, schema: Schema, root: Schema) -> bool:
        return self.rng.random() < 0.5

    def _null(self, schema: Schema, root: Schema) -> None:
        return None
