"""A YAML file of a plugin's own, held to a JSON Schema as strictly as tools.yaml: every mistake with line and caret."""

from __future__ import annotations

import json
from pathlib import Path

from wekadocs_contracts.problems import StartError

from .explain import Checker
from .source import Source, read


def read_checked(path: Path | str, schema: Path) -> Source:
    """The file's data with its places, or one StartError with all that is wrong."""
    source = read(path, keep_going=True)
    found = Checker(json.loads(schema.read_text("utf-8"))).violations(source.data)
    hint = f"{schema.name} lists every key and its values"
    problems = source.with_own(source.problem(each.pointer, each.message, hint, at_key=each.at_key) for each in found)
    if problems:
        raise StartError(problems)
    return source
