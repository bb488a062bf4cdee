"""What the tools of this plugin share, one per process: the vaults, and the corpus that keeps what is made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import provider_error, unknown_vault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wekadocs_corpus import Corpus

    from .index import KeptVault

_ONLY = "vault"  # the name of the vault where the settings give none


@dataclass
class NotesState:
    corpus: Corpus
    settings: Mapping[str, Any]
    vaults: dict[str, KeptVault] = field(default_factory=dict)

    def vault(self, name: str | None = None) -> KeptVault:
        """By name; the first one where none is named."""
        if not self.vaults:
            raise provider_error("No vault is configured: set plugins.notes.vault to a folder in tools.yaml.")
        if name is None:
            return next(iter(self.vaults.values()))
        if name not in self.vaults:
            raise unknown_vault(name, self.vaults)
        return self.vaults[name]


def configured(settings: Mapping[str, Any]) -> dict[str, Path]:
    """The vaults by name, in the settings' order."""
    said = settings.get("vault") or {}
    named = {_ONLY: said} if isinstance(said, str) else said
    return {name: Path(folder).resolve() for name, folder in named.items()}


def opened(corpus: Corpus, settings: Mapping[str, Any]) -> NotesState:
    from .index import KeptVault
    from .vault import Vault

    state = NotesState(corpus, settings)
    for name, folder in configured(settings).items():
        state.vaults[name] = KeptVault(Vault(name, folder), corpus.truth)
    return state
