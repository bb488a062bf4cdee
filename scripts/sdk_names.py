"""Where the private names of the MCP SDK are used, outside of the one file that may."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import mcp

from house_plan import ROOT
from wekadocs_mcp.transports.sdk import private

SEAM = ROOT / "src/wekadocs_mcp/transports/sdk/private.py"
SDK = ("mcp", "mcp_types")
# The standard library's, public in spite of their names.
ELSEWHERE = {"_replace", "_fields", "_asdict", "_exit", "_getframe"}
OURS = [each for each in (ROOT / "src/wekadocs_mcp").rglob("*.py") if each != SEAM]
# Public in form, but neither documented nor exported by a package.
UNDOCUMENTED = {name.partition(":")[0] for name in private.NEEDED["calls"]} - {"mcp.shared.inbound"}


def of_the_sdk() -> set[str]:
    """Every private name that the SDK gives to an attribute, a function or a module."""
    files = [each for part in ("server", "shared") for each in (Path(mcp.__file__).parent / part).rglob("*.py")]
    found = {each.stem for each in files}
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(node.name)
    return {name for name in found if _is_private(name)}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def touched(source: str, known: set[str]) -> Iterator[str]:
    """Private names of the SDK in a file: imported, taken from an object that is not the file's own, or overridden."""
    tree = ast.parse(source)
    own = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_own(node)}
    given: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in SDK:
            given |= {each.asname or each.name for each in node.names}
            parts = [*str(node.module).split("."), *(each.name for each in node.names)]
            yield from (part for part in parts if _is_private(part))
            yield from ([str(node.module)] if node.module in UNDOCUMENTED and not _for_types(tree, node) else [])
        elif isinstance(node, ast.Attribute) and node.attr in known and node.attr not in own | ELSEWHERE:
            yield node.attr
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and {_name(base) for base in node.bases} & given:
            inside = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and _is_own(each)]
            yield from (each.attr for each in inside if each.attr in known)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _name(base: ast.expr) -> str:
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.id if isinstance(base, ast.Name) else ""


def _for_types(tree: ast.Module, node: ast.AST) -> bool:
    guards = [each for each in tree.body if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.dump(each.test)]
    return any(node is inner for guard in guards for inner in ast.walk(guard))


def outside_the_seam() -> dict[str, list[str]]:
    """By file."""
    known = of_the_sdk()
    return {
        str(file.relative_to(ROOT)): names for file in OURS if (names := [*touched(file.read_text("utf-8"), known)])
    }
