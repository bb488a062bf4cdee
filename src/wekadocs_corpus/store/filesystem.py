"""Where a data directory must not be, on a network file system, where SQLite's locks and shared memory do not hold; and
how full its disk may be.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from wekadocs_corpus.store.errors import NoRoom, Refused

_NETWORK = {
    *(
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "afs",
        "ncpfs",
        "9p",
        "drvfs",
        "ceph",
        "lustre",
        "glusterfs",
    ),
    *("beegfs", "gfs2", "ocfs2", "orangefs", "pvfs2", "webdav", "davfs", "afpfs", "macfuse"),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "fuse.davfs2", "fuse.cephfs", "fuse.smbnetfs"),
}


SPARE = 128 << 20  # bytes that stay free: the database and others need some too


def refuse_full(folder: Path, needed: int) -> None:
    """Raise before anything is written that would fill the disk."""
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE:
        raise NoRoom(f"{free >> 20:,} MB are free on its disk, it needs {(needed + SPARE) >> 20:,}")


def refuse_network(folder: Path) -> None:
    """Raise where the folder is, or would be made, on a network file system."""
    kind = network_kind(folder)
    if kind:
        raise Refused(
            f"{folder}: is on a network file system ({kind}), where several processes would damage the index. "
            "Choose a local folder with --data or WEKADOCS_DATA; to share one index between machines, "
            "configure a Qdrant server (plugins.corpus.qdrant.url)."
        )


def network_kind(folder: Path) -> str:
    """The network file system's name, "" for a local or unknown one."""
    if sys.platform == "win32":
        return "a network share" if str(folder.absolute()).startswith(("\\\\", "//")) else ""
    kind = mounted(_existing(folder), _mounts())
    return kind if kind in _NETWORK else ""


def mounted(folder: Path, mountinfo: str) -> str:
    """The kind of file system that holds the folder, from the text of /proc/self/mountinfo."""
    best, kind = "", ""
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = fields[4].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
        # The later line wins: it is mounted over the earlier one.
        if folder.is_relative_to(point) and len(point) >= len(best):
            best, kind = point, _kind(after)
    return kind


def _kind(after: str) -> str:
    """9p is how sandboxes show local disks, and how WSL shows Windows drives, which lock unreliably."""
    kind = after.split(" ", 1)[0]
    return "drvfs" if kind == "9p" and "drvfs" in after else kind


def _existing(folder: Path) -> Path:
    """The nearest parent that is there already, links followed."""
    resolved = folder.resolve()
    return next(each for each in (resolved, *resolved.parents) if each.exists())


def _mounts() -> str:
    try:
        return Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:  # macOS and others: unknown, so allowed
        return ""
