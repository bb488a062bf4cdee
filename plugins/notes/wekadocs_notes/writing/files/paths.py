"""Where a note may be written: names made from titles, and folders inside the vault on whichever system it lies."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from ...errors import invalid
from ...vault import name_key

UNTITLED = "untitled"
_MOST_BYTES = 240  # of a name; with its ending it stays below the 255 that file systems allow
_LONGEST = 1024  # of a whole path
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³")
_DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$", "clock$", *_PORTS})
_FORBIDDEN = frozenset('<>:"|?*')
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
_JOINERS = frozenset("\u200c\u200d")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})


def file_stem(title: str) -> str:
    """`Meeting Notes: March` → meeting-notes-march; letters of every script stay, and what has none is untitled."""
    _refuse_as_title(title)
    kept = "".join(letter if _stays(letter) else "" for letter in unicodedata.normalize("NFC", title).lower())
    stem = _cut(re.sub(r"-{2,}", "-", re.sub(r"\s+", "-", kept.strip()))).strip("-") or UNTITLED
    if why := _fault(stem):
        raise invalid(f"title: a file cannot be called {stem!r}: {why}. Choose another title.", path="/title")
    return stem


def _stays(letter: str) -> bool:
    return letter == "-" or letter.isspace() or unicodedata.category(letter)[0] in "LMN"


def _cut(stem: str) -> str:
    """To what a file may be called, between characters."""
    while len(stem.encode()) > _MOST_BYTES:
        stem = stem[: -max(1, (len(stem.encode()) - _MOST_BYTES) // 4)]
        while stem and unicodedata.combining(stem[-1]):
            stem = stem[:-1]
    return stem


def _refuse_as_title(title: str) -> None:
    if not title.strip():
        raise invalid("title: it is blank. Say what the note is called.", path="/title")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Cn", "Zl", "Zp") for letter in title):
        raise invalid("title: it has control characters or line ends. Write it as one plain line.", path="/title")
    parts = re.split(r"[/\\]", title)
    if ".." in parts or not parts[0] or (_DRIVE.match(title) and len(parts) > 1):
        message = "title: it reads like a path that leads elsewhere. A title is words; say the folder in directory."
        raise invalid(message, path="/title")


def folder(root: Path, directory: str | None, argument: str = "directory") -> str:
    """`notes/drafts` → notes/drafts/, spelled as the folders that are there already; "" is the vault itself."""
    written = (directory or "").replace("\\", "/").removesuffix("/")
    if written in ("", ".") and not (directory or "").startswith(("/", "\\")):
        return ""
    refuse_outside(written, argument)
    place, made = root, ""
    for part in written.split("/"):
        there = _there(place, part)
        if not (place / there).is_dir() and (why := _fault(part)):
            raise _refused(argument, f"{part[:80]!r}: {why}")
        if (place / there).is_symlink() or ((place / there).exists() and not (place / there).is_dir()):
            raise _refused(argument, f"{made}{there} is no folder of the vault")
        place, made = place / there, f"{made}{there}/"
    return made


def refuse_outside(path: str, argument: str) -> None:
    """A path that a caller wrote, be there anything or not."""
    if len(path) > _LONGEST:
        raise _refused(argument, f"it is longer than {_LONGEST} characters")
    if path.startswith(("/", "\\")) or _DRIVE.match(path):
        raise _refused(argument, "it is absolute; paths are relative to the vault")
    if why := leads_out(path.replace("\\", "/")):
        raise _refused(argument, why)


def leads_out(path: str) -> str:
    """Why this is no place inside the vault; "" where it is one, whatever it is called."""
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "it leads elsewhere or nowhere"
    if any(part.startswith(".") or part == "node_modules" for part in parts):
        return "hidden folders are no part of the vault"
    if any(unicodedata.category(letter) in _HIDDEN and letter not in _JOINERS for letter in path):
        return "it has control or invisible characters"
    return "a name in it is too long" if any(len(part.encode("utf-8", "replace")) > 255 for part in parts) else ""


def _refused(argument: str, why: str) -> Exception:
    return invalid(f"{argument}: this path cannot be used ({why}). Name a place inside the vault.", path=f"/{argument}")


def _fault(part: str) -> str:
    """Why no new file or folder of a vault may be called so; "" where it may, on every system."""
    if why := leads_out(part):
        return why
    if _FORBIDDEN & set(part):
        return f"none of {' '.join(sorted(_FORBIDDEN))} may be in it"
    if part[-1] in ". " or part[0] == " ":
        return "it begins or ends with a space or ends with a dot"
    if part.partition(".")[0].strip().lower() in _DEVICES:
        return "it is the name of a device"
    return ""


def _there(place: Path, part: str) -> str:
    """As it is spelled on the disk: the exact name, else one that differs in case or composition only."""
    try:
        names = sorted(each.name for each in place.iterdir())
    except OSError:
        return part
    alike = [name for name in names if name_key(name) == name_key(part)]
    return part if part in alike or not alike else alike[0]


def taken(root: Path, id: str) -> str | None:
    """What lies at this path, in any case."""
    parent, _, name = id.rpartition("/")
    there = _there(root / parent, name)
    path = root / parent / there
    return f"{parent}/{there}".lstrip("/") if path.exists() or path.is_symlink() else None
