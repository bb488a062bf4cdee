"""jinja2, sandboxed: routing text over a contract's limits, answer text over an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_contracts import shipped
from wekadocs_contracts.format.leaving_out import ABSENT, or_another, without_absent

from .schemas import Schema, limits

if TYPE_CHECKING:
    from jinja2 import Template

_PREFIXES = {"use_when": "Use when ", "do_not_use_when": "Do not use when ", "returns": "Returns "}
PARTS = ("use_when", "do_not_use_when", "returns", "follow_up")
# Steps and letters of one rendering.
_ROUTING = (20_000, 20_000)
_ANSWER = (2_000_000, 2_000_000)


@cache
def environment() -> Any:
    from jinja2 import StrictUndefined

    from .template_bounds import Sandbox

    return Sandbox(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)


@cache
def answers() -> Any:
    """For the text of answers, whose optional fields may be absent: an absent list is an empty one."""
    from jinja2 import ChainableUndefined

    return environment().overlay(undefined=ChainableUndefined, finalize=_written)


def _written(value: object) -> Any:
    """A member of an enum as JSON writes it, not by its Python name."""
    return value.value if isinstance(value, Enum) else value


class Tree(dict[str, Any]):
    """Limits by path: `max.top_k`, `max.options.mode`, and `max.mode` where only one argument is called so."""

    @classmethod
    def of(cls, flat: Mapping[str, object]) -> Tree:
        tree = cls()
        leaves: dict[str, list[Any]] = {}
        for path, value in flat.items():
            node = tree
            *parents, leaf = path.split(".")
            for parent in parents:
                child = node.get(parent)
                node[parent] = node = child if isinstance(child, Tree) else cls()
            node[leaf] = value
            leaves.setdefault(leaf, []).append(value)
        for leaf, values in leaves.items():
            if len(values) == 1:
                tree.setdefault(leaf, values[0])
        return tree


def routing_context(
    schema: Schema,
    budgets: Mapping[str, object],
    tool: Callable[[str], str],
    served: Callable[[str], bool] = lambda _: True,
) -> dict[str, Any]:
    """What routing text may speak of; where nothing is deployed, every tool is served."""
    table = limits(schema)
    trees = {name: Tree.of(table[name]) for name in ("max", "min", "default")}
    return {**trees, "budgets": {**budget_defaults(), **budgets}, **naming(tool, served)}


def naming(
    tool: Callable[[str], str], answers: Callable[[str], bool], served: Callable[[str], bool] | None = None
) -> dict[str, Any]:
    """`tool('NAME')` and `served('NAME')`; what names a tool that does not answer is left out later."""
    return {"tool": lambda name: tool(name) if answers(name) else ABSENT, "served": served or answers}


@cache
def budget_defaults() -> dict[str, Any]:
    """What a budget is where neither contract nor tools.yaml says anything."""
    published = json.loads(Path(shipped.CONTRACTS, "_schema", "tools.schema.json").read_text("utf-8"))
    return {name: each["default"] for name, each in published["$defs"]["budgets"]["properties"].items()}


@lru_cache(maxsize=2048)
def _compiled(template: str) -> Any:
    return environment().from_string(template)


def render(template: str, context: Mapping[str, object]) -> str:
    if is_plain(template):
        return template.removesuffix("\n")  # what jinja2 makes of plain text, without the millisecond it takes
    return _within(_ROUTING, template, _compiled(template), context)


def render_answer(template: str, compiled: Template, answer: Mapping[str, object]) -> str:
    """`compiled` by `answers()`; longer texts and more steps than a description is ever worth."""
    return _within(_ANSWER, template, compiled, answer)


def render_page(template: str, context: Mapping[str, object]) -> str:
    return _within(_ANSWER, template, environment().from_string(template), context)


def _within(most: tuple[int, int], source: str, compiled: Template, context: Mapping[str, object]) -> str:
    from .template_bounds import allowing

    with allowing(*most, source):
        text: str = compiled.render(context)
    return text


def is_plain(template: str) -> bool:
    """Whether rendering changes nothing but a last line end."""
    return "{" not in template and "\r" not in template


class Excess(str):
    """A fault that is no slip of the pen: the template asks for more than it may."""


KNOWN = "known: max.NAME, min.NAME, default.NAME, budgets.NAME, tool('NAME'), served('NAME')"


def fault(template: str, context: Mapping[str, object]) -> str | None:
    """Why a template cannot be rendered over this context; None if it can."""
    if is_plain(template):
        return None  # a start from a compiled surface has no other, and needs no jinja2
    from jinja2 import TemplateError
    from jinja2.exceptions import SecurityError

    try:
        render(template, context)
    except SecurityError as error:
        return Excess(error)
    except (TemplateError, ArithmeticError, TypeError, ValueError, LookupError, OverflowError, RecursionError) as error:
        tree = "'wekadocs_contracts.format.templates.Tree object' has no attribute"
        return str(error).replace(tree, "the input schema has no limit for")
    return None


def describe(routing: Mapping[str, str], context: Mapping[str, object], schema: Schema) -> str:
    """The description a model reads: the four routing parts, then the limits as they stand in the schema."""
    lines = [_sentence(part, text) for part in PARTS if (text := routing_part(part, routing[part], context))]
    return "\n".join([*lines, limits_line(schema)])


def routing_part(part: str, template: str, context: Mapping[str, object]) -> str:
    """One part in words; where nothing follows that is served, there is no follow-up."""
    text = render(template, context)
    return without_absent(text).strip() if part == "follow_up" else or_another(text)


def _sentence(part: str, text: str) -> str:
    text = " ".join(text.split())
    prefix = _PREFIXES.get(part, "")
    if prefix and not text.lower().startswith(prefix.lower()):
        starts_a_word = text[1:2].islower() or text.startswith("A ")
        text = prefix + (text[0].lower() + text[1:] if starts_a_word else text)
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def limits_line(schema: Schema) -> str:
    table = limits(schema)
    defaults = [f"{path}={_short(value)}" for path, value in table["default"].items() if value is not None]
    caps = [f"{path}={value}{table['unit'][path]}" for path, value in table["max"].items()]
    return f"Defaults: {', '.join(defaults) or 'none'}. Max: {', '.join(caps) or 'none'}."


def _short(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
