"""Figures kept in a file, and what a run must not fall below."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wekadocs_contracts.problems import Problem, did_you_mean
from wekadocs_mcp import StartError

from .figures import FIGURES, worse


def refuse_unwritable(path: Path) -> None:
    """Before the questions are asked, which takes its time."""
    if path.is_dir() or not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise StartError([Problem(f"--write-baseline {path}", "cannot be written", "name a file in a folder of yours")])


def write(path: Path, questions: int, figures: Mapping[str, float]) -> None:
    """Without latencies: what is committed must be the same on every machine."""
    text = json.dumps({"questions": questions, "figures": dict(figures)}, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")


def read(path: Path) -> tuple[dict[str, float], int]:
    """The figures, and of how many questions they are."""
    hint = "write one with --write-baseline FILE"
    try:
        data = json.loads(path.read_text("utf-8"))
        figures = {str(name): _finite(value) for name, value in data["figures"].items()}
        questions = int(data["questions"])
    except OSError as error:
        raise StartError([Problem(str(path), f"cannot be read: {error.strerror}", hint)]) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StartError([Problem(str(path), "is no baseline of `eval`", hint)]) from error
    for name in figures:
        _known(name, str(path))
    return figures, questions


def _finite(value: Any) -> float:
    """Nothing is above or below what is no number: a limit of nan would let everything through."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number


def _known(name: str, where: str) -> None:
    if name not in FIGURES:
        raise StartError([Problem(where, f"no figure is called `{name}`{did_you_mean(name, FIGURES)}", _names())])


def _names() -> str:
    return f"there are {', '.join(FIGURES)}"


def limits(given: Sequence[str], with_baseline: bool) -> tuple[dict[str, float], float | None]:
    """`NAME=NUMBER` and a bare tolerance against the baseline, as --fail-under takes them."""
    least: dict[str, float] = {}
    tolerance: float | None = None
    for each in given:
        name, separator, number = each.rpartition("=")
        try:
            value = _finite(number)
        except ValueError:
            raise StartError(
                [Problem(f"--fail-under {each}", "is neither NAME=NUMBER nor a number", _names())]
            ) from None
        if separator:
            _known(name, f"--fail-under {each}")
            least[name] = value
        elif value < 0:
            raise StartError([Problem(f"--fail-under {each}", "a distance cannot be negative", "write 0 or more")])
        else:
            tolerance = value
    if tolerance is not None and not with_baseline:
        message = "a bare number is a distance from the baseline"
        raise StartError([Problem(f"--fail-under {tolerance:g}", message, "name it with --baseline FILE")])
    return least, tolerance


def failures(
    now: Mapping[str, float], least: Mapping[str, float], before: Mapping[str, Any], tolerance: float | None
) -> list[str]:
    found = []
    for name, limit in least.items():
        value, lower = now.get(name), FIGURES[name].lower_is_better
        if value is None:
            found.append(f"{name} could not be measured on these questions")
        elif value > limit if lower else value < limit:
            found.append(f"{name} is {value:g}, {'above' if lower else 'below'} {limit:g}")
    return found + (worse(now, before, tolerance) if tolerance is not None else [])
