"""Questions about sets of strings, answered exactly, with the shortest string that shows it.

A language is a tree of `And`, `Or`, `Not` over automata, lengths and constants. Patterns follow JSON Schema:
ECMA-262, unanchored, code points. `Undecided` is raised wherever an exact answer is out of reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import charsets
from .automata import Automaton, State
from .charsets import CharSet
from .regex_parser import Alt, Chars, Edge, Look, Node, Repeat, Seq, Undecided, parse

MAX_STEPS = 15_000
MAX_LENGTH = 3_000
MAX_LITERALS = 200


@dataclass(frozen=True)
class Search:
    automaton: Automaton


@dataclass(frozen=True)
class Length:
    least: int
    most: int | None


@dataclass(frozen=True)
class Literals:
    texts: frozenset[str]


@dataclass(frozen=True)
class And:
    parts: tuple[Language, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Language, ...]


@dataclass(frozen=True)
class Not:
    part: Language


Language = Search | Length | Literals | And | Or | Not
Leaf = Search | Length | Literals

EVERYTHING = And(())
NOTHING = Or(())


def includes(larger: str, smaller: str) -> bool | None:
    """Does every string that `smaller` matches also match `larger`? None: not decided."""
    try:
        return shortest(And((pattern(smaller), Not(pattern(larger))))) is None
    except Undecided:
        return None


def matches(text: str, value: str) -> bool | None:
    """Does a pattern match a string? Never backtracks. None: not decided."""
    try:
        return holds(pattern(text), value)
    except Undecided:
        return None


def holds(language: Language, value: str) -> bool:
    states = {leaf: _initial(leaf) for leaf in _leaves(language)}
    for char in value:
        states = {leaf: _step(leaf, state, ord(char)) for leaf, state in states.items()}
    return _accepts(language, states)


@lru_cache(maxsize=512)
def pattern(text: str) -> Language:
    return _language(parse(text))


def _language(node: Node) -> Language:
    match node:
        case Alt(options):
            return Or(tuple(_language(option) for option in options))
        case Seq(parts):
            return _sequence(_flat(parts))
    return Search(Automaton(node))


def _flat(parts: Sequence[Node]) -> tuple[Node, ...]:
    flat: list[Node] = []
    for part in parts:
        flat.extend(_flat(part.parts) if isinstance(part, Seq) else (part,))
    return tuple(flat)


def _sequence(parts: tuple[Node, ...]) -> Language:
    """Lookaheads at the very start, and `^((?!x).)*$`, are conditions on the whole text."""
    if len(parts) > 1 and parts[0] == Edge("^") and isinstance(parts[1], Look):
        look, rest = parts[1], (parts[0], *parts[2:])
        ahead = _sequence(_flat((parts[0], look.ahead)))
        return And((ahead if look.positive else Not(ahead), _sequence(rest)))
    if len(parts) == 3 and (tempered := _tempered(parts)):
        return tempered
    return Search(Automaton(Seq(parts)))


def _tempered(parts: tuple[Node, ...]) -> Language | None:
    match parts:
        case (
            Edge("^"),
            Repeat(Seq((Look(banned, False), Chars() as each)), least, most),
            Edge("$"),
        ) if not _may_be_empty(banned):
            body = Search(Automaton(Seq((Edge("^"), Repeat(each, least, most), Edge("$")))))
            return And((Not(Search(Automaton(banned))), body))
    return None


def _may_be_empty(node: Node) -> bool:
    match node:
        case Chars():
            return False
        case Seq(parts):
            return all(_may_be_empty(part) for part in parts)
        case Alt(options):
            return any(_may_be_empty(option) for option in options)
        case Repeat(body, least, _):
            return least == 0 or _may_be_empty(body)
    return True


def of_schema(schema: dict[str, Any] | bool) -> Language:
    """The strings that a schema admits. Its `pattern` must be understood, its references already resolved."""
    if isinstance(schema, bool):
        return EVERYTHING if schema else NOTHING
    parts: list[Language] = []
    for keyword, value in schema.items():
        match keyword:
            case "pattern":
                parts.append(pattern(value))
            case "minLength":
                parts.append(Length(int(value), None))
            case "maxLength":
                parts.append(Length(0, int(value)))
            case "const":
                parts.append(literals([value]))
            case "enum":
                parts.append(literals(value))
            case "type":
                parts.append(EVERYTHING if value == "string" or "string" in value else NOTHING)
            case "not":
                parts.append(Not(of_schema(value)))
            case "allOf":
                parts.append(And(tuple(map(of_schema, value))))
            case "anyOf":
                parts.append(Or(tuple(map(of_schema, value))))
            case "oneOf" | "if" | "$ref" | "$dynamicRef":
                raise Undecided(keyword)
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def literals(values: Sequence[object]) -> Language:
    if len(values) > MAX_LITERALS:
        raise Undecided("too many values")
    return Literals(frozenset(value for value in values if isinstance(value, str)))


def shortest(language: Language) -> str | None:
    """A shortest member, preferring readable characters; None: there is none."""
    found = _shortest(language)
    if isinstance(found, Undecided):
        raise found
    return found


def pumped(language: Language, length: int) -> str | None:
    """A member of at least this length, by repeating a part of a shorter one; None where that is not so easy."""
    try:
        text = shortest(And((language, Length(8, None)))) or ""
    except Undecided:
        return None
    for start in range(len(text)):
        longer = text[:start] + text[start] * (length - len(text) + 1) + text[start + 1 :]
        if holds(language, longer):
            return longer
    return None


@lru_cache(maxsize=4096)
def _shortest(language: Language) -> str | Undecided | None:
    try:
        return _searched(language)
    except Undecided as error:
        return error


def _searched(language: Language) -> str | None:
    leaves = _leaves(language)
    if any(isinstance(leaf, Length) and leaf.least > MAX_LENGTH for leaf in leaves):
        raise Undecided("text too long")
    alphabet = charsets.classes(frozenset(_sets(leaves)))
    first = tuple(_initial(leaf) for leaf in leaves)
    seen = {first}
    layer: list[tuple[tuple[Any, ...], str]] = [(first, "")]
    steps = 0
    while layer:
        following: list[tuple[tuple[Any, ...], str]] = []
        for states, text in layer:
            if _accepts(language, dict(zip(leaves, states, strict=True))):
                return text
            steps += len(alphabet)
            if steps > MAX_STEPS:
                raise Undecided("too many steps")
            for point in alphabet:
                after = tuple(_step(leaf, state, point) for leaf, state in zip(leaves, states, strict=True))
                if after not in seen:
                    seen.add(after)
                    following.append((after, text + chr(point)))
        layer = following
    return None


def _leaves(language: Language) -> list[Leaf]:
    found: dict[Leaf, None] = {}
    todo: list[Language] = [language]
    while todo:
        match todo.pop():
            case And(parts) | Or(parts):
                todo.extend(parts)
            case Not(part):
                todo.append(part)
            case leaf:
                found[leaf] = None
    return list(found)


def _sets(leaves: Sequence[Leaf]) -> list[CharSet]:
    sets: list[CharSet] = []
    for leaf in leaves:
        if isinstance(leaf, Search):
            sets.extend(leaf.automaton.sets)
        elif isinstance(leaf, Literals):
            sets.extend({charsets.literal(char) for text in leaf.texts for char in text})
    return sets


def _initial(leaf: Leaf) -> State | int | str:
    return leaf.automaton.initial if isinstance(leaf, Search) else 0 if isinstance(leaf, Length) else ""


def _step(leaf: Leaf, state: Any, point: int) -> Any:
    if isinstance(leaf, Search):
        return leaf.automaton.step(state, point)
    if isinstance(leaf, Length):
        return min(state + 1, leaf.least if leaf.most is None else leaf.most + 1)
    if state is None:
        return None
    grown = state + chr(point)
    return grown if any(text.startswith(grown) for text in leaf.texts) else None


def _accepts(language: Language, states: dict[Leaf, Any]) -> bool:
    match language:
        case Search(automaton):
            return automaton.accepts(states[language])
        case Length(least, most):
            return states[language] >= least and (most is None or states[language] <= most)
        case Literals(texts):
            return states[language] in texts
        case And(parts):
            return all(_accepts(part, states) for part in parts)
        case Or(parts):
            return any(_accepts(part, states) for part in parts)
        case Not(part):
            return not _accepts(part, states)
