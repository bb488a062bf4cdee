"""Which keywords a dialect knows, and how each shapes the schemas under it."""

from __future__ import annotations

import re
from typing import Literal

from wekadocs_contracts.diff.proof.unusable import InvalidSchema

Dialect = Literal[4, 6, 7, 19, 20]
DEFAULT: Dialect = 20

_NAMES: dict[str, Dialect] = {
    "draft-04": 4,
    "draft-06": 6,
    "draft-07": 7,
    "draft/2019-09": 19,
    "draft/2020-12": 20,
}
_URI = re.compile(r"https?://json-schema\.org/(draft[-/][\d-]+)/schema#?")

LISTS_OF_SCHEMAS = ("allOf", "anyOf", "oneOf", "prefixItems")
MAPS_OF_SCHEMAS = ("properties", "patternProperties", "dependentSchemas", "$defs")
SINGLE_SCHEMAS = (
    *("additionalProperties", "propertyNames", "unevaluatedProperties", "items", "contains", "unevaluatedItems"),
    *("not", "if", "then", "else"),
)

_ALWAYS = {
    *("type", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
    *("maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "items"),
    *("maxProperties", "minProperties", "required", "properties", "patternProperties", "additionalProperties"),
    *("allOf", "anyOf", "oneOf", "not", "$ref"),
}
_SINCE_6 = _ALWAYS | {"const", "contains", "propertyNames"}
_SINCE_7 = _SINCE_6 | {"if", "then", "else"}
_SINCE_19 = _SINCE_7 | {
    *("minContains", "maxContains", "dependentRequired", "dependentSchemas"),
    *("unevaluatedItems", "unevaluatedProperties"),
}

# What decides validity. Annotations, `format` and `content*` are not here: policy judges those.
ASSERTIONS: dict[Dialect, set[str]] = {
    4: _ALWAYS | {"additionalItems", "dependencies"},
    6: _SINCE_6 | {"additionalItems", "dependencies"},
    7: _SINCE_7 | {"additionalItems", "dependencies"},
    19: _SINCE_19 | {"additionalItems", "$recursiveRef"},
    20: _SINCE_19 | {"prefixItems", "$dynamicRef"},
}


def of(schema: object) -> Dialect:
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if uri is None or uri in ("http://json-schema.org/schema#", "http://json-schema.org/schema"):
        return DEFAULT
    match = _URI.fullmatch(uri) if isinstance(uri, str) else None
    if match is None or match[1] not in _NAMES:
        raise InvalidSchema(f"$schema {uri!r}: not a dialect this tool knows (draft-04 to 2020-12)")
    return _NAMES[match[1]]
