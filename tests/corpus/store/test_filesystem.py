"""A data directory on a network file system is refused with the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from wekadocs_corpus.store import filesystem
from wekadocs_corpus.store.errors import Refused
from wekadocs_corpus.store.filesystem import mounted
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:40 / /mnt/share rw,relatime shared:2 - nfs4 server:/export rw,vers=4.2
31 22 0:41 / /mnt/share/local\\040disk rw - ext4 /dev/sdb1 rw
32 22 0:42 / /mnt/c rw,noatime - 9p C:\\134 rw,aname=drvfs;path=C:\\134,trans=fd
33 22 0:43 / /sandbox rw - 9p none rw,trans=fd
34 22 0:44 / /home/me/remote rw - fuse.sshfs me@host: rw
a line that is nothing
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/me/data", "ext4"),
        ("/mnt/share/data", "nfs4"),
        ("/mnt/shared", "ext4"),
        ("/mnt/share/local disk/x", "ext4"),
        ("/mnt/c/Users", "drvfs"),
        ("/sandbox/data", "9p"),
        ("/home/me/remote/x", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_folder_is_that_of_the_nearest_mount(folder: str, kind: str) -> None:
    assert mounted(Path(folder), MOUNTS) == kind


def test_a_network_file_system_is_refused_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem, "_mounts", lambda: f"1 0 0:1 / {tmp_path} rw - cifs //server/share rw\n")
    with pytest.raises(Refused, match=r"network file system \(cifs\).*--data.*Qdrant server"):
        SqliteTruth(tmp_path / "not" / "yet" / "there")
    assert not (tmp_path / "not").exists()


def test_a_local_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem, "_mounts", lambda: "")
    SqliteTruth(tmp_path / "data").close()
