"""A vault as it lies on the disk: which notes there are, what each says of itself, what its links mean.

Imported by: wekadocs_notes.
"""

from .model import Ghost, Known, Link, Note, Resolved, ghost_id, name_key
from .reading import Unreadable, note_hash, read_content, read_note
from .vault import LinkFault, Vault
from .walking import Seen, walk

__all__ = [
    "Ghost",
    "Known",
    "Link",
    "LinkFault",
    "Note",
    "Resolved",
    "Seen",
    "Unreadable",
    "Vault",
    "ghost_id",
    "name_key",
    "note_hash",
    "read_content",
    "read_note",
    "walk",
]
