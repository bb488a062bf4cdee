"""Python source as a page of its docstrings: a section for the module, each class and each function that has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .conversion.lines import Converted, Lines, converted, fenced
from .conversion.neighbours import Neighbours
from .decoding import Unreadable

CODE_SUFFIXES = frozenset({".py", ".pyi"})
_PEEK = re.compile(rb"(?:\A|\n)[ \t]*[rRuU]?(?:\"\"\"|''')")
_GOOGLE = re.compile(r"(Args|Arguments|Attributes|Example|Examples|Keyword Args|Note|Notes|Raises|Returns|Yields):\s*")
_UNDERLINE = re.compile(r"-{3,}\s*")
_OUTER = frozenset({"src", "lib", "python"})  # folders that packages lie in

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def has_docstrings(file: Path) -> bool:
    """By its look; a file without any says nothing that could be quoted."""
    try:
        return _PEEK.search(file.read_bytes()) is not None
    except OSError:
        return False


def convert_docstrings(text: str, neighbours: Neighbours) -> Converted:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"it is no Python that can be parsed: {type(error).__name__}") from None
    name = _module_name(neighbours.path)
    lines: Lines = [(f"# {name}", 0), ("", 0), *_docstring(module)]
    return converted([*lines, *_members(module, "", 2)])


def _module_name(path: str) -> str:
    """`src/pkg/mod.py` is `pkg.mod`."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    while len(parts) > 1 and parts[0] in _OUTER:
        parts.pop(0)
    if len(parts) > 1 and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def _members(owner: ast.AST, above: str, level: int) -> Iterator[tuple[str, int]]:
    """Public ones, and how an object is made; in the order they are written in."""
    for node in ast.iter_child_nodes(owner):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("_") and node.name != "__init__":
                continue
            yield from _section(node, f"{above}{node.name}", level)
            if isinstance(node, ast.ClassDef):
                yield from _members(node, f"{above}{node.name}.", min(level + 1, 6))


def _section(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str, level: int) -> Lines:
    if ast.get_docstring(node, clean=False) is None:
        return []
    at = node.lineno - 1
    signature = fenced([(_signature(node), at)], "python", at)
    return [("", at), (f"{'#' * level} `{name}`", at), ("", at), *signature, ("", at), *_docstring(node)]


def _signature(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"


def _docstring(node: Documented) -> Lines:
    """Each line with its line in the file; a docstring that is continued by `\\` may be off by as many."""
    if ast.get_docstring(node, clean=False) is None:
        return []
    written = node.body[0]
    text = ast.get_docstring(node) or ""
    first = written.lineno - 1
    raw = (ast.get_docstring(node, clean=False) or "").expandtabs()
    skipped = len(raw) - len(raw.lstrip("\n"))
    numbered = [
        (words, min(first + skipped + place, (written.end_lineno or first) - 1))
        for place, words in enumerate(text.split("\n"))
    ]
    return _as_markdown(numbered)


def _as_markdown(lines: Lines) -> Lines:
    """Google's and NumPy's parts as a label with a list below it; all else as it stands."""
    found: Lines = []
    margin: int | None = None  # of the entries of the part that is open
    for place, (words, number) in enumerate(lines):
        following = lines[place + 1][0] if place + 1 < len(lines) else ""
        indent = len(words) - len(words.lstrip(" "))
        if words and not indent and (part := _part(words, following)):
            found += [("", number), (f"**{part}**", number), ("", number)]
            margin = 0 if _UNDERLINE.fullmatch(following) else 4
        elif _UNDERLINE.fullmatch(words) and margin == 0:
            continue
        elif margin is not None and words and indent >= margin:
            found.append((f"- {words.strip()}" if indent == margin else f"  {words.strip()}", number))
        else:
            margin = margin if not words else None
            found.append((words, number))
    return found


def _part(words: str, following: str) -> str:
    if google := _GOOGLE.fullmatch(words):
        return google[1]
    return words.strip() if _UNDERLINE.fullmatch(following) else ""
