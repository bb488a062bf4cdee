"""What a page names before or after it uses it: substitutions and targets; and what its conf.py puts around it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache

_SUBSTITUTION = re.compile(
    r"^[ \t]*\.\. \|([^|\n]{1,200})\|[ \t]+(replace|unicode|image|date|raw)::[ \t]*([^\n]*(?:\n[ \t]+\S[^\n]*){0,20})",
    re.M,
)
_TARGET = re.compile(
    r"^[ \t]*\.\. _(?:`([^`\n]{1,300})`|((?:[^:`\n\\]|\\.|:(?!\s)){1,300})):[ \t]+(\S[^\n]{0,2000})$", re.M
)
_INLINE_TARGET = re.compile(r"`([^`<>\n]{1,300})[ \n]<([^`<>\s]{1,2000})>`_(?!_)")
_CODE_POINT = re.compile(r"(?:0x|U\+|\\u|x)([0-9A-Fa-f]{2,6})\b")
_ALT = re.compile(r":alt:[ \t]*([^\n]*)")
_ASSIGNED = frozenset({"rst_prolog", "rst_epilog", "version", "release", "project", "author", "copyright"})


@dataclass
class Names:
    """Grows with every file that a page includes."""

    substitutions: dict[str, str] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)

    def learn(self, text: str) -> None:
        if ".. |" in text:
            for found in _SUBSTITUTION.finditer(text):
                self.substitutions.setdefault(found[1].strip(), _shown(found[2], found[3]))
        if ".. _" in text:
            for found in _TARGET.finditer(text):
                self.targets.setdefault(key(found[1] or found[2]), found[3].strip())
        if ">`_" in text:
            for found in _INLINE_TARGET.finditer(text):
                self.targets.setdefault(key(found[1]), found[2])


def key(name: str) -> str:
    return " ".join(name.replace("\\", "").casefold().split())


def _shown(kind: str, words: str) -> str:
    if kind == "unicode":
        characters = [
            _CODE_POINT.fullmatch(word) for word in words.split("..", maxsplit=1)[0].split() if not word.startswith(":")
        ]
        return "".join(chr(int(each[1], 16)) for each in characters if each and 31 < int(each[1], 16) < 0xD800)
    if kind == "image":
        alt = _ALT.search(words)
        return alt[1].strip() if alt else ""
    return " ".join(words.split()) if kind == "replace" else ""


@lru_cache(maxsize=16)
def configured(conf: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Prolog and epilog that a conf.py states as plain text, and the names |version|, |release| and |project| have."""
    stated: dict[str, str] = {}
    for name, expression in _assignments(conf):
        value = _text_of(expression, stated)
        if value is not None:
            stated[name] = value
    around = "\n\n".join(stated[name] for name in ("rst_prolog", "rst_epilog") if name in stated)
    return around, tuple((name, stated[name]) for name in ("version", "release", "project") if stated.get(name))


def _assignments(conf: str) -> list[tuple[str, ast.expr]]:
    try:
        body = ast.parse(conf[:200_000]).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: list[tuple[str, ast.expr]] = []
    for each in body:
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            found.append((each.targets[0].id, each.value))
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.append((each.target.id, ast.BinOp(each.target, ast.Add(), each.value)))
    return [(name, value) for name, value in found if name in _ASSIGNED]


def _text_of(expression: ast.expr, known: dict[str, str]) -> str | None:
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return expression.value
    if isinstance(expression, ast.Name):
        return known.get(expression.id)
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        parts = [_text_of(expression.left, known), _text_of(expression.right, known)]
        return "".join(part for part in parts if part is not None) or None
    return None
