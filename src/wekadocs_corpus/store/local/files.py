"""A generation on disk: a folder of plain arrays that never change, and a page that says what they are.

They are written with plain writes, so that a full disk is an error and no signal, and mapped only when they are whole:
all processes share one copy in the system's memory.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path
from typing import Any

import numpy as np

from wekadocs_corpus.store.errors import Damaged

LAYOUT = 4  # another number: it is not read, but built anew
_AT_ONCE = 67_108_864  # bytes of an array that are asked for before they are used
_ABOUT = "about.json"


@dataclass(frozen=True)
class About:
    """What a generation holds, and how its files look: name → type, shape, checksum."""

    truth: str
    dimension: int
    sequence: int  # the last change of the truth that is in it
    seconds: float  # that writing it took
    values: Mapping[str, list[str]]  # of the documents' keywords
    arrays: Mapping[str, tuple[str, list[int], int]]


class Writer:
    """Arrays that grow at their ends, in a new folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, tuple[BufferedWriter, np.dtype[Any], tuple[int, ...]]] = {}
        self._lengths: dict[str, int] = {}
        self._sums: dict[str, int] = {}
        folder.mkdir(parents=True)

    def append(self, name: str, rows: np.ndarray) -> None:
        if name not in self._files:
            self._files[name] = ((self._folder / name).open("wb"), rows.dtype, rows.shape[1:])
            self._lengths[name] = self._sums[name] = 0
        data = np.ascontiguousarray(rows).view(np.uint8).reshape(-1) if rows.size else np.empty(0, np.uint8)
        self._files[name][0].write(data.data)
        self._lengths[name] += len(rows)
        self._sums[name] = zlib.crc32(data.data, self._sums[name])

    def finish(self, truth: str, dimension: int, sequence: int, seconds: float, values: Mapping[str, object]) -> None:
        """Everything is on the disk when this returns."""
        arrays = {name: self._described(name) for name in self._files}
        body = json.dumps([LAYOUT, truth, dimension, sequence, seconds, values, arrays]).encode()
        with (self._folder / _ABOUT).open("wb") as file:
            file.write(b"%08x\n%s" % (zlib.crc32(body), body))
            _to_disk(file)

    def close(self) -> None:
        for file, _, _ in self._files.values():
            file.close()

    def _described(self, name: str) -> tuple[str, list[int], int]:
        file, kind, rest = self._files[name]
        _to_disk(file)
        return kind.str, [self._lengths[name], *rest], self._sums[name]


def read_about(folder: Path) -> About:
    """Raises Damaged unless it is the page that was written."""
    try:
        said, _, body = (folder / _ABOUT).read_bytes().partition(b"\n")
        if int(said, 16) != zlib.crc32(body):
            raise Damaged(f"{folder / _ABOUT}: is not what was written")
        layout, *rest = json.loads(body)
    except (OSError, ValueError) as problem:
        raise Damaged(f"{folder / _ABOUT}: cannot be read") from problem
    if layout != LAYOUT:
        raise Damaged(f"{folder}: has another layout")
    return About(*rest)


def mapped(folder: Path, about: About) -> dict[str, np.ndarray]:
    """All arrays, read from the system's memory when they are used; raises Damaged where a size is wrong."""
    return {name: _mapped(folder / name, *described[:2]) for name, described in about.arrays.items()}


def changed(folder: Path, about: About) -> list[str]:
    """The arrays that are not what was written: reads everything."""
    return [name for name, (_, _, said) in about.arrays.items() if zlib.crc32((folder / name).read_bytes()) != said]


def _mapped(path: Path, kind: str, shape: list[int]) -> np.ndarray:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size != size:
                raise Damaged(f"{path}: is not as long as it was written")
            data = _shared(file.fileno(), size) if size else b""
    except (OSError, ValueError) as problem:
        raise Damaged(f"{path}: cannot be read") from problem
    return np.frombuffer(data, kind).reshape(shape)


def _shared(file: int, size: int) -> mmap.mmap:
    """The system begins to read what it does not have in memory: most of it is needed for the first question.

    Not what is large: on a slow disk everything else that the question needs would stand in line behind it.
    """
    data = mmap.mmap(file, size, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_WILLNEED"):
        data.madvise(mmap.MADV_WILLNEED if size <= _AT_ONCE else mmap.MADV_SEQUENTIAL)
    return data


def _to_disk(file: BufferedWriter) -> None:
    file.flush()
    os.fsync(file.fileno())
