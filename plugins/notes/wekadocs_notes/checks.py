"""For doctor: vaults that are not there, and how much is in those that are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wekadocs_mcp import Finding

if TYPE_CHECKING:
    from .state import NotesState, OpenVault


async def vaults(state: NotesState) -> list[Finding]:
    if not state.vaults:
        return [Finding("warning", "", "no vault is configured", "set plugins.notes.vault to a folder")]
    return [await asyncio.to_thread(_checked, name, vault) for name, vault in state.vaults.items()]


def _checked(name: str, vault: OpenVault) -> Finding:
    """Looked at, not read: whoever asks whether a server is ready does not wait for its first index."""
    from .vault import walk

    root = vault.kept.root
    if not root.is_dir():
        fix, told = "correct plugins.notes.vault, or mount it", f"vault {name} is not there"
        return Finding("broken", "", f"{name}: {root} is no folder", fix, told)
    seen = walk(root)
    if seen.blocked:
        return Finding(
            "warning", "", f"{name}: {len(seen.blocked)} folders cannot be looked into", "check their rights"
        )
    if seen.unnamed:
        return Finding(
            "warning",
            "",
            f"{name}: {len(seen.unnamed)} names are no UTF-8 text, such as {seen.unnamed[0]}",
            "rename them",
        )
    return Finding("ok", "", f"{name}: {len(seen.notes)} notes")
