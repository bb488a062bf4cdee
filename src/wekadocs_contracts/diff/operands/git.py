"""Contracts as they were at a git ref, copied out with plumbing; and which ref is right when none is named."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from wekadocs_contracts.diff.problems import Unreadable
from wekadocs_contracts.format import contracts

from .files import read_directory
from .sides import Operand, Reading
from .snapshots import read_snapshots, snapshot_files

_RELEASE = re.compile(r"v(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_CONTRACT = re.compile(r"(.*/)?[^/._][^/]*\.v[0-9]+\.ya?ml")
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


def commit_of(ref: str) -> str | None:
    """None where this is no repository, or has no such commit."""
    try:
        return _commit(ref)
    except Unreadable:
        return None


def folders_of_contracts() -> list[str]:
    """Of the working tree, as one would write them from here; what git ignores is left out."""
    try:
        printed = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard") or b""
    except Unreadable:
        return []
    return sorted(_homes_of(name for name in printed.decode("utf-8", "surrogateescape").split("\0") if name))


def _commit(ref: str) -> str | None:
    if not ref or "\0" in ref:
        return None
    return _line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") or None


def read_ref(text: str, reading: Reading) -> Operand:
    """`REF` or `REF:FOLDER`; without FOLDER the folder that the other side has in this repository."""
    ref, _, folder = text.partition(":")
    if not ref:
        raise Unreadable("git: needs a ref, such as git:v1.0.0 or git:origin/main")
    top = top_level()
    if top is None:
        raise Unreadable(f"git:{text}: this is no git repository; run it inside one, or name a folder or a lock file")
    commit = _commit(ref)
    if commit is None:
        raise Unreadable(f"git:{ref}: there is no such commit here; {_FETCH}")
    inside, moved = _found(commit, ref, folder, reading, top)
    target = Path(reading.stack.enter_context(tempfile.TemporaryDirectory(prefix="wekadocs-diff-"))) / "ref" / "tree"
    _copy(commit, inside, target)
    home = target / inside
    home.mkdir(parents=True, exist_ok=True)
    release = _RELEASE.fullmatch(ref.removeprefix("refs/tags/"))
    version = ".".join(part or "0" for part in release.groups()[:3]) + (release[4] or "") if release else None
    if snapshots := snapshot_files(home):
        return read_snapshots(snapshots, home, _shown(top, inside), f"git:{text}")
    return Operand(f"git:{text}", "git", read_directory(home, _shown(top, inside), reading.other), version, moved)


def _found(commit: str, ref: str, folder: str, reading: Reading, top: Path) -> tuple[str, str]:
    """Where the contracts stand at that commit, and what is to be told of it: a folder may have been moved since."""
    inside = _in_repository(folder or reading.folder, top)
    if _listed(commit, inside):
        return inside, ""
    homes = _homes(commit)
    if not folder and not homes and not (top / inside).is_file():
        return inside, f"git:{ref} has no contracts anywhere: all of them are new"
    named = {path.name for path in contracts.contract_files(top / inside)} if not folder else set()
    alike = [home for home, names in homes.items() if names & named]
    if len(alike) == 1:
        return alike[0], f"the contracts of {inside} stood in {alike[0]}"
    known = " or ".join(f"git:{ref}:{home}" for home in sorted(homes)[:5])
    way_out = f"there it has them elsewhere: {known}" if known else "to see everything as new: contracts diff null"
    raise Unreadable(f"git:{ref} has neither contracts nor snapshots in {inside}; {way_out}")


def _listed(commit: str, inside: str) -> list[str]:
    """Contracts and snapshots there; what begins with _ or . is neither."""
    printed = _git("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", inside) or b""
    names = printed.decode("utf-8", "surrogateescape").split("\0")
    below = [PurePosixPath(name).relative_to(inside).parts for name in names if name.endswith(_ENDINGS)]
    return ["/".join(parts) for parts in below if parts and not any(part[0] in "_." for part in parts)]


def _homes(commit: str) -> dict[str, set[str]]:
    """The topmost folders with contracts at a commit, and how their files are called."""
    printed = _git("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit) or b""
    return _homes_of(printed.decode("utf-8", "surrogateescape").split("\0"))


def _homes_of(names: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in names:
        path = PurePosixPath(name)
        if _CONTRACT.fullmatch(name) and not any(part[0] in "_." for part in path.parts):
            home = next((each for each in path.parents if each.name == "contracts"), path.parent)
            found.setdefault(home.as_posix(), set()).add(path.name)
    return found


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


def default_base(*, by_release: bool = True) -> str:
    """The last release tag reachable from HEAD, else the merge base with the default branch, else how to get them."""
    if top_level() is None:
        raise Unreadable(
            "this is no git repository, so there is no base to compare with; name one: contracts diff BASE [HEAD]"
        )
    tag = last_release() if by_release else None
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
    full = [each for each in tags if not each[0][4]]  # what is not released yet is nobody's base
    return max(full, key=lambda each: [int(part or 0) for part in each[0].groups()[:3]])[1] if full else None


def _branches() -> list[str]:
    """Where a pull request goes to, then what is usually the default."""
    target = os.environ.get("GITHUB_BASE_REF")
    aimed = [f"refs/remotes/origin/{target}", f"refs/heads/{target}"] if target else []
    usual = ["origin/HEAD", "origin/main", "origin/master"]
    return [*aimed, *(f"refs/remotes/{name}" for name in usual), "refs/heads/main", "refs/heads/master"]
