"""Compiled files in the user's cache folder: keyed by content, written atomically, always optional.

Two processes that start at once write the same bytes under the same name; a folder that cannot be written is no cache.
Only plain data is kept here, never code. Imported by the fast door, so nothing heavy is.
"""

import json
import os
import sys

from wekadocs_mcp import __version__

_PACKAGE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def folder() -> str | None:
    """The user's cache folder for this program, or None where there is no home to put it in."""
    explicit = os.environ.get("WEKADOCS_CACHE")
    if explicit:
        return explicit
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "wekadocs-mcp") if base and not base.startswith("~") else None


def digest(*parts: bytes) -> str:
    import _blake2  # hashlib's own module costs 3 ms more, because it asks OpenSSL first

    state = _blake2.blake2b(digest_size=20)
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return str(state.hexdigest())


def tree_bytes(root: str, suffixes: tuple[str, ...]) -> list[bytes]:
    """Names and contents of all files below a folder, in order: what a change of any of them changes."""
    parts: list[bytes] = []
    try:
        entries = sorted(os.scandir(root), key=lambda entry: entry.name)
    except NotADirectoryError:
        return file_bytes(root)
    except OSError as error:
        return [os.fsencode(root), type(error).__name__.encode()]
    for entry in entries:
        if entry.name[0] == "." or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            parts += tree_bytes(entry.path, suffixes)
        elif entry.name.endswith(suffixes):
            parts += file_bytes(entry.path)
    return parts


def file_bytes(path: str) -> list[bytes]:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError as error:
        return [os.fsencode(path), type(error).__name__.encode()]
    try:
        chunks = []
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
    finally:
        os.close(descriptor)
    return [os.fsencode(path), b"".join(chunks)]


def read(name: str) -> bytes | None:
    base = folder()
    if base is None:
        return None
    try:
        with open(os.path.join(base, name), "rb") as file:
            return _unsealed(file.read()) if name.endswith(".json") else file.read()
    except OSError:
        return None


def _sealed(content: bytes) -> bytes:
    return digest(content).encode() + b"\n" + content


def _unsealed(raw: bytes) -> bytes | None:
    """The content if it is what was written: a disk that lies, or an editor, must not decide what is served."""
    _, _, content = raw.partition(b"\n")
    return content if raw == _sealed(content) else None


def write(name: str, content: bytes) -> bool:
    """Whether it was kept. A reader sees the old bytes or the new ones, never half of them."""
    base = folder()
    if base is None:
        return False
    path = os.path.join(base, name)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(_sealed(content) if name.endswith(".json") else content)
        os.replace(temporary, path)
    except OSError:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        return False
    return True


def drop(name: str) -> None:
    base = folder()
    if base is not None:
        try:
            os.unlink(os.path.join(base, name))
        except OSError:
            pass


# --- the fast door's file ---


def surface_name(argv: list[str]) -> str:
    """Which surface belongs to this command: everything that is known before a file is read."""
    parts = [
        __version__,
        sys.version,
        os.getcwd(),
        _PACKAGE,
        *sys.path,
        "\0",
        *argv,
    ]
    return f"surface/{digest(*(part.encode('utf-8', 'surrogateescape') for part in parts))}"


def folder_times(folders: list[str]) -> list[int]:
    """When something was last installed into, or removed from, each folder."""
    times = []
    for folder in folders:
        try:
            times.append(os.stat(folder).st_mtime_ns)
        except OSError:
            times.append(0)
    return times


def watched(watch: list[list[str]]) -> str:
    """One digest over the bytes of everything the surface was made from."""
    parts: list[bytes] = []
    for path, *suffixes in watch:
        parts += tree_bytes(path, tuple(suffixes))
    return digest(*parts)


class Surface:
    """A recorded surface: a header line of JSON, then the recorded bytes one after another."""

    def __init__(self, header: dict[str, object], blobs: bytes) -> None:
        self.header = header
        self._blobs = blobs
        self._index: dict[str, list[int]] = header["blobs"]  # type: ignore[assignment]

    def blob(self, name: str) -> bytes | None:
        place = self._index.get(name)
        return self._blobs[place[0] : place[0] + place[1]] if place else None


def load_surface(argv: list[str]) -> Surface | None:
    """The surface for this command, if nothing it was made from has changed."""
    raw = read(surface_name(argv))
    if raw is None:
        return None
    try:
        end = raw.index(b"\n")
        surface = Surface(json.loads(raw[:end]), raw[end + 1 :])
        header: dict[str, object] = surface.header
        environment: dict[str, str | None] = header["environment"]  # type: ignore[assignment]
        fresh = (
            len(raw) == header["size"]
            and all(os.environ.get(name) == value for name, value in environment.items())
            and folder_times(header["folders"]) == header["times"]  # type: ignore[arg-type]
            and watched(header["watch"]) == header["watched"]  # type: ignore[arg-type]
        )
    except (ValueError, KeyError, TypeError):
        return None
    return surface if fresh else None
