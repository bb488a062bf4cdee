"""A vault's notes in the truth and in this process, kept in step with the files.

Imported by: wekadocs_notes.
"""

from .finding import Finder, FoundNote
from .kept import KeptVault, VaultGone
from .watching import Watcher

__all__ = ["Finder", "FoundNote", "KeptVault", "VaultGone", "Watcher"]
