"""Formulas as LaTeX: what the page says itself (`alttext`, an annotation), else its structure, else its letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .nodes import SPACE, TEXT, Attributes, Node, attributes, classes, every, plain_text, seen_children

_DEEPEST = 40
_TEX = ("application/x-tex", "text/x-tex", "latex", "tex")
_OPERATORS = {
    "\u2212": "-",
    "⋅": r"\cdot ",
    "\u00d7": r"\times ",
    "∑": r"\sum ",
    "∏": r"\prod ",
    "∫": r"\int ",
    "∞": r"\infty ",
}
_OPERATORS |= {"≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "±": r"\pm ", "→": r"\to ", "∈": r"\in ", "∂": r"\partial "}
_OPERATORS |= {"∞": r"\infty "}
_UNSAID = frozenset("\u2061\u2062\u2063\u2064")  # applied, times, comma, plus: known, not written
_ACCENTS = {"¯": "bar", "‾": "overline", "^": "hat", "\u02c6": "hat", "~": "tilde", "→": "vec", "˙": "dot"}


def formula(node: Node) -> str:
    """`$…$`, or `$$…$$` where it stands on a line of its own; empty for one that says nothing."""
    said = latex(node)
    shown = attributes(node).get("display", "").lower() == "block" or attributes(node).get("mode") == "display"
    return delimited(said, shown) if said else ""


def delimited(said: str, display: bool) -> str:
    return f"$${said}$$" if display else f"${said}$"


def written_formula(node: Node) -> str | None:
    r"""What Sphinx and MathJax leave in the page as `\(…\)` or `\[…\]`; None for anything else."""
    if "math" not in classes(attributes(node)):
        return None
    said = plain_text(node)
    for opening, closing, display in ((r"\(", r"\)", False), (r"\[", r"\]", True)):
        if said.startswith(opening) and said.endswith(closing) and len(said) > 4:
            return delimited(said[2:-2].strip(), display)
    return None


def latex(node: Node) -> str:
    stated = attributes(node).get("alttext", "").strip() or _annotated(node)
    if not stated:
        stated = _convert(node, 0).strip() or plain_text(node)
    stated = SPACE.sub(" ", stated).strip().strip("$").strip()
    begin, end = r"{\displaystyle ", "}"
    return stated[len(begin) : -1].strip() if stated.startswith(begin) and stated.endswith(end) else stated


def _annotated(node: Node) -> str:
    for each in every(node):
        if each.tag == "annotation" and attributes(each).get("encoding", "").lower() in _TEX:
            return plain_text(each)
    return ""


def _convert(node: Node, depth: int) -> str:
    tag = node.tag or ""
    if tag == TEXT:
        return SPACE.sub(" ", node.text_content or "")
    if tag == "annotation" or depth > _DEEPEST:
        return ""
    parts = [_convert(child, depth + 1).strip() for child in seen_children(node)]
    parts = [part for part in parts if part] if tag not in _SHAPES else [part for part in parts if part != ""]
    if tag == "mfenced":
        return _fenced(parts, attributes(node))
    if tag == "mfrac" and len(parts) == 2 and attributes(node).get("linethickness", "")[:1] == "0":
        return rf"{{{parts[0]} \atop {parts[1]}}}"
    shape = _SHAPES.get(tag)
    if shape is not None and len(parts) >= shape[0]:
        return shape[1](parts)
    return _leaf(tag, "".join(parts)) if tag in _LEAVES else _joined(parts)


def _joined(parts: Sequence[str]) -> str:
    said = ""
    for part in parts:
        apart = said[-1:].isalpha() and part[:1].isalpha() and "\\" in said[-12:]
        said += f" {part}" if apart else part
    return said


_LEAVES = frozenset(("mi", "mn", "mo", "mtext", "ms"))


def _leaf(tag: str, said: str) -> str:
    said = "".join(letter for letter in said if letter not in _UNSAID)
    if tag == "mtext":
        return rf"\text{{{said}}}" if said.strip() else " "
    if tag == "mo":
        return "".join(_OPERATORS.get(letter, letter) for letter in said)
    return said


def _fenced(parts: Sequence[str], its: Attributes) -> str:
    between = its.get("separators", ",").strip()[:1]
    inside = f"{between} ".join(parts) if between else "".join(parts)
    return f"{_fence(its, 'open', '(')}{inside}{_fence(its, 'close', ')')}"


def _fence(its: Attributes, side: str, usual: str) -> str:
    said = its.get(side, usual).strip()
    return f"\\{said}" if said in ("{", "}") else said


def _over(parts: Sequence[str]) -> str:
    accent = _ACCENTS.get(parts[1])
    return rf"\{accent}{{{parts[0]}}}" if accent else rf"\overset{{{parts[1]}}}{{{parts[0]}}}"


def _sums(base: str) -> bool:
    return base.strip() in (r"\sum", r"\prod", r"\int", "lim", r"\lim")


def _under(parts: Sequence[str]) -> str:
    return f"{parts[0].strip()}_{{{parts[1]}}}" if _sums(parts[0]) else rf"\underset{{{parts[1]}}}{{{parts[0]}}}"


def _base(part: str) -> str:
    return part.strip() if len(part.strip()) == 1 or part.startswith("\\") else f"{{{part}}}"


_Shape = tuple[int, Callable[[Sequence[str]], str]]
_SHAPES: dict[str, _Shape] = {
    "mfrac": (2, lambda p: rf"\frac{{{p[0]}}}{{{p[1]}}}"),
    "msup": (2, lambda p: f"{_base(p[0])}^{{{p[1]}}}"),
    "msub": (2, lambda p: f"{_base(p[0])}_{{{p[1]}}}"),
    "msubsup": (3, lambda p: f"{_base(p[0])}_{{{p[1]}}}^{{{p[2]}}}"),
    "munderover": (3, lambda p: f"{p[0].strip()}_{{{p[1]}}}^{{{p[2]}}}"),
    "mroot": (2, lambda p: rf"\sqrt[{p[1]}]{{{p[0]}}}"),
    "msqrt": (1, lambda p: rf"\sqrt{{{_joined(p)}}}"),
    "mover": (2, _over),
    "munder": (2, _under),
    "mtable": (1, lambda p: r"\begin{matrix}" + r" \\ ".join(p) + r"\end{matrix}"),
    "mtr": (1, " & ".join),
}
