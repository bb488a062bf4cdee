"""`contracts new --repository`: a plugin as a repository of its own, whose tests pass at once."""

from __future__ import annotations

import re
from pathlib import Path

from wekadocs_contracts.problems import StartError
from wekadocs_contracts.typed.command import types_of

from . import scaffold

_NAME = re.compile(r"[a-z][a-z0-9]*([._-][a-z0-9]+)*")
_FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "@NAME@"
version = "0.1.0"
description = "Tools for wekadocs-mcp."
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["wekadocs-mcp"]

# How wekadocs-mcp finds it; switched on by `plugins: {@PLUGIN@: {}}` in tools.yaml, or `serve --enable @PLUGIN@`.
[project.entry-points.wekadocs_mcp]
@PLUGIN@ = "@PLUGIN@"

[project.optional-dependencies]
dev = ["pytest>=8", "mypy>=1.16", "ruff>=0.9"]

[tool.hatch.build.targets.wheel]
packages = ["src/@PLUGIN@"]

[tool.pytest.ini_options]
testpaths = ["tests"]

[tool.mypy]
strict = true
files = ["src"]

[tool.ruff]
line-length = 120
extend-exclude = ["src/@PLUGIN@/contract_types.py"] # made by `make generated`
""",
    "README.md": """\
# @NAME@

Tools for [wekadocs-mcp](https://github.com/wekadocs/wekadocs-mcp).
[What each one promises](docs/reference/tools/README.md).

    pip install -e '.[dev]'
    wekadocs-mcp call @TOOL@ name=Ada --enable @PLUGIN@
    wekadocs-mcp serve --enable @PLUGIN@

A tool is a contract in `src/@PLUGIN@/contracts` and a handler in `src/@PLUGIN@`. After a change of a contract:

    make generated   # types, reference and lock
    make check       # what CI checks, but for what only a pull request can tell: `wekadocs-mcp contracts diff`

Another tool: its contract beside the first one, `make generated`, a handler with the decorator that this wrote into
`contract_types.py`, and the handler's name in `register_tools` of `src/@PLUGIN@/__init__.py`.
""",
    "Makefile": """\
CONTRACTS := src/@PLUGIN@/contracts
TYPES := src/@PLUGIN@/contract_types.py

.PHONY: generated check
generated:
	wekadocs-mcp contracts types $(CONTRACTS) --into $(TYPES)
	wekadocs-mcp contracts docs $(CONTRACTS) --into docs/reference
	wekadocs-mcp contracts lock $(CONTRACTS)

check:
	ruff check .
	ruff format --check .
	wekadocs-mcp contracts lint $(CONTRACTS)
	wekadocs-mcp contracts types $(CONTRACTS) --into $(TYPES) --check
	wekadocs-mcp contracts docs $(CONTRACTS) --into docs/reference --check
	wekadocs-mcp contracts lock $(CONTRACTS) --check
	mypy
	python -m pytest
""",
    ".github/workflows/ci.yml": """\
name: ci
on:
  push: {branches: [main]}
  pull_request:
permissions: {contents: read}
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.12"}
      - run: pip install -e '.[dev]'
      - run: make check
  # What the change breaks for those who call the tools; fails when the version does not say so.
  contracts:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - uses: wekadocs/wekadocs-mcp@v0
        with:
          base: "git:origin/${{ github.base_ref }}:src/@PLUGIN@/contracts"
          head: src/@PLUGIN@/contracts
""",
    ".gitignore": "__pycache__/\n*.egg-info/\n.venv/\ndist/\n.mypy_cache/\n.pytest_cache/\n.ruff_cache/\n",
    "CHANGELOG.md": "# Changelog\n\n## 0.1.0\n\n- `@TOOL@`.\n",
    "src/@PLUGIN@/__init__.py": '''\
"""The plugin: what it hands to wekadocs-mcp, and nothing else. Its contracts are found beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wekadocs_mcp import hookimpl

from . import @STEM@


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [@STEM@.@FUNCTION@]
''',
    "src/@PLUGIN@/py.typed": "",
    "src/@PLUGIN@/@STEM@.py": '''\
"""@TOOL@."""

from __future__ import annotations

from wekadocs_mcp import Call, ToolError

from .contract_types import @TYPE@Result, @DECORATOR@


@@DECORATOR@
async def @FUNCTION@(call: Call, name: str, times: int) -> @TYPE@Result:
    if not name.strip():
        raise ToolError("NO_NAME", "A name is needed: pass name='Ada'.", details={"name": name})
    return {"greeting": " ".join([f"Hello {name}!"] * times)}
''',
    "tests/test_@FUNCTION@.py": """\
from wekadocs_mcp.testing import check_plugin, client_for

CONFIG = {"plugins": {"@PLUGIN@": {}}}


def test_the_contracts_and_their_examples_hold():
    check_plugin(config=CONFIG)


def test_@FUNCTION@_greets_by_name():
    with client_for(CONFIG) as client:
        answer = client.call("@TOOL@", name="Ada", times=2)
    assert answer.data == {"greeting": "Hello Ada! Hello Ada!"}
""",
}


def write(repository: str, tool: str | None, into: Path) -> list[Path]:
    """Below `into`, in a folder called after the repository."""
    from wekadocs_contracts.typed.python_types import decorator_name
    from wekadocs_contracts.typed.shapes import pascal

    if not _NAME.fullmatch(repository) or len(repository) > 60:
        raise StartError([f"{repository}: a repository is named in small letters and dashes, such as acme-tools"])
    plugin = re.sub(r"\W", "_", repository)
    name = tool or f"{plugin}.hello"
    stem, function = scaffold.names(name)
    words = {"NAME": repository, "PLUGIN": plugin, "TOOL": name, "STEM": function, "FUNCTION": function}
    words |= {"TYPE": pascal(name), "DECORATOR": decorator_name(name)}
    root = into / repository
    if root.exists():
        raise StartError([f"{root} exists already: choose another name or folder"])
    contracts = root / "src" / plugin / "contracts"
    files = {_filled(path, words): _filled(text, words) for path, text in _FILES.items()}
    files[f"src/{plugin}/contracts/{stem}.v1.yaml"] = scaffold.contract(name)
    for path, text in files.items():
        _write(root / path, text)
    _write(contracts.parent / "contract_types.py", types_of([contracts], "python"))
    return [*(root / path for path in files), contracts.parent / "contract_types.py", *_generated(contracts, root)]


def _generated(contracts: Path, root: Path) -> list[Path]:
    """The reference and the lock, as `make generated` would write them."""
    from wekadocs_contracts.docs.lock import lock_text
    from wekadocs_contracts.docs.tool_pages import tool_pages

    pages = {root / "docs" / "reference" / name: text for name, text in tool_pages([contracts]).items()}
    files = {**pages, contracts / "contracts.lock.json": lock_text(contracts)}
    for path, text in files.items():
        _write(path, text)
    return list(files)


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub(r"@([A-Z]+)@", lambda found: words[found[1]], text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
