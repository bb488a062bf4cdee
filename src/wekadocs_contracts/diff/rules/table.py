"""The rules as data. They name and locate; whether a schema change breaks anything is decided by proof, not here.

`levels`: what a rule's finding becomes at another strictness than the one its verdict is written for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Strictness = Literal["strict", "standard", "lenient"]
STRICTNESS: tuple[Strictness, ...] = ("strict", "standard", "lenient")
Category = Literal["schema", "behaviour", "surface", "security", "routing", "errors", "limits", "internal"]
PAGES = "https://github.com/wekadocs/wekadocs-mcp/blob/main/docs/reference/diff-rules"


@dataclass(frozen=True)
class Rule:
    id: str
    category: Category
    reason: str
    fix: str
    policy: str = ""  # P1 … P15 of the rule book, where the rule comes from there
    levels: dict[Strictness, Literal["breaking", "warning"]] = field(default_factory=dict)

    @property
    def usual(self) -> str:
        """What it is where nobody says otherwise; a proof decides what a keyword's change is, this is the most."""
        return next((verdict for verdict, ids in _USUAL.items() if self.id in ids), "breaking")

    @property
    def url(self) -> str:
        return f"{PAGES}/{self.id}.md"


_LENIENT: dict[Strictness, Literal["breaking", "warning"]] = {"lenient": "warning"}
_STRICT: dict[Strictness, Literal["breaking", "warning"]] = {"strict": "breaking"}

# keyword → what it limits, in the words of a message
KEYWORDS: dict[str, str] = {
    "type": "the type", "enum": "the listed values", "const": "the fixed value",
    "minimum": "the lowest number", "maximum": "the highest number",
    "exclusiveMinimum": "the lowest number", "exclusiveMaximum": "the highest number", "multipleOf": "the step",
    "minLength": "the shortest text", "maxLength": "the longest text", "pattern": "the pattern of the text",
    "minItems": "the shortest list", "maxItems": "the longest list", "uniqueItems": "the rule on repeated items",
    "items": "the items", "prefixItems": "the items by position", "contains": "what a list contains",
    "minContains": "the number that must match", "maxContains": "the number that may match",
    "unevaluatedItems": "the remaining items",
    "minProperties": "the fewest members", "maxProperties": "the most members",
    "additionalProperties": "undeclared names",
    "unevaluatedProperties": "undeclared names", "patternProperties": "names by pattern", "propertyNames": "the names",
    "required": "what must be there", "dependentRequired": "what must be there together",
    "dependentSchemas": "the schema that follows from a name", "allOf": "what must hold together",
    "anyOf": "the alternatives",
    "oneOf": "the exclusive alternatives", "not": "what is forbidden", "if": "the condition", "then": "the consequence",
    "else": "the other consequence", "schema": "the schema",
}  # fmt: skip

_MAJOR = "offer the change beside it, as the next major version or as another tool"
_EFFECTS = {
    "narrowed": (
        "less is allowed than before: calls that were fine are refused",
        f"keep what was allowed, or {_MAJOR}",
    ),
    "widened": (
        "more is allowed than before: answers may come that were promised not to",
        f"for an answer: keep the promise, or {_MAJOR}",
    ),
    "changed": (
        "something else is allowed than before: what was fine is refused, or what was excluded may come",
        f"keep what was allowed, or {_MAJOR}",
    ),
}

_SAID = {
    ("required", "narrowed"): "callers that leave it out are refused",
    ("required", "widened"): "answers may come without it, and callers read it unasked",
    ("type", "narrowed"): "values of a type that was fine are refused",
    ("type", "widened"): "values of another type may come, which callers do not expect",
    ("enum", "narrowed"): "a value that was listed is refused",
    ("enum", "widened"): "a value may come that callers do not know",
}


# Where a change can be neither less nor more; of any other keyword one value lies within the other.
_CHANGING = frozenset(
    {
        "type", "enum", "const", "multipleOf", "pattern", "items", "prefixItems", "oneOf", "if", "dependentRequired",
        "exclusiveMinimum", "exclusiveMaximum", "schema",
    }
)  # fmt: skip


def kebab(keyword: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in keyword)


def _schema_rules() -> list[Rule]:
    return [
        Rule(f"{kebab(keyword)}-{effect}", "schema", _SAID.get((keyword, effect), f"by {what} {reason}"), fix)
        for keyword, what in KEYWORDS.items()
        for effect, (reason, fix) in _EFFECTS.items()
        if effect != "changed" or keyword in _CHANGING
    ]


_USUAL = {
    "additive": {
        "argument-added", "argument-renamed", "field-added", "flag-removed", "tool-added", "tool-enabled",
        "major-added", "alias-added", "annotation-tightened", "output-schema-added", "budget-raised", "limit-removed",
        "bound-loosened", "listing-kept", "failure-field-added", "error-added", "header-added", "bare-name-moved",
        "offer-added", "capability-added",
    },
    "docs": {
        "default-added", "default-removed", "status-changed", "description-changed", "title-changed", "text-changed",
        "annotation-text-changed", "confusable-name", "bound-vacuous", "icons-changed", "field-changed",
        "safe-integer-bound", "generated-title", "offer-changed", "instructions-changed",
    },
    "none": {"respelled", "not-served", "overlay"},
}  # fmt: skip
_POLICY = [
    Rule("argument-removed", "behaviour", "callers still send it; it is refused, or silently ignored",
         f"keep it, add an argument alias, or {_MAJOR}", "P1"),
    Rule("argument-added", "schema", "callers may send more than before", "nothing to do unless it is required"),
    Rule("argument-renamed", "schema", "the old name stays valid as an alias", "nothing to do"),
    Rule("field-removed", "behaviour", "callers that read it find nothing", f"keep it, or {_MAJOR}", "P2"),
    Rule("field-added", "schema", "answers carry more than before", "nothing to do while the object is open"),
    Rule("field-added-closed", "behaviour",
         "clients check answers against the schema they have cached, and refuse a new field",
         "keep outputs open (no additionalProperties: false)", "", _LENIENT),
    Rule("default-changed", "behaviour", "the same call means something else now",
         f"keep the default, or {_MAJOR}", "P3", _LENIENT),
    Rule("default-added", "routing", "what an absent argument means is written down now", "nothing to do"),
    Rule("default-removed", "routing", "what an absent argument means is no longer written down", "nothing to do"),
    Rule("unsatisfiable", "schema", "nothing at all fits the schema any more", "remove the contradiction", "P4"),
    Rule("schema-invalid", "schema", "clients drop or refuse a tool whose schema cannot be used",
         "write valid JSON Schema without external $ref; the root of inputSchema says type: object", "P5"),
    Rule("schema-repaired", "schema", "the old schema could not be used, so nothing can be proven against it",
         "check by hand", "P5"),
    Rule("format-changed", "behaviour", "pydantic, zod and ajv-formats check formats",
         f"keep the format, or {_MAJOR}", "", _LENIENT),
    Rule("content-changed", "behaviour", "callers encode and decode by it", f"keep it, or {_MAJOR}", "", _LENIENT),
    Rule("tool-removed", "surface", "callers get `unknown tool`",
         "keep it as deprecated with replaced_by, and remove it with a major release", "P6"),
    Rule("tool-disabled", "surface", "callers are refused", "set status: deprecated until callers have moved", "P6"),
    Rule("major-removed", "surface", "callers of that major get `unknown tool`", "keep the file as deprecated", "P6"),
    Rule("status-weakened", "surface", "beta promises less than stable", "keep it stable, or deprecate it", "P6",
         _LENIENT),
    Rule("flag-changed", "surface", "a switch can now turn the tool off", "leave it without a switch", "P6", _LENIENT),
    Rule("flag-removed", "surface", "the tool no longer depends on a switch", "nothing to do", "P7"),
    Rule("tool-added", "surface", "a new tool", "nothing to do", "P7"),
    Rule("tool-enabled", "surface", "the tool answers again", "nothing to do", "P7"),
    Rule("major-added", "surface", "the bare name serves the highest stable major", "deprecate the old major", "P7"),
    Rule("bare-name-moved", "surface", "callers of the bare name meet another major version",
         "keep the new major as beta until they have moved, or accept it with its breaks", "P7"),
    Rule("name-taken", "surface", "one spelling would mean two tools", "rename one of them", "P6"),
    Rule("not-served", "surface", "a deployment decides what it lists", "look at its switches and toolsets", "P15",
         _STRICT),
    Rule("status-changed", "surface", "the tool's place in its life changed", "nothing to do", "P7"),
    Rule("alias-removed", "surface", "callers that write the alias are refused", "keep the alias", "P7"),
    Rule("alias-changed", "surface", "the alias means another argument now", "keep what it meant", "P7"),
    Rule("alias-added", "surface", "one more name is understood", "nothing to do", "P7"),
    Rule("annotation-loosened", "security", "clients approve by it; the tool now admits to do more",
         "keep the promise, or make another tool", "P8"),
    Rule("annotation-tightened", "security", "the tool claims to be harmless, and clients may stop asking",
         "check that it is", "P8"),
    Rule("description-changed", "routing", "models choose tools and fill arguments by this text",
         "read the words that changed", "P9"),
    Rule("title-changed", "routing", "people and models read it", "read the words that changed", "P9"),
    Rule("text-changed", "routing", "the text a model reads of an answer", "nothing to do", "P9"),
    Rule("annotation-text-changed", "routing", "a note in the schema", "nothing to do", "P9"),
    Rule("confusable-name", "security", "it looks like a name that is already there", "use plain ASCII names", "P9"),
    Rule("output-schema-added", "schema", "clients now demand structured content", "check that every answer has it",
         "P10"),
    Rule("output-schema-removed", "schema", "callers lose the promise of what an answer looks like",
         "keep the schema", "P10"),
    Rule("budget-lowered", "limits", "what fitted before may be refused now", f"keep the budget, or {_MAJOR}", "P11"),
    Rule("budget-raised", "limits", "answers may be larger, or take longer", "nothing to do", "P11", _STRICT),
    Rule("limit-added", "limits", "a handler keeps to a number that it did not keep to before",
         f"leave it out, or {_MAJOR}", "P11"),
    Rule("limit-removed", "limits", "a number that the handler kept to is no promise any more", "nothing to do", "P11"),
    Rule("bound-vacuous", "limits", "a limit that refuses nothing which was allowed", "nothing to do", "P11"),
    Rule("bound-tightened", "limits", "what was taken before is lowered or refused now", f"keep the bound, or {_MAJOR}",
         "P11"),
    Rule("bound-loosened", "limits", "more is taken than before", "nothing to do", "P11"),
    Rule("listing-changed", "surface", "clients no longer find the tool in every list", "leave it listed", "P6",
         _LENIENT),
    Rule("listing-kept", "surface", "the tool is in every list", "nothing to do", "P7"),
    Rule("failure-field-changed", "errors", "callers read the field of a failed answer", f"keep it, or {_MAJOR}",
         "P12"),
    Rule("failure-field-added", "errors", "one more field beside an error", "nothing to do", "P12"),
    Rule("error-text-changed", "errors", "callers read the error in the block where it was", f"keep it, or {_MAJOR}",
         "P12"),
    Rule("text-field-changed", "schema", "callers that read the text as JSON find another value",
         f"keep the field, or {_MAJOR}", "P12"),
    Rule("error-details-changed", "errors", "callers repeat a call, or do not, by what is declared of its errors",
         f"keep it, or {_MAJOR}", "P12"),
    Rule("error-removed", "errors", "callers that handle the code wait for it in vain",
         f"keep it listed, or {_MAJOR}", "P12"),
    Rule("error-added", "errors", "callers do not know the code yet", "tell callers", "P12", _STRICT),
    Rule("header-added", "surface", "gateways can route by the argument", "nothing to do", "P14"),
    Rule("header-changed", "surface", "gateways route by a header that no longer comes", "keep the header", "P14"),
    Rule("header-invalid", "surface", "clients must drop the whole tool",
         "name a token, once, on a string, integer or boolean", "P14"),
    Rule("tasks-changed", "surface", "clients that call it the other way are refused", "keep taskSupport as it was"),
    Rule("icons-changed", "routing", "people see it", "nothing to do"),
    Rule("field-changed", "routing", "another part of the tool's entry", "nothing to do"),
    Rule("overlay", "surface", "the deployment's tools.yaml, not the contract", "nothing to do", "P15"),
    Rule("respelled", "schema", "several changes that say the same in other words", "nothing to do"),
    Rule("safe-integer-bound", "limits", "generators write it beside every integer; larger ones are not exact in JSON",
         "nothing to do", "", _STRICT),
    Rule("generated-title", "routing", "generators make it from a name; nobody wrote it", "nothing to do"),
    Rule("offer-removed", "surface", "clients ask for it in vain", "keep it until callers have moved", "P6"),
    Rule("offer-added", "surface", "one more prompt, resource, template or argument", "nothing to do", "P7"),
    Rule("offer-narrowed", "surface", "a prompt is refused that was filled in", "keep its arguments", "P6"),
    Rule("offer-changed", "routing", "words of a prompt, resource or template", "nothing to do", "P9"),
    Rule("instructions-changed", "routing", "models read them before anything else", "read what changed", "P9"),
    Rule("capability-removed", "surface", "clients rely on it", "keep it", "P6"),
    Rule("capability-added", "surface", "the server can do more", "nothing to do", "P7"),
    Rule("not-proven", "internal", "neither safety nor a failing call could be found",
         "simplify the schema, or check by hand"),
    Rule("rules-and-proof-disagree", "internal", "this is a bug of wekadocs-mcp, not of the contract",
         "report it with both schemas"),
]  # fmt: skip

RULES: dict[str, Rule] = {rule.id: rule for rule in (*_schema_rules(), *_POLICY)}
