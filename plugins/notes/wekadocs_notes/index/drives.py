"""Which kind of drive a folder is on: on some no event tells what others change there."""

from __future__ import annotations

import os
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "fuse",
    "afs",
    "ceph",
    "glusterfs",
    "lustre",
    "drvfs",
    "vboxsf",
    "prl_fs",
    "virtiofs",
)
_LOCAL_FUSE = ("fuseblk", "fuse.portal")


def tells_events(folder: Path) -> bool:
    """Whether a change by anybody shows as an event; assumed where the system does not say what it has mounted."""
    kind = kind_of(folder)
    return kind.startswith(_LOCAL_FUSE) or not kind.startswith(_REMOTE)


def kind_of(folder: Path, mounts: Path = _MOUNTS) -> str:
    """The file system's name, such as ext4; "" where nobody knows."""
    try:
        lines = mounts.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    place, best, kind = os.path.realpath(folder), "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, there = before.split(), after.split()
        if len(fields) < 5 or not there:
            continue
        at = fields[4].replace("\\040", " ").rstrip("/")
        if (place == at or place.startswith(f"{at}/")) and len(at) >= len(best):
            best, kind = at, there[0]
    return kind
