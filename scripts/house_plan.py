"""The plan of the house, counted from its imports and from one search and one ingest: python scripts/house_plan.py

Imports inside functions count as well; those that only type checkers see do not.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASES = (ROOT / "src", *sorted(path for path in (ROOT / "plugins").iterdir() if path.is_dir()))
PLUGINS = frozenset(path.name for path in (ROOT / "plugins").glob("*/wekadocs_*"))


def _module_name(path: Path, base: Path) -> str:
    return ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")


MODULES = {_module_name(path, base): path for base in BASES for path in sorted(base.rglob("*.py"))}
PACKAGES = sorted(name for name, path in MODULES.items() if path.name == "__init__.py")


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text("utf-8"))


@cache
def needs(module: str) -> frozenset[str]:
    """What a module imports: ours by the full name, others by the package they come from."""
    package = module if module in PACKAGES else module.rpartition(".")[0]
    found = set()
    for source, name in _imports(tree(module), package):
        ours = next((each for each in (f"{source}.{name}", source) if each in MODULES), None)
        found.add(ours or source.partition(".")[0])
    return frozenset(found - {module})


def _imports(node: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Module and name of every import."""
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        for otherwise in node.orelse:
            yield from _imports(otherwise, package)
        return
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
        yield from ((".".join([*above, *filter(None, [node.module])]), alias.name) for alias in node.names)
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, package)


def importers(package: str) -> set[str]:
    """The modules outside a package that import something of it."""
    outside = (module for module in MODULES if not within(module, package))
    return {module for module in outside if any(within(each, package) for each in needs(module))}


def folders() -> Counter[str]:
    return Counter(path.parent.relative_to(ROOT).as_posix() for path in MODULES.values())


def cycle() -> list[str]:
    """Modules that import each other in a ring; empty where there is none."""
    order = TopologicalSorter({module: needs(module) & MODULES.keys() for module in MODULES})
    try:
        order.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def between_plugins() -> set[tuple[str, str]]:
    """A module of one plugin, and the other plugin that it imports."""
    return {
        (module, plugin) for plugin in PLUGINS for module in importers(plugin) if module.partition(".")[0] in PLUGINS
    }


def parameters() -> tuple[int, int]:
    """How many there are, and how many of them say `Any`."""
    functions = [
        node
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    every = [each for node in functions for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    typed = [ast.unparse(each.annotation) for each in every if each.annotation is not None]
    return sum(each.arg not in ("self", "cls") for each in every), sum("Any" in text for text in typed)


def entered(what: str) -> int:
    """How many modules a `search` or an `ingest` enters; in a process of its own, where nothing has run before."""
    command = [sys.executable, str(ROOT / "scripts" / "modules_entered.py"), what]
    return len(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())  # noqa: S603 (ours)


def private_names_of_the_sdk() -> int:
    from sdk_names import outside_the_seam

    return sum(map(len, outside_the_seam().values()))


def main() -> None:
    folder, files = folders().most_common(1)[0]
    everything, loose = parameters()
    sys.stdout.write(
        f"modules                  {len(MODULES)}\n"
        f"largest folder           {files} files, {folder}\n"
        f"import cycle             {' → '.join(cycle()) or 'none'}\n"
        f"plugin imports plugin    {len(between_plugins())}\n"
        f"parameters with Any      {loose} of {everything}, {loose / everything:.1%}\n"
        f"private names of the SDK {private_names_of_the_sdk()} outside the seam\n"
        f"entered by one kb.search {entered('search')} modules\n"
        f"entered by one ingest    {entered('ingest')} modules\n"
    )


if __name__ == "__main__":
    main()
