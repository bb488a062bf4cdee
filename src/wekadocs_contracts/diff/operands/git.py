"""Contracts as they were at a git ref, copied out with plumbing; and which ref is right when none is named."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from wekadocs_contracts.diff.problems import Unreadable

from .files import read_directory
from .sides import Operand, Reading
from .snapshots import read_snapshots, snapshot_files

_RELEASE = re.compile(r"v(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_ENDINGS = (".yaml", ".yml", ".snap", ".json")
_MAX_FILES = 8000
_MAX_BYTES = 64 << 20
_FETCH = "fetch it: git fetch --unshallow --tags origin   (in GitHub Actions: actions/checkout with fetch-depth: 0)"


def _git(*arguments: str, stdin: bytes | None = None) -> bytes | None:
    """What git prints, or None where it refuses. Nothing passes through a shell; nothing is fetched or asked for."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and what callers pass is checked there
            ["git", "--no-pager", "-c", "core.quotePath=false", *arguments],  # noqa: S607 - the user's own git
            input=stdin, stdin=None if stdin is not None else subprocess.DEVNULL, capture_output=True, timeout=60,
            env={**os.environ, **quiet}, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise Unreadable("git is not installed; name a folder or a lock file instead of a git ref") from None
    except subprocess.TimeoutExpired:
        raise Unreadable("git did not answer within 60 s") from None
    return done.stdout if done.returncode == 0 else None


def _line(*arguments: str) -> str | None:
    printed = _git(*arguments)
    return None if printed is None else printed.decode("utf-8", "replace").strip()


def top_level() -> Path | None:
    try:
        found = _line("rev-parse", "--show-toplevel")
    except Unreadable:
        return None
    return Path(found) if found else None


def _commit(ref: str) -> str | None:
    if not ref or "\0" in ref:
        return None
    return _line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") or None


def read_ref(text: str, reading: Reading) -> Operand:
    """`REF` or `REF:FOLDER`; without FOLDER the folder that the other side has in this repository."""
    ref, _, folder = text.partition(":")
    top = top_level()
    if top is None:
        raise Unreadable(f"git:{text}: this is no git repository; run it inside one, or name a folder or a lock file")
    commit = _commit(ref)
    if commit is None:
        raise Unreadable(f"git:{ref}: there is no such commit here; {_FETCH}")
    inside = _in_repository(folder or reading.folder, top)
    target = Path(reading.stack.enter_context(tempfile.TemporaryDirectory(prefix="wekadocs-diff-"))) / "ref" / "tree"
    copied = _copy(commit, inside, target)
    home = target / inside
    home.mkdir(parents=True, exist_ok=True)
    release = _RELEASE.fullmatch(ref.removeprefix("refs/tags/"))
    version = ".".join(part or "0" for part in release.groups()) if release else None
    if snapshots := snapshot_files(home):
        return read_snapshots(snapshots, home, _shown(top, inside), f"git:{text}")
    note = "" if copied else f"{ref} has no contracts in {inside}"
    return Operand(f"git:{text}", "git", read_directory(home, _shown(top, inside), reading.other), version, note)


def _in_repository(folder: str, top: Path) -> str:
    path = Path(folder).resolve()
    if not path.is_relative_to(top.resolve()):
        raise Unreadable(f"{folder} is outside of the repository {top}; name the folder: git:REF:FOLDER")
    return path.relative_to(top.resolve()).as_posix()


def _shown(top: Path, inside: str) -> Path:
    """As one would write it from here, where that is possible."""
    path = top.resolve() / inside
    here = Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _copy(commit: str, inside: str, target: Path) -> int:
    """Only regular files with the endings that count, and the _shared folders above; links and submodules stay out."""
    parents = [PurePosixPath(inside), *PurePosixPath(inside).parents][:3]
    paths = [inside, *((each / "_shared").as_posix() for each in parents[1:])]
    listed = _git("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *paths)
    if listed is None:
        raise Unreadable(f"git cannot list {inside} at {commit}")
    wanted: list[tuple[str, str]] = []
    total = 0
    for row in listed.split(b"\0"):
        about, _, name = row.decode("utf-8", "surrogateescape").partition("\t")
        mode, _, digest, size = (about.split() + [""] * 4)[:4]
        if mode in ("100644", "100755") and name.endswith(_ENDINGS) and ".." not in name.split("/"):
            wanted.append((digest, name))
            total += int(size)
    if len(wanted) > _MAX_FILES or total > _MAX_BYTES:
        raise Unreadable(
            f"{inside} at {commit}: {len(wanted)} files, {total} bytes; more than a set of contracts can be"
        )
    for (_, name), content in zip(wanted, _blobs([digest for digest, _ in wanted]), strict=True):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(wanted)


def _blobs(digests: list[str]) -> list[bytes]:
    """One process for all files."""
    if not digests:
        return []
    stream = _git("cat-file", "--batch", stdin="".join(f"{digest}\n" for digest in digests).encode())
    found: list[bytes] = []
    at = 0
    while stream and at < len(stream):
        end = stream.index(b"\n", at)
        head = stream[at:end].split()
        if len(head) != 3:
            break
        size = int(head[2])
        found.append(stream[end + 1 : end + 1 + size])
        at = end + 2 + size
    if len(found) != len(digests):
        raise Unreadable(f"some files of that commit are not in this clone; {_FETCH}")
    return found


def default_base() -> str:
    """The last release tag reachable from HEAD, else the merge base with the default branch, else how to get them."""
    if top_level() is None:
        raise Unreadable(
            "this is no git repository, so there is no base to compare with; name one: contracts diff BASE [HEAD]"
        )
    tag = last_release()
    if tag is not None:
        return tag
    shallow = _line("rev-parse", "--is-shallow-repository") == "true"
    head = _commit("HEAD")
    for branch in _branches():
        base = _line("merge-base", "HEAD", branch) if _commit(branch) else None
        # In a shallow clone the tip of the only known branch is HEAD itself: comparing with it would find nothing.
        if base and not (shallow and base == head):
            return base
    if shallow:
        raise Unreadable(f"this clone is shallow: neither a release tag (v*) nor the merge base is in it; {_FETCH}")
    if head is None:
        raise Unreadable("this repository has no commit yet; to see everything as new: contracts diff null")
    raise Unreadable(
        "there is no release tag (v*) reachable from HEAD and no default branch (origin/HEAD, origin/main, main, "
        "master); "
        "get them: git fetch --tags origin   or name the base: contracts diff git:REF"
    )


def last_release() -> str | None:
    printed = _line("tag", "--list", "v*", "--merged", "HEAD")
    tags = [(match, tag) for tag in (printed or "").split() if (match := _RELEASE.fullmatch(tag))]
    return max(tags, key=lambda each: [int(part or 0) for part in each[0].groups()])[1] if tags else None


def _branches() -> list[str]:
    """Where a pull request goes to, then what is usually the default."""
    target = os.environ.get("GITHUB_BASE_REF")
    aimed = [f"refs/remotes/origin/{target}", f"refs/heads/{target}"] if target else []
    usual = ["origin/HEAD", "origin/main", "origin/master"]
    return [*aimed, *(f"refs/remotes/{name}" for name in usual), "refs/heads/main", "refs/heads/master"]
