"""What `install` does: read the client's file, change our entry in its text, see that nothing else changed, write."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from wekadocs_contracts.problems import Problem, StartError
from wekadocs_text import one_line

from . import json_text, toml_text, yaml_text
from .clients import Client, Entry

_FORMS: dict[str, ModuleType] = {"json": json_text, "toml": toml_text, "yaml": yaml_text}
_MAX_BYTES = 64 << 20
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_ADDRESSES = ("url", "serverUrl", "httpUrl", "uri")


@dataclass(frozen=True)
class Server:
    """What the client is to start."""

    name: str
    command: str
    arguments: list[str]

    def entry(self, client: Client) -> Entry:
        return client.entry(self.name, self.command, self.arguments)

    def snippet(self, client: Client) -> str:
        text: str = _FORMS[client.form].snippet(client.place, self.name, self.entry(client))
        return text


@dataclass(frozen=True)
class Installed:
    file: Path
    changed: bool
    backup: Path | None


def our_command() -> str:
    """The whole path of this program: an application started from a menu has no search path of a shell."""
    name = "wekadocs-mcp.exe" if sys.platform == "win32" else "wekadocs-mcp"
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if (folder / name).is_file():
            return str(folder / name)
    return shutil.which(name) or name


def install(client: Client, file: Path, server: Server) -> Installed:
    by_hand = f"put this into it by hand:\n{server.snippet(client)}"
    text = _read(client, file, by_hand)
    form = _FORMS[client.form]
    try:
        before = _servers(client, form.parsed(text) if text.strip() else {}, server.name)
        if any(before.get(server.name, {}).get(each) for each in _ADDRESSES):
            raise ValueError(f"`{server.name}` is reached by its address there already; take it out, or choose --name")
        new = form.with_entry(text, client.place, server.name, server.entry(client))
        wanted = {**before, server.name: {**before.get(server.name, {}), **server.entry(client)}}
        _same_but_for(client, form, text, new, wanted)
    except (ValueError, RecursionError, KeyError, IndexError) as error:
        raise _refused(file, str(error), by_hand) from None
    return _write(file, text, new)


def uninstall(client: Client, file: Path, server: Server) -> Installed:
    if not file.is_file():
        return Installed(file, changed=False, backup=None)
    by_hand = f"take `{server.name}` out by hand"
    text = _read(client, file, by_hand)
    form = _FORMS[client.form]
    try:
        before = _servers(client, form.parsed(text) if text.strip() else {}, server.name)
        if server.name not in before:
            return Installed(file, changed=False, backup=None)
        new = form.without(text, client.place, server.name)
        _same_but_for(client, form, text, new, {name: each for name, each in before.items() if name != server.name})
    except (ValueError, RecursionError, KeyError, IndexError) as error:
        raise _refused(file, str(error), by_hand) from None
    return _write(file, text, new)


def _servers(client: Client, data: Any, name: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError("it does not look like the client's file")
    found = data.get(client.place) or {}
    if not isinstance(found, dict) or not isinstance(found.get(name, {}), dict):
        raise ValueError(f"`{client.place}` in it is not what the client's documentation says")
    return found


def _same_but_for(client: Client, form: ModuleType, old: str, new: str, servers: dict[str, Any]) -> None:
    """Nothing is written whose meaning was not seen to be the old one with our entry changed."""
    before = form.parsed(old) if old.strip() else {}
    after = form.parsed(new) if new.strip() else {}
    rest = {key: value for key, value in before.items() if key != client.place}
    if (after.get(client.place) or {}) != servers or rest != {k: v for k, v in after.items() if k != client.place}:
        raise ValueError("it is written in a way that could not be changed safely")


def _read(client: Client, file: Path, by_hand: str) -> str:
    try:
        if not os.path.lexists(file) and client.may_be_made:
            return ""
        if why := _unfit(file):
            raise _refused(file, why, by_hand)
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if file.is_symlink() and client.may_be_made:
            return ""  # where the link leads it is made
        raise _refused(file, "there is no such file; --file names another", by_hand) from None
    except OSError as error:
        raise _refused(file, f"it cannot be read: {error.strerror}; --file names another", by_hand) from None
    except UnicodeDecodeError:
        raise _refused(file, "it is not UTF-8", by_hand) from None


def _unfit(file: Path) -> str:
    """Why it is not changed whatever it says."""
    found = file.stat()
    if not stat.S_ISREG(found.st_mode):
        return "it is no file; --file names another"
    if not found.st_mode & _WRITABLE:  # by mode: who is root may write it all the same
        return "it is read-only"
    return "it is too large to be a configuration file" if found.st_size > _MAX_BYTES else ""


def _refused(file: Path, why: str, by_hand: str) -> StartError:
    return StartError([f"{one_line(f'{file}: left as it is: {why}')}\n  fix: {by_hand}"])


def _write(file: Path, old: str, new: str) -> Installed:
    """The old one is kept beside it; the new one is there whole or not at all. A link stays a link."""
    if new == old:
        return Installed(file, changed=False, backup=None)
    real = file.resolve()
    try:
        backup = _kept(real) if real.exists() else None
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(new.encode("utf-8"))
            if backup is not None:
                shutil.copymode(real, temporary)
            Path(temporary).replace(real)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        problem = Problem(str(file), f"it cannot be written: {error.strerror}", "use --print and put it in by hand")
        raise StartError([problem]) from None
    return Installed(file, changed=True, backup=backup)


def _kept(file: Path) -> Path:
    names: Sequence[str] = [f"{file.name}.bak", *(f"{file.name}.bak{number}" for number in range(2, 1000))]
    backup = next(path for name in names if not (path := file.with_name(name)).exists())
    return Path(shutil.copy2(file, backup))
