"""Types made from contracts: what disagrees with its contract is told by mypy and tsc before anybody calls it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from npm_tools import command

SHIPPED = Path(__file__).parents[3] / "contracts"
SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
CONTRACT = """\
contract: shop.find
version: 1.0.0
status: stable
title: Find goods
routing: {use_when: a, do_not_use_when: b, returns: c, follow_up: d}
annotations: {readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false}
input:
  type: object
  required: [words]
  additionalProperties: false
  properties:
    words: {type: string}
    top_k: {type: integer, default: 5, maximum: 9}
    kind: {enum: [new, used]}
    options: {type: object, properties: {deep: {type: boolean, default: false}}}
output:
  type: object
  required: [found]
  properties:
    found: {type: array, items: {$ref: "#/$defs/goods"}}
    odd-name: {type: string}
  $defs:
    goods:
      type: object
      required: [name]
      properties: {name: {type: string}, price: {type: number}, parts: {type: array, items: {$ref: "#/$defs/goods"}}}
"""
START = """\
from __future__ import annotations
from typing import Literal
from contract_types import ShopFindHandledOptions, ShopFindHandler, ShopFindResult, shop_find
from wekadocs_mcp import Answer, Call, tool
"""
RIGHT = (
    START
    + """
@shop_find
async def find(call: Call, words: str, top_k: int, kind: Literal["new", "used"] | None,
               options: ShopFindHandledOptions) -> ShopFindResult:
    return {"found": [{"name": words, "parts": [{"name": kind or "", "price": 1.5}]}] if options["deep"] else []}

@shop_find
def in_a_thread(call: Call, words: str, top_k: int, kind: str | None, options: ShopFindHandledOptions) -> Answer:
    return Answer({"found": []})

@tool("shop.find")
async def dropped_in(call: Call, *, words: str, top_k: int = 5, kind: str | None = None,
                     options: ShopFindHandledOptions) -> ShopFindResult:
    return {"found": []}

_: ShopFindHandler = dropped_in
"""
)
WRONG = (
    START
    + """
@shop_find  # wrong
async def lacks_one(call: Call, words: str, kind: str | None, options: ShopFindHandledOptions) -> ShopFindResult:
    return {"found": []}

@shop_find  # wrong
async def other_type(call: Call, words: int, top_k: int, kind: str | None, options: ShopFindHandledOptions
                     ) -> ShopFindResult:
    return {"found": []}

@shop_find  # wrong
async def never_none(call: Call, words: str, top_k: int, kind: str, options: ShopFindHandledOptions) -> ShopFindResult:
    return {"found": []}

@shop_find
async def misspells(call: Call, words: str, top_k: int, kind: str | None, options: ShopFindHandledOptions
                    ) -> ShopFindResult:
    return {"founds": []}  # wrong

@shop_find
async def other_field(call: Call, words: str, top_k: int, kind: str | None, options: ShopFindHandledOptions
                      ) -> ShopFindResult:
    return {"found": [{"name": 5}]}  # wrong

@shop_find
async def other_option(call: Call, words: str, top_k: int, kind: str | None, options: ShopFindHandledOptions
                       ) -> ShopFindResult:
    return {"found": [{"name": str(options["deeper"])}]}  # wrong
"""
)
CLIENT = """\
import type { CallTool, ShopFindArguments } from "./tools";
declare const call: CallTool;
export async function right(): Promise<number | undefined> {
  const answer = await call("shop.find", { words: "lamp", kind: "new", options: {} });
  return answer.found[0]?.parts?.[0]?.price ?? answer["odd-name"]?.length;
}
export async function wrong() {
  await call("shop.fnd", { words: "lamp" }); // wrong
  await call("shop.find", { kind: "new" }); // wrong
  await call("shop.find", { words: "lamp", kind: "old" }); // wrong
  (await call("shop.find", { words: "lamp" })).fund; // wrong
}
export const given: ShopFindArguments = { words: "x", top_k: 2 };
"""


def types(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, "contracts", "types", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    (folder / "find.v1.yaml").write_text(CONTRACT, "utf-8")
    assert types(folder, "--into", folder / "contract_types.py").returncode == 0
    assert types(folder, "--language", "typescript", "--into", folder / "tools.ts").returncode == 0
    return folder


def wrong_lines(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("wrong")]


def test_mypy_finds_a_handler_that_its_contract_does_not_fit(shop):
    (shop / "right.py").write_text(RIGHT, "utf-8")
    (shop / "wrong.py").write_text(WRONG, "utf-8")
    checking = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", shop / ".cache"]
    files = [*checking, "right.py", "wrong.py"]
    told = subprocess.run(files, cwd=shop, capture_output=True, text=True).stdout
    errors = {tuple(line.split(":")[:2]) for line in told.splitlines() if ": error:" in line}
    assert errors == {("wrong.py", str(number)) for number in wrong_lines(WRONG)}, told


@pytest.mark.node
def test_tsc_finds_a_client_that_calls_it_wrongly_and_takes_the_types_of_every_shipped_tool(shop):
    (shop / "client.ts").write_text(CLIENT, "utf-8")
    assert types(SHIPPED, "--language", "typescript", "--into", shop / "shipped.ts").returncode == 0
    checking = [*command("typescript", "5.9.3", "tsc"), "--strict", "--noEmit", "--target", "es2022"]
    told = subprocess.run([*checking, "client.ts", "shipped.ts"], cwd=shop, capture_output=True, text=True).stdout
    errors = {line.partition(",")[0] for line in told.splitlines() if ": error " in line}
    assert errors == {f"client.ts({number}" for number in wrong_lines(CLIENT)}, told


def test_a_stale_file_is_told_and_nothing_is_written(shop, tmp_path):
    stale = tmp_path / "contract_types.py"
    assert types(shop, "--into", shop / "contract_types.py", "--check").returncode == 0
    stale.write_text("old", "utf-8")
    assert types(shop, "--into", stale, "--check").returncode == 1 and stale.read_text("utf-8") == "old"
    assert types(shop, "--check").returncode == 2


def made(folder: Path, language: str) -> str:
    done = subprocess.run(
        [SCRIPT, "contracts", "types", folder, "--language", language], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_arguments_may_be_called_like_what_a_handler_is_given(tmp_path):
    text = CONTRACT.replace(
        "    words: {type", "    call: {}\n    self: {}\n    rest: {}\n    x-y: {}\n    words: {type", 1
    )
    (tmp_path / "find.v1.yaml").write_text(text, "utf-8")
    types = made(tmp_path, "python")
    compile(types, "contract_types.py", "exec")
    assert "def __call__(self_, call_: Call[Any], /, *, call: Any, " in types
    assert "**rest_: Any" in types


def test_the_bare_name_is_the_highest_stable_majors_in_typescript_too(tmp_path):
    (tmp_path / "find.v1.yaml").write_text(CONTRACT, "utf-8")
    beta = CONTRACT.replace("version: 1.0.0", "version: 2.0.0").replace("status: stable", "status: beta")
    (tmp_path / "find.v2.yaml").write_text(beta, "utf-8")
    types = made(tmp_path, "typescript")
    assert '"shop.find": { arguments: ShopFindV1Arguments;' in types
    assert '"shop.find.v2": { arguments: ShopFindV2Arguments;' in types
