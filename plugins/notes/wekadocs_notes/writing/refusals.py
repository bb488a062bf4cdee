"""Why a write was refused: nothing was written, and what to do instead."""

from __future__ import annotations

from collections.abc import Sequence

from wekadocs_mcp import ToolError

_MOST_NAMED = 20


def node_exists(id: str) -> ToolError:
    message = f"{id} exists already. Choose another title or directory, or change the note that is there."
    return ToolError("NODE_EXISTS", message, {"id": id})


def node_not_found(id: str, near: str | None) -> ToolError:
    hint = f" Did you mean {near}?" if near else ""
    return ToolError("NODE_NOT_FOUND", f"No note has the id {id!r}.{hint}", {"id": id})


def stale(id: str, found: str, expected: str | None) -> ToolError:
    since = "since the hash you gave" if expected else "since you last read it"
    message = f"{id} was changed {since}. Read it again, and repeat the change with its new hash as expected_hash."
    return ToolError("STALE", message, {"id": id, "hash": found, **({"expected_hash": expected} if expected else {})})


def link_integrity(message: str, files: Sequence[str] = (), **details: object) -> ToolError:
    named = {"files": [*files[:_MOST_NAMED]], "count": len(files)} if files else {}
    return ToolError("LINK_INTEGRITY", f"{message} Nothing was changed.", {**named, **details})
