"""What a link's target means, given all notes: by path, by file name, by title, by alias, by another spelling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from .model import Known, Resolved, ghost_id, name_key
from .walking import CANVASES, NOTES

# Files that notes show and that are none: `[[image.png]]` never means `image.png.md`.
_ATTACHMENTS = frozenset(
    {
        *(".png", ".jpg", ".jpeg", ".jfif", ".gif", ".svg", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".ico"),
        *(".pdf", ".mp3", ".wav", ".m4a", ".ogg", ".oga", ".opus", ".flac", ".aac", ".3gp", ".mp4", ".m4v", ".mov"),
        *(".webm", ".mkv", ".ogv", ".avi", ".zip", ".gz", ".7z", ".csv", ".tsv", ".xls", ".xlsx", ".ods", ".doc"),
        *(".docx", ".odt", ".ppt", ".pptx", ".odp", ".epub", ".html", ".htm", ".css", ".txt", ".rtf", ".psd", ".eps"),
        *(".drawio", ".excalidraw", ".base"),
    }
)
# A tuple, since nearly every name is one note's: thousands of sets take long to make. A dict where there are more.
_Ids = dict[str, tuple[str] | dict[str, None]]
_KINDS = 3  # file name, title, alias: the former is nearer


class Names:
    """Who goes by which name. Changed note by note."""

    def __init__(self) -> None:
        self._by_path: _Ids = {}
        self._by_name: tuple[_Ids, ...] = tuple({} for _ in range(_KINDS))
        self.attachments: dict[str, str] = {}
        self._shared: dict[str, Resolved] = {}  # until a name changes: what thousands are called takes long to resolve

    def add(self, note: Known) -> None:
        self._shared.clear()
        path = name_key(note.id)
        _add(self._by_path, path, note.id)
        for kind, key in _keys(note, path):
            _add(self._by_name[kind], key, note.id)

    def remove(self, note: Known) -> None:
        self._shared.clear()
        path = name_key(note.id)
        _drop(self._by_path, path, note.id)
        for kind, key in _keys(note, path):
            _drop(self._by_name[kind], key, note.id)

    @contextmanager
    def changed(self, old: Known | None, new: Known) -> Iterator[None]:
        """As they would be, to look what links would mean."""
        if old is not None:
            self.remove(old)
        self.add(new)
        try:
            yield
        finally:
            self.remove(new)
            if old is not None:
                self.add(old)

    def set_attachments(self, ids: Iterable[str]) -> None:
        self._shared.clear()
        self.attachments = {}
        for id in sorted(ids):
            self.attachments.setdefault(name_key(id), id)
            self.attachments.setdefault(name_key(id.rpartition("/")[2]), id)

    def at(self, path: str) -> str | None:
        """The note at this path in its own case, else in any."""
        found = self._by_path.get(name_key(path))
        if not found:
            return None
        return path if path in found else min(found)

    def resolve(self, target: str) -> Resolved:
        """`target` as a link writes it, without its fragment."""
        found = self._shared.get(target) or self._resolved(target)
        if found.others:
            self._shared[target] = found
        return found

    def _resolved(self, target: str) -> Resolved:
        written = target.strip().replace("\\", "/")
        path = written.lstrip("/")
        if found := self._at_path(path, is_rooted=written.startswith("/")):
            return found
        if is_attachment(path):
            there = name_key(path) in self.attachments
            return Resolved("", False) if there else Resolved(ghost_id(written), True)
        if "/" not in written and (found := self._named(path) or self._named(_other_spelling(path))):
            return found
        return Resolved(ghost_id(written), True)

    def _at_path(self, path: str, is_rooted: bool) -> Resolved | None:
        """From the vault's root, with or without its ending."""
        if not is_rooted and "/" not in path and not path.lower().endswith(NOTES + CANVASES):
            return None  # a bare name may be in any folder: see _named
        endings = ("",) if path.lower().endswith(NOTES + CANVASES) else ("", *NOTES, *CANVASES)
        for ending in endings if not is_attachment(path) else ():
            found = self._by_path.get(name_key(f"{path}{ending}"))
            if found:
                return _best(found, f"{path}{ending}")
        return None

    def _named(self, name: str) -> Resolved | None:
        key = name_key(name)
        for names in self._by_name if key else ():
            if found := names.get(key):
                return _best(found, name)
        return None

    def named(self, name: str) -> list[str]:
        """All notes that go by this name, the nearest kind first."""
        key = name_key(name.strip())
        return list(dict.fromkeys(id for names in self._by_name for id in sorted(names.get(key, ()))))


def is_attachment(path: str) -> bool:
    _, dot, ending = path.rpartition(".")
    return bool(dot) and f".{ending.lower()}" in _ATTACHMENTS


def _keys(note: Known, path: str) -> list[tuple[int, str]]:
    """`path`: the key of its id."""
    name = path.rpartition("/")[2]
    keys = [(0, name.rpartition(".")[0] or name), (0, name), (1, name_key(note.title))]
    return keys + [(2, name_key(alias)) for alias in note.aliases] if note.aliases else keys


def stem_of(name: str) -> str:
    return name.rpartition(".")[0] or name


def _best(found: Collection[str], written: str) -> Resolved:
    """Those in the exact case, where there are any; of these what lies at the root, then by path."""
    if len(found) == 1:
        return Resolved(next(iter(found)), False)

    def is_exact(id: str) -> bool:
        name = id.rpartition("/")[2]
        return written in (id, name, stem_of(name))

    meant = [*filter(is_exact, found)] or found
    first, *others = sorted(meant, key=lambda id: ("/" in id, id))
    return Resolved(first, False, tuple(others))


def _other_spelling(name: str) -> str:
    """Spaces for dashes or the other way, where it has one kind only."""
    spaces, dashes = " " in name, "-" in name
    if spaces == dashes:
        return ""
    return name.replace(" ", "-") if spaces else name.replace("-", " ")


def _add(names: _Ids, key: str, id: str) -> None:
    before = names.get(key)
    if before is None:
        names[key] = (id,)
    elif isinstance(before, dict):
        before[id] = None
    elif id not in before:
        names[key] = dict.fromkeys((*before, id))


def _drop(names: _Ids, key: str, id: str) -> None:
    before = names.get(key, ())
    if isinstance(before, dict) and len(before) > 1:
        before.pop(id, None)
    elif id in before:
        del names[key]
