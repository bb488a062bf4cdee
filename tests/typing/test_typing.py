"""A plugin author's mistakes are found by `mypy --strict` before they are found by a model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def told() -> dict[str, list[int]]:
    """The lines that mypy complains about, by file."""
    files = [str(HERE / name) for name in ("right_shop.py", "wrong_shop.py")]
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", *files]
    ended = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    assert ended.returncode in (0, 1), ended.stderr
    errors = [line.split(":", 2) for line in ended.stdout.splitlines() if ": error:" in line]
    found: dict[str, list[int]] = {}
    for file, line, _ in errors:
        found.setdefault(Path(file).name, []).append(int(line))
    return found


def test_a_plugin_whose_types_are_right_passes_mypy_strict(told: dict[str, list[int]]) -> None:
    assert told.get("right_shop.py") is None


def test_a_misspelt_attribute_and_a_wrong_argument_are_told_with_their_lines(told: dict[str, list[int]]) -> None:
    lines = (HERE / "wrong_shop.py").read_text().splitlines()
    wrong = [number for number, line in enumerate(lines, 1) if line.endswith("# wrong")]
    assert told["wrong_shop.py"] == wrong
