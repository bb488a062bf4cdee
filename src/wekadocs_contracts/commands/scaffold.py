"""`contracts new`: a drop-in tool whose test passes at once."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from wekadocs_contracts.problems import StartError

_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+")

_CONTRACT = """\
contract: {name}
version: 1.0.0
status: stable
title: Greet somebody
routing:
  use_when: somebody should be greeted by name
  do_not_use_when: you only need a fact; this tool knows none
  returns: One line with at most {{{{ max.times }}}} greetings.
  follow_up: Nothing follows; show the greeting.
annotations: {{readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false}}
input:
  type: object
  required: [name]
  properties:
    name: {{type: string, description: Who is greeted., maxLength: 80}}
    times: {{type: integer, description: How often., default: 1, minimum: 1, maximum: 5}}
output:
  type: object
  required: [greeting]
  properties:
    greeting: {{type: string}}
text: "{{{{ greeting }}}}"
errors: [NO_NAME]
examples:
  - arguments: {{name: Ada}}
    expect: {{greeting: "Hello Ada!"}}
  - arguments: {{name: " "}}
    expect_error: NO_NAME
"""

_PLUGIN = """\
from wekadocs_mcp import ToolError, tool


@tool("{name}")
async def {function}(call, name, times):
    if not name.strip():
        raise ToolError("NO_NAME", "A name is needed: pass name='Ada'.", details={{"name": name}})
    return {{"greeting": " ".join([f"Hello {{name}}!"] * times)}}
"""

_TEST = """\
from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_{function}_greets_by_name():
    with client_for(plugins=[HERE]) as client:
        answer = client.call("{name}", name="Ada", times=2)
    assert answer.data == {{"greeting": "Hello Ada! Hello Ada!"}}
"""


def names(name: str) -> tuple[str, str]:
    """The stem of a tool's files, and what its function is called."""
    if not _NAME.fullmatch(name) or len(name) > 64:
        raise StartError([f"{name}: a tool's name is namespaced and at most 64 long, such as demo.hello"])
    stem = name.rsplit(".", 1)[-1]
    function = re.sub(r"\W", "_", stem)
    function = f"{function}_" if keyword.iskeyword(function) else function
    return stem, function if not function[0].isdigit() else f"_{function}"


def contract(name: str) -> str:
    return _CONTRACT.format(name=name)


def write(name: str, folder: Path) -> list[Path]:
    stem, function = names(name)
    files = {
        folder / f"{stem}.v1.yaml": contract(name),
        folder / f"{stem}.py": _PLUGIN.format(name=name, function=function),
        folder / f"test_{function.lstrip('_')}.py": _TEST.format(name=name, function=function.lstrip("_")),
    }
    existing = [str(path) for path in files if path.exists()]
    if existing:
        raise StartError([f"{', '.join(existing)} exists already: choose another name or folder"])
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return list(files)
