"""Who links to a note that gets another path or title, and how each link is written afterwards: in its author's way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from unicodedata import normalize

from ..vault import Known, Unreadable, Vault, name_key
from .files.changes import FileChange
from .refusals import link_integrity
from .texts.retargeting import retargeted

_NOT_IN_LINKS = frozenset("[]|#^\n\r")


class Relinking:
    """For one note that is `old` now and will be `new`; `files` are those that may link to it, as they are now."""

    def __init__(self, vault: Vault, old: Known, new: Known, files: Mapping[str, bytes]) -> None:
        self._vault, self._old, self._new, self._files = vault, old, new, files
        written = {target for id, data in files.items() for target in _targets(id, data)}
        meant = {target for target in written if vault.resolve(target).id == old.id}
        targets = {target for note in vault.notes.values() for target in note.targets}
        others = {target: vault.resolve(target).id for target in targets}
        with vault.names.changed(old, new):
            spelled = {target: self._spelled(target) for target in sorted(meant)}
            self._taken_over = sorted(
                target
                for target, id in others.items()
                if id in vault.notes and id != old.id and vault.resolve(target).id == new.id
            )
        self._unspellable = [target for target, new in spelled.items() if new is None]
        self._targets = {target: new for target, new in spelled.items() if new not in (None, target)}

    def _leads_there(self, target: str) -> bool:
        return not _NOT_IN_LINKS & set(target) and self._vault.resolve(target).id == self._new.id

    def _spelled(self, target: str) -> str | None:
        """None where no way to write it leads to the note."""
        if self._leads_there(target):
            return target
        return next((each for each in self._ways(target) if each and self._leads_there(each)), None)

    def _ways(self, target: str) -> Iterator[str]:
        old, new = PurePosixPath(self._old.id), PurePosixPath(self._new.id)
        written = target.replace("\\", "/")
        has_ending = written.lower().endswith(old.suffix.lower())
        name = new.name if has_ending else new.stem
        if "/" in written:
            root = "/" if written.startswith("/") else ""
            same_folder = old.parent == new.parent
            folder = written.rpartition("/")[0] if same_folder else root + _folder(new)
            yield f"{folder}/{name}" if folder.strip("/") or (root and same_folder) else f"{root}{name}"
        elif has_ending or self._is_by_file(written, old.stem):
            yield _in_case_of(written, old.stem, name)
        else:
            yield _in_case_of(written, self._old.title, self._new.title)
        yield from (self._new.title, name, str(new.with_suffix("")), str(new))

    def _is_by_file(self, written: str, stem: str) -> bool:
        """Not by the title, though both may be spelled alike: words are a title."""
        spelled = name_key(stem), name_key(stem.replace(" ", "-"))
        is_title = normalize("NFC", written) == normalize("NFC", self._old.title)  # macOS takes accents apart in names
        return name_key(written) in spelled and not is_title and " " not in written

    def refuse_unsafe(self) -> None:
        if self._unspellable:
            message = "Links to this note cannot be written so that they lead to its new name."
            raise link_integrity(message, reason="unspellable", links=self._unspellable[:20])
        if self._taken_over:
            message = f"Links that mean another note would lead to {self._new.id} instead. Choose another name."
            raise link_integrity(message, reason="ambiguous", links=self._taken_over[:20])

    def changes(self) -> Iterator[FileChange]:
        for id, before in self._files.items():
            after, count = retargeted(id, before, self._targets.get)
            if count:
                yield FileChange(id, before, after, self._targets, count)


def _targets(id: str, data: bytes) -> set[str]:
    """Of all its links, each as it is written."""
    found: set[str] = set()
    try:
        retargeted(id, data, found.add)
    except Unreadable as error:
        raise link_integrity(f"{id} links to this note and cannot be read ({error}).", [id]) from None
    return found


def _folder(path: PurePosixPath) -> str:
    return "" if str(path.parent) == "." else str(path.parent)


def _in_case_of(written: str, old: str, new: str) -> str:
    """In small letters where the author wrote the old name so, and it has others."""
    return new.lower() if written == written.lower() and old != old.lower() else new
