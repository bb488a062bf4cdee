"""Numbers of a contract that an environment variable sets for one deployment, where the contract says so."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp.config.deployment import Config

_MOST = 10_000_000


def apply(contract: Contract, config: Config, budgets: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Budgets and limits as served; the environment goes over tools.yaml, upwards too."""
    served = {"budgets": dict(budgets), "limits": dict(contract.limits)}
    for name, target in contract.environment.items():
        config.environment[name] = value = os.environ.get(name)
        if value is not None and value.strip():
            kind, _, key = target.partition(".")
            served[kind][key] = _number(name, value.strip())
    return served["budgets"], served["limits"]


def _number(name: str, value: str) -> int:
    if not re.fullmatch("[0-9]{1,8}", value) or not 0 < int(value) <= _MOST:
        raise StartError(
            [Problem(f"environment variable {name}", f"is not a whole number from 1 to {_MOST}", "correct or unset it")]
        )
    return int(value)
