"""Random tools on both sides: what policy says must follow from a few plain sentences, whatever else changed."""

from wekadocs_contracts.diff.command import FORMATS
from wekadocs_contracts.diff.compare import compare
from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.diff.operands.sides import Operand
from wekadocs_contracts.diff.outcome import conclude
from wekadocs_contracts.diff.report import render
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_contracts.format.templates import budget_defaults
from wekadocs_contracts.problems import HOST_CODES

PAIRS = 300
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
CODES = ("A", "B", "C", *sorted(HOST_CODES)[:2])
NAMES = ("a", "b", "c")


def some(rand, values):
    return [value for value in values if rand.random() < 0.5]


def tool(rand):
    wire = {
        "name": "t",
        "description": rand.choice(["Finds.", "Finds all.", "F\u200binds."]),
        "inputSchema": {
            "type": "object",
            "properties": {name: {"type": "integer", "default": rand.randint(0, 1)} for name in some(rand, NAMES)},
        },
        "annotations": {hint: rand.random() < 0.5 for hint in some(rand, HINTS)},
    }
    return ToolSide(
        "t",
        wire,
        version=rand.choice(["1.0.0", "1.0.1", "1.1.0", "1.0.0-rc.1"]),
        status=rand.choice(["stable", "beta", "deprecated", "disabled"]),
        errors=tuple(some(rand, CODES)),
        any_error=rand.random() < 0.1,
        argument_aliases={f"{name}{name}": rand.choice(NAMES) for name in some(rand, NAMES)},
        budgets={name: rand.choice([1, 2, 3]) for name in some(rand, budget_defaults())},
        flag=rand.choice([None, None, "F", "G"]),
        text=rand.choice(["{{ a }}", "{{ b }}"]),
        carries=True,
    )


def operand(*sides):
    return Operand.of("x", "directory", sides)


def rules(old, new):
    return {(row.rule, row.verdict, row.pointer) for row in compare(operand(old), operand(new)).changes}


def hints(side):
    given = side.wire["annotations"]
    read_only = given.get("readOnlyHint", False)
    return {
        "readOnlyHint": read_only,
        "destructiveHint": given.get("destructiveHint", True) and not read_only,
        "idempotentHint": given.get("idempotentHint", False) or read_only,
        "openWorldHint": given.get("openWorldHint", True),
    }


def friendliness(side):
    found = hints(side)
    return found["readOnlyHint"], not found["destructiveHint"], found["idempotentHint"], not found["openWorldHint"]


def expected(old, new):
    """The same rules once more, said in another way."""
    found = set()
    moved = list(zip(friendliness(old), friendliness(new), strict=True))
    if any(before and not after for before, after in moved):
        found.add("annotation-loosened")
    if old.any_error == new.any_error and set(old.errors) - set(new.errors) - HOST_CODES:
        found.add("error-removed")
    whole = budget_defaults()
    if any({**whole, **new.budgets}[name] < {**whole, **old.budgets}[name] for name in whole):
        found.add("budget-lowered")
    arguments = new.wire["inputSchema"]["properties"]
    if any(alias not in new.argument_aliases and alias not in arguments for alias in old.argument_aliases):
        found.add("alias-removed")
    if old.status in ("stable", "deprecated") and new.status == "beta":
        found.add("status-weakened")
    if new.flag and new.flag != old.flag:
        found.add("flag-changed")
    shared = set(old.wire["inputSchema"]["properties"]) & set(arguments)
    if any(old.wire["inputSchema"]["properties"][name] != arguments[name] for name in shared):
        found.add("default-changed")
    if {name for name in old.wire["inputSchema"]["properties"] if name not in arguments} - set(new.argument_aliases):
        found.add("argument-removed")
    return found


def test_policy_breaks_exactly_where_a_few_sentences_say_so(rand):
    kinds = {"annotation-loosened", "error-removed", "budget-lowered", "alias-removed", "status-weakened"}
    kinds |= {"flag-changed", "default-changed", "argument-removed"}
    for _ in range(PAIRS):
        old, new = tool(rand), tool(rand)
        fired = {rule for rule, verdict, _ in rules(old, new) if verdict == "breaking"}
        if "disabled" in (old.status, new.status):
            assert fired == ({"tool-disabled"} if old.served else set()), (old, new)
        else:
            assert fired & kinds == expected(old, new), (old, new)


def test_no_tool_differs_from_itself_and_every_format_can_say_what_differs(rand):
    for number in range(PAIRS // 3):
        old, new = tool(rand), tool(rand)
        assert rules(old, old) == set()
        outcome = conclude(compare(operand(old), operand(new)))
        assert {row.rule for row in outcome.changes} <= set(RULES)
        marks = [row.fingerprint for row in outcome.changes]
        assert len(set(marks)) == len(marks), outcome.changes
        assert render(outcome, FORMATS[number % len(FORMATS)])
        assert (outcome.exit_code == 1) == (outcome.verdict == "breaking" or bool(outcome.failures))
