"""Contracts as they are served beside what they were: the command line of the contracts' library, in a child process.

A browser chooses among bases by name; no operand ever comes from it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wekadocs_contracts.shipped import CONTRACTS
from wekadocs_mcp import ToolError

LOCK = "contracts.lock.json"
_SECONDS = 60.0
_TOLD = (0, 1, 3)  # exit codes with a report


def bases() -> dict[str, str]:
    """Name → what it is."""
    folder = Path(CONTRACTS)
    found = {}
    if (folder / LOCK).is_file():
        found["lock"] = "the lock file, contracts.lock.json"
    if (folder.parent / ".git").exists():
        found["release"] = "the last release, by its Git tag, or where this branch began"
    return found


async def compared(base: str) -> dict[str, Any]:
    """What `contracts diff --format json` says."""
    if base not in bases():
        raise ToolError("INVALID_ARGUMENT", f"There is no such base here; there is: {', '.join(bases()) or 'none'}.")
    operands = [str(Path(CONTRACTS) / LOCK), CONTRACTS] if base == "lock" else []
    command = [sys.executable, "-m", "wekadocs_contracts", "diff", *operands, "--format", "json"]
    child = await asyncio.create_subprocess_exec(
        *command,
        cwd=Path(CONTRACTS).parent,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            out, told = await child.communicate()
    except TimeoutError:
        raise ToolError("TIMEOUT", f"The comparison took more than {_SECONDS:g} seconds.") from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return _read(child.returncode, out, told)


def _read(code: int | None, out: bytes, told: bytes) -> dict[str, Any]:
    if code not in _TOLD:
        message = told.decode("utf-8", "replace").strip() or "There is nothing to compare."
        raise ToolError("BACKEND_UNAVAILABLE", message)
    found: Mapping[str, Any] = json.loads(out)
    return {"exit_code": code, **found}
