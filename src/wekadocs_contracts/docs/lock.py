"""contracts.lock.json: what clients see of every contract, as a file in git that changes on purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wekadocs_contracts.format import contracts, templates
from wekadocs_contracts.format.contracts import Contract

LOCK_VERSION = 1
_WHERE_SAID = (
    "list_flag", "bounds", "failure", "limits", "text_alone", "text_field", "error_codes", "error_details",
    "error_text", "environment", "task",
)  # fmt: skip


def lock_text(folder: Path) -> str:
    loaded = contracts.load(contracts.contract_files(folder))
    body = {"lock": LOCK_VERSION, "contracts": [_entry(contract, folder) for contract in loaded]}
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _entry(contract: Contract, folder: Path) -> dict[str, Any]:
    return {
        "contract": contract.name,
        "version": contract.version,
        "status": contract.status,
        "hash": contract.hash,
        "file": Path(contract.file).relative_to(folder).as_posix(),
        "tool": wire(contract),
        "errors": contract.errors,
        "argument_aliases": contract.argument_aliases,
        "budgets": contract.budgets,
        "flag": contract.flag,
        **{key: value for key in _WHERE_SAID if (value := getattr(contract, key))},
        "replaced_by": contract.replaced_by,
        "text": contract.text,
    }


def wire(contract: Contract) -> dict[str, Any]:
    """The tool as tools/list shows it where nothing is overlaid."""
    told = contract.bounded_input
    context = templates.routing_context(told, contract.budgets, lambda name: name)
    description = templates.describe(contract.routing, context, told)
    return contracts.wire_form(contract, contract.name, contract.title, description, contract.input)
