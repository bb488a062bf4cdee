"""An error's code as an HTTP status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.problems import HOST_CODES

_OF_CODE = {
    "INVALID_ARGUMENT": 400,
    "SCOPE_VIOLATION": 403,
    "BUDGET_EXCEEDED": 413,  # the answer; a tool that is busy is 429
    "INTERNAL_ERROR": 500,
    "BACKEND_UNAVAILABLE": 503,
    "TIMEOUT": 504,
}
BUSY, DISABLED, UNKNOWN, ASKS = 429, 403, 404, 501
_ANY_OTHER = 422  # what a tool has a code of its own for: understood, and not possible


def status(error: Mapping[str, object], contract: Contract) -> int:
    """By what the host calls the code, whatever the contract calls it."""
    details = error.get("details")
    details = details if isinstance(details, Mapping) else {}
    if details.get("reason") == "disabled":
        return DISABLED
    code = _as_the_host_says(str(error["code"]), contract)
    return BUSY if code == "BUDGET_EXCEEDED" and "retry_after" in details else _OF_CODE.get(code, _ANY_OTHER)


def possible(contract: Contract) -> list[int]:
    """What a call of this tool may be answered with, beside 200."""
    codes: Iterable[str] = HOST_CODES | (contract.codes or {""})
    found = {_OF_CODE.get(_as_the_host_says(code, contract), _ANY_OTHER) for code in codes}
    return sorted({*found, BUSY, DISABLED})


def _as_the_host_says(code: str, contract: Contract) -> str:
    return next((host for host, own in contract.error_codes.items() if own == code), code)
