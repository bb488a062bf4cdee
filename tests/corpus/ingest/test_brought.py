"""Sources that are brought here first: a Git address, an archive."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from wekadocs_corpus import CorpusError, LeftOut, Stamp, repository, unpacked
from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.ingest.planning import plan
from wekadocs_corpus.ingest.sharing import job_of


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.email=ada@example.com", "-c", "user.name=Ada", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    """A bare repository with a tag, a submodule, a link out of it, and hooks that would leave a mark."""
    work, bare = tmp_path / "work", tmp_path / "handbook.git"
    (work / "docs").mkdir(parents=True)
    (work / "docs" / "mount.md").write_text("# Mount\n\nRun `stor mount`.\n")
    (work / "docs" / "same.md").write_text("# Same\n")
    (work / "docs" / "out.md").symlink_to("/etc/passwd")
    (work / "README.md").write_text("# Readme\n")
    git(work, "init", "-q", "-b", "main", ".")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "one")
    git(work, "tag", "v1")
    git(work, "submodule", "--quiet", "add", str(work), "inner")
    git(work, "commit", "-qm", "two")
    git(tmp_path, "clone", "-q", "--bare", str(work), str(bare))
    for name in ("post-checkout", "post-update"):
        hook = bare / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/HOOK\n")
        hook.chmod(0o755)
    return bare


def paths(root: object) -> list[str]:
    return [each.path for each in root.origins(LeftOut())]  # type: ignore[attr-defined]


def test_a_git_address_is_its_ref_and_folder_and_runs_nothing(handbook: Path, tmp_path: Path) -> None:
    whole = repository(f"git+{handbook.as_uri()}", tmp_path / "data")
    assert paths(whole) == ["README.md", "docs/mount.md", "docs/same.md"]
    assert (whole.repository, list((whole.path / "inner").iterdir())) == ("handbook", [])
    part = repository(f"git+{handbook.as_uri()}@v1#docs", tmp_path / "data")
    assert paths(part) == ["mount.md", "same.md"]
    assert not (tmp_path / "HOOK").exists()
    assert (part.path.parent / ".git" / "shallow").exists()


def test_another_machine_s_clone_of_the_same_commit_is_known_as_the_same(handbook: Path, tmp_path: Path) -> None:
    address = f"git+{handbook.as_uri()}@main#docs"
    stamp, truth = Stamp("p", "prod"), open_truth(tmp_path / "truth")

    def marks() -> dict[str, str]:
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        source = repository(address, tmp_path / "data")
        for number, origin in enumerate(source.origins(LeftOut())):
            os.utime(source.path / origin.path, (number, number + len(seen)))
        job = job_of([source], stamp, plan(truth, [source], stamp, 10_000))
        assert job is not None
        assert job.sources == (f"git+{handbook.as_uri()}@main#docs",)
        seen.append(dict(job.marks))
        return seen[-1]

    seen: list[dict[str, str]] = []
    assert marks() == marks()
    work = tmp_path / "work"
    (work / "docs" / "same.md").write_text("# Another\n")
    git(work, "commit", "-qam", "three")
    git(work, "push", "-q", str(handbook), "main")
    assert not set(marks().values()) & set(seen[0].values())
    truth.close()


def test_the_next_time_only_what_changed_is_written(handbook: Path, tmp_path: Path) -> None:
    address = f"git+{handbook.as_uri()}@main#docs"
    folder = repository(address, tmp_path / "data").path
    before = (folder / "same.md").stat().st_mtime_ns
    (tmp_path / "work" / "docs" / "mount.md").write_text("# Mount\n\nAnother.\n")
    git(tmp_path / "work", "commit", "-qam", "three")
    git(tmp_path / "work", "push", "-q", str(handbook), "main")
    assert repository(address, tmp_path / "data").path == folder
    assert "Another" in (folder / "mount.md").read_text()
    assert (folder / "same.md").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "address",
    [
        "git+ext::sh -c true",
        "git+ssh://-oProxyCommand=true/x",
        "git+https://host/-x",
        "git+https://-host/x",
        "git+https://ho st/x",
        "git+file:///x@--upload-pack=true",
        "git+file:///x@a..b",
        "git+file:///x#../..",
        "git+file:///x#a/.git",
        "git+file:///x\n@main",
        "git+ftp://host/x",
    ],
)
def test_an_address_that_could_be_anything_else_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        repository(address, tmp_path)
    assert list(tmp_path.iterdir()) == []


def packed(file: Path, members: dict[str, bytes]) -> Path:
    if file.suffix == ".zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        return file
    with tarfile.open(file, "w:gz") as tar:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), 1_700_000_000
            tar.addfile(entry, io.BytesIO(data))
        link = tarfile.TarInfo("docs/link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    return file


@pytest.mark.parametrize("name", ["m.zip", "m.tar.gz"])
def test_an_archive_is_read_as_the_folder_in_it(name: str, tmp_path: Path) -> None:
    file = packed(tmp_path / name, {"docs/a.md": b"# A\n", "docs/b.md": b"# B\n"})
    first = {each.path: each.version for each in unpacked(str(file), tmp_path / "data").origins(LeftOut())}
    assert list(first) == ["docs/a.md", "docs/b.md"]
    packed(file, {"docs/a.md": b"# A\n", "docs/c.md": b"# C\n"})
    again = {each.path: each.version for each in unpacked(str(file), tmp_path / "data").origins(LeftOut())}
    assert list(again) == ["docs/a.md", "docs/c.md"]
    if name == "m.tar.gz":
        assert again["docs/a.md"] == first["docs/a.md"]


@pytest.mark.parametrize("name", ["m.zip", "m.tar.gz"])
@pytest.mark.parametrize("member", ["../out.md", "/out.md", "a/../../out.md", "C:\\out.md"])
def test_an_archive_that_leads_out_of_itself_is_refused(name: str, member: str, tmp_path: Path) -> None:
    file = packed(tmp_path / name, {"a.md": b"# A\n", member: b"x"})
    with pytest.raises(CorpusError, match="leads out of it"):
        unpacked(str(file), tmp_path / "data")
    assert not list(tmp_path.rglob("out.md"))


def test_an_archive_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path) -> None:
    file = packed(tmp_path / "m.zip", {"bomb.md": bytes(80 << 20)})
    with pytest.raises(CorpusError, match="far more than its size"):
        unpacked(str(file), tmp_path / "data")
    (tmp_path / "broken.zip").write_bytes(b"PK\3\4 no archive")
    with pytest.raises(CorpusError, match="cannot be unpacked"):
        unpacked(str(tmp_path / "broken.zip"), tmp_path / "data")
