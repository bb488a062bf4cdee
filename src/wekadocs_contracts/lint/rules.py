"""What is legal in a contract and will hurt some client, some model or the next maintainer; rules as data.

Each rule looks at one contract among all and yields the place and the sentence. `clients`: who stumbles. A rule that is
`opt_in` speaks only where one of its clients is named, because the server has a way around it for everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wekadocs_contracts.docs import lock
from wekadocs_contracts.format import templates
from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.leaving_out import ABSENT, without_absent
from wekadocs_contracts.format.schemas import Schema, limits, properties, subschemas
from wekadocs_contracts.format.source import Pointer
from wekadocs_contracts.problems import Problem, did_you_mean

from . import mentions, portability
from .subject import Found, LintRule, Subject

_MAX_TOOL_TOKENS = 1000
_SIMILAR = 0.8
_PAIRS = (
    ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)  # fmt: skip


def check(
    loaded: Sequence[Contract], clients: Sequence[str] = (), elsewhere: mentions.Elsewhere = mentions.nowhere
) -> Iterator[tuple[LintRule, Problem]]:
    """Every finding. With `clients`, of the rules for clients only those that concern them."""
    known = mentions.Known((each.name for each in loaded), elsewhere)
    for contract in loaded:
        subject = Subject(contract, loaded, known)
        for rule in RULES:
            if _applies(rule, clients):
                yield from (
                    (rule, subject.source.problem(place, message, rule.fix)) for place, message in rule.check(subject)
                )


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
        yield (
            ("contract",),
            f"`{name}` has {len(name)} characters; a prefix or a client's own soon passes the 64 of SEP-986",
        )
    if not name[0].isalpha():
        yield ("contract",), f"`{name}` does not begin with a letter; Gemini and others refuse it"


def _thin_routing(subject: Subject) -> Found:
    routing = subject.contract.routing
    for part in ("use_when", "do_not_use_when", "returns"):
        if len(routing[part].split()) < 3:
            yield ("routing", part), f"{part} says too little to choose by: {routing[part]!r}"
    if routing["use_when"].split() == routing["do_not_use_when"].split():
        yield ("routing", "do_not_use_when"), "use_when and do_not_use_when say the same"


def _unknown_tool(subject: Subject) -> Found:
    """Also what only a plugin that is off has is known: contracts are linted without a deployment."""
    known = subject.known
    for place, name in mentions.in_contract(subject.contract):
        if not known.has(name):
            yield (
                place,
                f"{place[-1]} sends the model to `{name}`, which no contract has{did_you_mean(name, known.all)}",
            )


def _left_alone(subject: Subject) -> Found:
    """A deployment may serve one tool without the others: what is said of it must stand without them."""
    contract = subject.contract
    context = templates.routing_context(contract.bounded_input, contract.budgets, str, lambda _: False)
    for part in ("use_when", "do_not_use_when", "returns"):
        text = templates.render(contract.routing[part], context)
        if ABSENT in text and not without_absent(text).strip():
            yield ("routing", part), f"nothing is left of {part} where the tool it names is not served"


def _number_by_hand(subject: Subject) -> Found:
    """A number in the text that is also a limit in the schema will stay behind when the limit moves."""
    table = limits(subject.contract.bounded_input)
    known = {str(value): f"max.{path}" for path, value in table["max"].items() if value >= 3}
    for part, text in subject.contract.routing.items():
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", text)
        for number in dict.fromkeys(re.findall(r"(?<![\w.])\d+(?![\w.]*\d)", plain)):
            if number in known:
                yield (
                    ("routing", part),
                    f"{part} writes {number} by hand, which is {{{{ {known[number]} }}}} in the schema",
                )


def _contradiction(subject: Subject) -> Found:
    for side, schema in subject.sides:
        for place, node in subschemas(schema):
            for low, high in _PAIRS:
                if _number(node.get(low)) and _number(node.get(high)) and node[low] > node[high]:
                    yield (side, *place, low), f"{low} {node[low]} is above {high} {node[high]}: nothing fits"
            for value in node.get("enum", []) if isinstance(node.get("enum"), list) else []:
                yield from _dead_value(side, place, node, value)


def _dead_value(side: str, place: Pointer, node: Schema, value: object) -> Found:
    from wekadocs_contracts.format.explain import Checker

    own = {key: each for key, each in node.items() if key in _OWN_LIMITS}
    if own and not Checker(own).fits(value):
        yield (side, *place, "enum"), f"enum lists {value!r}, which the keywords beside it forbid"


_OWN_LIMITS = frozenset(
    {
        "type",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
    }
)


def _required_undeclared(subject: Subject) -> Found:
    for side, schema in subject.sides:
        for place, node in subschemas(schema):
            names = properties(schema, node)
            for name in node.get("required", []) if "properties" in node else []:
                if name not in names:
                    yield (side, *place, "required"), f"`{name}` is required but not declared"


def _heavy(subject: Subject) -> Found:
    from wekadocs_contracts.diff.model import ToolSide
    from wekadocs_contracts.diff.tokens import of_tool

    cost = of_tool(ToolSide(subject.contract.name, lock.wire(subject.contract)))
    if cost > _MAX_TOOL_TOKENS:
        yield ("contract",), f"the tool costs about {cost} tokens of every conversation; {_MAX_TOOL_TOKENS} is plenty"


def _similar(subject: Subject) -> Found:
    mine = _words(subject.contract)
    for other in subject.all:
        if (
            other.key <= subject.contract.key
            or other.name == subject.contract.name
            or _related(subject.contract, other)
        ):
            continue
        theirs = _words(other)
        alike = len(mine & theirs) / max(1, len(mine | theirs))
        if alike >= _SIMILAR:
            yield (
                ("routing", "use_when"),
                f"`{other.name}` is described in {alike:.0%} of the same words; a model cannot choose",
            )


def _related(one: Contract, other: Contract) -> bool:
    return one.replaced_by == other.name or other.replaced_by == one.name or "disabled" in (one.status, other.status)


def _words(contract: Contract) -> set[str]:
    text = " ".join(contract.routing[part] for part in ("use_when", "do_not_use_when", "returns"))
    return set(re.findall(r"[a-z0-9_]+", text.lower()))


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


RULES: tuple[LintRule, ...] = (
    LintRule("name-twins", "warning", "two tools that look the same are called for each other", "rename one",
             _name_twins),
    LintRule("name-shape", "warning", "SEP-986 and clients bound what a name may look like",
             "choose a shorter, plain name", _name_shape),
    LintRule("thin-routing", "warning", "models choose by these sentences alone",
             "say for which task, in a full sentence", _thin_routing),
    LintRule("unknown-tool", "warning", "the model is sent to a tool that is not there", "correct the name",
             _unknown_tool),
    LintRule("left-alone", "warning", "a toolset may serve this tool without the one it names",
             "guard it: {% if served('NAME') %}…{% endif %}, or put it into a sentence of its own", _left_alone),
    LintRule("number-by-hand", "warning", "the text stays behind when the limit moves", "cite it: {{ max.NAME }}",
             _number_by_hand),
    LintRule("contradiction", "error", "no call can satisfy it", "correct one of the two", _contradiction),
    LintRule("required-undeclared", "warning", "a model cannot know what to send", "declare it under properties",
             _required_undeclared),
    LintRule("tool-tokens", "warning", "every client sends every tool to its model every time",
             "shorten descriptions, share less", _heavy),
    LintRule("similar-routing", "warning", "two tools with one description are chosen by chance",
             "say what only this one does", _similar),
    *portability.RULES,
)  # fmt: skip
