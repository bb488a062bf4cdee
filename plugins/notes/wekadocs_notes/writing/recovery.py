"""What a server that was killed had begun: ended by the next one that looks at the vault."""

from __future__ import annotations

from pathlib import Path

from wekadocs_mcp import ToolError

from .files.disk import Disk
from .files.journal import Journal
from .texts.retargeting import with_targets


def end_interrupted(root: Path) -> list[str]:
    """The ids of files that may be other than before; none where nothing was left, or its server is alive."""
    disk = Disk(root)
    journal = Journal(disk, with_targets)
    if not journal.is_left():
        return []
    try:
        with disk.locked(0):
            return journal.recover()
    except ToolError:
        return []
