"""A repository at a Git address: its newest state fetched alone, kept, and brought up to date the next time."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.ingest.sources.checkout import git_dates
from wekadocs_corpus.ingest.sources.scan import Root
from wekadocs_corpus.model import digest
from wekadocs_corpus.sites import Page, Site

from .address import GitAddress, git_address, is_git_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wekadocs_corpus.ingest.sources.origin import Origin

__all__ = ["is_git_address", "repository"]

_SECONDS = 900
# Nothing of the repository is run: no hooks, no submodules, no filters, no other way of fetching.
_SAFE = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "submodule.recurse=false",
    "protocol.ext.allow=never",
    "fetch.recurseSubmodules=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "advice.detachedHead=false",
    "gc.auto=0",
)


class CannotFetch(CorpusError):
    """The message goes to whoever named the repository."""


@dataclass(frozen=True)
class Repository(Root):
    """Its files, where citations lead to the page, else to where its host shows them."""

    web: str = ""
    address: str = ""  # with its folder, without a name or password
    commit: str = ""

    @property
    def shared_as(self) -> str:
        """Not the folder: each machine has a clone of its own."""
        return self.address

    @property
    def state(self) -> str:
        return self.commit

    def pages(self, origins: Sequence[Origin], site_url: str) -> Sequence[Page]:
        found = super().pages(origins, site_url)
        if not self.web or self.checkout is None:
            return found
        shown = Site(folder=self.checkout.as_posix(), url=self.web)
        return [
            page if page.site.generator or page.site.url else Page(shown, origin.locator)
            for page, origin in zip(found, origins, strict=True)
        ]


def repository(text: str, data_dir: Path, *, fetch: bool = True) -> Repository:
    """The folder of an address, at its newest; without `fetch` where it was kept."""
    address = git_address(text)
    kept = (data_dir / "sources" / digest(address.shown, address.ref)[:20]).resolve()
    kept = kept / (address.shown.rstrip("/").removesuffix(".git").rpartition("/")[2] or "repository")
    if fetch:
        _bring(address, kept)
        git_dates.cache_clear()
    folder = (kept / address.folder).resolve()
    if folder != kept and kept not in folder.parents:
        raise CannotFetch(f"{text}: {address.folder} leads out of the repository")
    if fetch and not folder.exists():
        raise CannotFetch(f"{text}: there is no {address.folder} in it")
    shown = f"git+{address.shown}@{address.ref}#{address.folder}"
    commit = _commit(kept) if fetch else ""
    return Repository(folder, folder.is_file(), kept, web=address.web, address=shown, commit=commit)


def _commit(kept: Path) -> str:
    command = ["git", "-C", str(kept), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False).stdout.strip()  # noqa: S603


def _bring(address: GitAddress, kept: Path) -> None:
    if shutil.which("git") is None:
        raise CannotFetch("a Git address needs the program git, which is not installed")
    if not (kept / ".git").is_dir():
        kept.mkdir(parents=True, exist_ok=True)
        _git(address, kept, "init", "--quiet", "--template=", ".")
        _git(address, kept, "config", "remote.origin.url", address.shown)
    wanted = address.ref or "HEAD"
    _git(
        address,
        kept,
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--",
        address.url,
        wanted,
    )
    _git(address, kept, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    _git(address, kept, "clean", "--quiet", "-ffdx")


def _git(address: GitAddress, kept: Path, *arguments: str) -> None:
    settings = [word for each in _SAFE for word in ("-c", each)]
    environment = {
        **{
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_DIR", "GIT_WORK", "GIT_INDEX"))
        },
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "https:http:ssh:file",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_SSH_COMMAND": os.environ.get("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
    }
    try:
        done = subprocess.run(  # noqa: S603 (its parts are checked)
            ["git", *settings, "-C", str(kept), *arguments],  # noqa: S607
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CannotFetch(f"{address.shown}: it did not come within {_SECONDS} s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").replace(address.url, address.shown).strip().splitlines()
        raise CannotFetch(f"{address.shown}: git says: {said[-1] if said else done.returncode}")
