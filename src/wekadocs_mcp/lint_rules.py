"""What is legal in a contract and will hurt some client, some model or the next maintainer; rules as data.

Each rule looks at one contract among all and yields the place and the sentence. `clients`: who stumbles. A rule that is
`opt_in` speaks only where one of its clients is named, because the server has a way around it for everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from . import lock
from .contracts import Contract
from .errors import Problem
from .schemas import Schema, limits, properties, resolved, subschemas
from .source import Pointer, Source, read

CLIENTS = ("gemini", "openai", "vscode", "claude")
_MAX_TOOL_TOKENS = 1000
_MAX_DEPTH = 10
_SIMILAR = 0.8
_PAIRS = (
    ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)  # fmt: skip
_TOOL_CALL = re.compile(r"tool\(\s*['\"]([^'\"]+)['\"]\s*\)")
_PORTABLE_ARGUMENT = re.compile(r"[A-Za-z0-9_.-]{1,64}")

Found = Iterator[tuple[Pointer, str]]
Check = Callable[["Subject"], Found]


@dataclass(frozen=True)
class Subject:
    """One contract, with all those that stand beside it."""

    contract: Contract
    all: Sequence[Contract]

    @cached_property
    def source(self) -> Source:
        return read(self.contract.file)

    @property
    def sides(self) -> Iterator[tuple[str, Schema]]:
        yield "input", self.contract.input
        if self.contract.output is not None:
            yield "output", self.contract.output

    @property
    def sent(self) -> Iterator[tuple[str, Schema]]:
        """What a client hands on to its model's provider: only the arguments."""
        yield "input", self.contract.input


@dataclass(frozen=True)
class LintRule:
    id: str
    severity: Literal["error", "warning"]
    reason: str
    fix: str
    check: Check
    clients: tuple[str, ...] = ()
    opt_in: bool = False


def check(loaded: Sequence[Contract], clients: Sequence[str] = ()) -> Iterator[tuple[LintRule, Problem]]:
    """Every finding. With `clients`, of the rules for clients only those that concern them."""
    for contract in loaded:
        subject = Subject(contract, loaded)
        for rule in RULES:
            if _applies(rule, clients):
                yield from ((rule, subject.source.problem(place, message, rule.fix)) for place, message in rule.check(subject))


def _applies(rule: LintRule, clients: Sequence[str]) -> bool:
    if not rule.clients or not clients:
        return not rule.opt_in
    return bool(set(rule.clients) & set(clients))


def _name_twins(subject: Subject) -> Found:
    """SEP-986: names are compared letter by letter, but people, files and underscores are not that careful."""
    name = subject.contract.name
    for other in sorted({each.name for each in subject.all} - {name}):
        if other.lower().replace(".", "_") == name.lower().replace(".", "_"):
            yield ("contract",), f"`{name}` and `{other}` differ only in case or in a dot"


def _name_shape(subject: Subject) -> Found:
    name = subject.contract.name
    if re.search(r"\.v[0-9]+$", name):
        yield ("contract",), f"`{name}` reads like a major version of `{name.rpartition('.')[0]}`"
    if len(name) > 56:
        yield ("contract",), f"`{name}` has {len(name)} characters; a prefix or a client's own soon passes the 64 of SEP-986"
    if not name[0].isalpha():
        yield ("contract",), f"`{name}` does not begin with a letter; Gemini and others refuse it"


def _dots(subject: Subject) -> Found:
    if "." in subject.contract.name:
        yield ("contract",), f"`{subject.contract.name}` has a dot; these clients accept only letters, digits, _ and -"


def _thin_routing(subject: Subject) -> Found:
    routing = subject.contract.routing
    for part in ("use_when", "do_not_use_when", "returns"):
        if len(routing[part].split()) < 3:
            yield ("routing", part), f"{part} says too little to choose by: {routing[part]!r}"
    if routing["use_when"].split() == routing["do_not_use_when"].split():
        yield ("routing", "do_not_use_when"), "use_when and do_not_use_when say the same"


def _unknown_tool(subject: Subject) -> Found:
    names = {each.name for each in subject.all}
    for part, text in subject.contract.routing.items():
        for name in _TOOL_CALL.findall(text):
            if name not in names and re.sub(r"\.v[0-9]+$", "", name) not in names:
                yield ("routing", part), f"{part} sends the model to `{name}`, which is none of these contracts"


def _number_by_hand(subject: Subject) -> Found:
    """A number in the text that is also a limit in the schema will stay behind when the limit moves."""
    table = limits(subject.contract.input)
    known = {str(value): f"max.{path}" for path, value in table["max"].items() if value >= 3}
    for part, text in subject.contract.routing.items():
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", text)
        for number in dict.fromkeys(re.findall(r"(?<![\w.])\d+(?![\w.]*\d)", plain)):
            if number in known:
                yield ("routing", part), f"{part} writes {number} by hand, which is {{{{ {known[number]} }}}} in the schema"


def _contradiction(subject: Subject) -> Found:
    for side, schema in subject.sides:
        for place, node in subschemas(schema):
            for low, high in _PAIRS:
                if _number(node.get(low)) and _number(node.get(high)) and node[low] > node[high]:
                    yield (side, *place, low), f"{low} {node[low]} is above {high} {node[high]}: nothing fits"
            for value in node.get("enum", []) if isinstance(node.get("enum"), list) else []:
                yield from _dead_value(side, place, node, value)


def _dead_value(side: str, place: Pointer, node: Schema, value: Any) -> Found:
    from .explain import Checker

    own = {key: each for key, each in node.items() if key in _OWN_LIMITS}
    if own and not Checker(own).fits(value):
        yield (side, *place, "enum"), f"enum lists {value!r}, which the keywords beside it forbid"


_OWN_LIMITS = frozenset(
    {"type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"}
)


def _required_undeclared(subject: Subject) -> Found:
    for side, schema in subject.sides:
        for place, node in subschemas(schema):
            names = properties(schema, node)
            for name in node.get("required", []) if "properties" in node else []:
                if name not in names:
                    yield (side, *place, "required"), f"`{name}` is required but not declared"


def _heavy(subject: Subject) -> Found:
    from .diff.model import ToolSide
    from .diff.tokens import of_tool

    cost = of_tool(ToolSide(subject.contract.name, lock.wire(subject.contract)))
    if cost > _MAX_TOOL_TOKENS:
        yield ("contract",), f"the tool costs about {cost} tokens of every conversation; {_MAX_TOOL_TOKENS} is plenty"


def _similar(subject: Subject) -> Found:
    mine = _words(subject.contract)
    for other in subject.all:
        if other.key <= subject.contract.key or other.name == subject.contract.name or _related(subject.contract, other):
            continue
        theirs = _words(other)
        alike = len(mine & theirs) / max(1, len(mine | theirs))
        if alike >= _SIMILAR:
            yield ("routing", "use_when"), f"`{other.name}` is described in {alike:.0%} of the same words; a model cannot choose"


def _related(one: Contract, other: Contract) -> bool:
    return one.replaced_by == other.name or other.replaced_by == one.name or "disabled" in (one.status, other.status)


def _words(contract: Contract) -> set[str]:
    text = " ".join(contract.routing[part] for part in ("use_when", "do_not_use_when", "returns"))
    return set(re.findall(r"[a-z0-9_]+", text.lower()))


def _references(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if "$ref" in node:
                yield (side, *place, "$ref"), f"$ref {node['$ref']} stays on the wire; these clients do not follow it"


def _root_alternatives(subject: Subject) -> Found:
    for keyword in ("anyOf", "oneOf", "allOf", "not", "enum"):
        if keyword in subject.contract.input:
            yield ("input", keyword), f"{keyword} at the root of the arguments; the whole tool is refused"


def _type_lists(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if isinstance(node.get("type"), list):
                yield (side, *place, "type"), f"type is a list, {node['type']}; these clients want one type"


def _boolean_schemas(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            for name, child in node.get("properties", {}).items():
                if isinstance(child, bool) or child == {}:
                    yield (side, *place, "properties", name), f"`{name}` has no schema of its own, only {str(child).lower()}"


def _bare_lists(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if node.get("type") == "array" and not isinstance(node.get("items"), Mapping) and "prefixItems" not in node:
                yield (side, *place), "a list without items; these clients refuse the tool"


def _deep(subject: Subject) -> Found:
    for side, schema in subject.sent:
        deepest, place = max(_depths(schema, schema, (), 0), key=lambda found: found[0])
        if deepest > _MAX_DEPTH:
            yield (side, *place), f"nested {deepest} deep; {_MAX_DEPTH} is what these clients take"


def _depths(root: Schema, node: Any, place: Pointer, depth: int) -> Iterator[tuple[int, Pointer]]:
    yield depth, place
    if not isinstance(node, Mapping) or depth > 3 * _MAX_DEPTH:
        return
    whole = resolved(root, dict(node)) if "$ref" not in node else node
    for name, child in whole.get("properties", {}).items():
        yield from _depths(root, child, (*place, "properties", name), depth + 1)
    yield from _depths(root, whole["items"], (*place, "items"), depth + 1) if "items" in whole else ()


def _argument_names(subject: Subject) -> Found:
    for name in properties(subject.contract.input):
        if not _PORTABLE_ARGUMENT.fullmatch(name):
            yield ("input", "properties", name), f"argument `{name}` has letters that these clients refuse"


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_ALL = CLIENTS
RULES: tuple[LintRule, ...] = (
    LintRule("name-twins", "warning", "two tools that look the same are called for each other", "rename one", _name_twins),
    LintRule("name-shape", "warning", "SEP-986 and clients bound what a name may look like", "choose a shorter, plain name", _name_shape),
    LintRule("portable-dots", "warning", "they refuse dots in names", "serve with name_style: underscore", _dots,
             ("openai", "vscode", "claude"), opt_in=True),
    LintRule("thin-routing", "warning", "models choose by these sentences alone", "say for which task, in a full sentence", _thin_routing),
    LintRule("unknown-tool", "warning", "the model is sent to a tool that is not there", "correct the name", _unknown_tool),
    LintRule("number-by-hand", "warning", "the text stays behind when the limit moves", "cite it: {{ max.NAME }}", _number_by_hand),
    LintRule("contradiction", "error", "no call can satisfy it", "correct one of the two", _contradiction),
    LintRule("required-undeclared", "warning", "a model cannot know what to send", "declare it under properties", _required_undeclared),
    LintRule("tool-tokens", "warning", "every client sends every tool to its model every time", "shorten descriptions, share less", _heavy),
    LintRule("similar-routing", "warning", "two tools with one description are chosen by chance", "say what only this one does", _similar),
    LintRule("portable-ref", "warning", "Gemini drops $ref, OpenAI and VS Code bound it", "write it out, unless it is recursive",
             _references, ("gemini", "openai", "vscode")),
    LintRule("portable-root", "warning", "OpenAI and Claude refuse alternatives at the root", "move them into a property",
             _root_alternatives, ("openai", "claude", "gemini")),
    LintRule("portable-type-list", "warning", "Gemini and OpenAPI readers want one type", "use anyOf inside the property",
             _type_lists, ("gemini",)),
    LintRule("portable-boolean-schema", "warning", "many readers expect an object there", "say which type it has",
             _boolean_schemas, ("gemini", "vscode", "openai")),
    LintRule("portable-items", "warning", "VS Code and Gemini refuse a list without items", "add items: {type: …}",
             _bare_lists, ("vscode", "gemini", "openai")),
    LintRule("portable-depth", "warning", "OpenAI bounds the nesting", "flatten it", _deep, ("openai", "gemini")),
    LintRule("portable-argument", "warning", "argument names are identifiers elsewhere", "use letters, digits, _ . -",
             _argument_names, _ALL),
)  # fmt: skip
