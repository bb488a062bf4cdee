"""A vault's notes in the truth and in this process, kept in step with the files.

Imported by: wekadocs_notes.
"""

from .kept import KeptVault, Warned
from .tables import MIGRATIONS, NoteRows

__all__ = ["MIGRATIONS", "KeptVault", "NoteRows", "Warned"]
