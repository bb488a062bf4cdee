"""`git+https://host/repo@ref#folder`: read strictly, since its parts become arguments of a program."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from wekadocs_corpus.errors import CorpusError

_PREFIX, _SCHEMES = "git+", ("https", "http", "ssh", "file")
_REF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+-]{0,199}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.~%:-]*")
_PATH = re.compile(r"/[A-Za-z0-9_.~%+,=()/ -]*")
_WAY = "git+https://host/owner/repository@ref#folder (@ref and #folder may be left out)"


class WrongAddress(CorpusError):
    """The message goes to whoever typed it."""


class GitAddress(NamedTuple):
    url: str  # as Git is given it
    ref: str  # "" = what the repository's HEAD is
    folder: str  # "" = all of it

    @property
    def shown(self) -> str:
        """Without a name and password that stand in it."""
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def web(self) -> str:
        """Where the files of that ref are shown to people; "" where that is not known."""
        parts = urlsplit(self.shown.removesuffix(".git"))
        if parts.hostname == "github.com" and self.ref:
            return f"https://github.com{parts.path}/blob/{self.ref}/"
        if parts.hostname == "gitlab.com" and self.ref:
            return f"https://gitlab.com{parts.path}/-/blob/{self.ref}/"
        return ""


def is_git_address(path: str) -> bool:
    return path.startswith(_PREFIX)


def git_address(text: str) -> GitAddress:
    rest, _, folder = text.removeprefix(_PREFIX).partition("#")
    scheme, between, rest = rest.partition("://")
    if not between or scheme not in _SCHEMES:
        raise WrongAddress(f"{text}: {', '.join(f'git+{each}://' for each in _SCHEMES)} are taken, as in {_WAY}")
    authority, slash, path = rest.partition("/")
    path, at, ref = path.partition("@")
    _check_authority(text, scheme, authority)
    if not slash or not _PATH.fullmatch(f"/{path}") or "/-" in f"/{path}":
        raise WrongAddress(f"{text}: this is no path of a repository; the form is {_WAY}")
    if at and (not _REF.fullmatch(ref) or ".." in ref or "//" in ref or ref.endswith((".", "/", ".lock"))):
        raise WrongAddress(f"{text}: this is no branch, tag or commit: {ref}")
    return GitAddress(f"{scheme}://{authority}/{path}", ref, _folder(text, folder))


def _check_authority(text: str, scheme: str, authority: str) -> None:
    user, at, place = authority.rpartition("@")
    host, colon, port = place.partition(":") if not place.startswith("[") else (place, "", "")
    if scheme == "file" and not authority:
        return
    if not _HOST.fullmatch(host) or (colon and not port.isdecimal()) or (at and not _USER.fullmatch(user)):
        raise WrongAddress(f"{text}: this is no host; the form is {_WAY}")


def _folder(text: str, folder: str) -> str:
    folder = unquote(folder).strip("/")
    parts = PurePosixPath(folder).parts
    if ".." in parts or ".git" in parts or any(ord(sign) < 32 for sign in folder):
        raise WrongAddress(f"{text}: the folder leads out of the repository")
    return folder
